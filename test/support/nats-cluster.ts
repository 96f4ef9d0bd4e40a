import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from './free-ports.ts';

/** Files of the NATS servers of deploy/nats with fresh secrets, on free ports of this machine. */
export interface NatsCluster {
  hub: { config: string; http: string; websocket: string };
  leaf: { config: string; http: string };
  /** Address of the hub for leaf nodes, without the scheme. */
  hubAddress: string;
  password(user: string): string;
}

export const DEPLOYED_REGIONS = ['ash', 'pdx', 'nbg', 'sin'];
const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const program = fileURLToPath(new URL('../../src/tocsin.js', import.meta.url));

/** Makes the secrets of an installation by deploy/make-secrets.sh. `tocsin` stands for the command line. */
export function makeSecrets(folder: string, hub: string, tocsin: string): void {
  execFileSync(join(deploy, 'make-secrets.sh'), [folder, hub, DEPLOYED_REGIONS.join(' '), 'sin'], {
    env: { PATH: process.env['PATH'], TOCSIN: tocsin },
  });
}

export async function layNatsCluster(folder: string): Promise<NatsCluster> {
  makeSecrets(folder, '127.0.0.1', `${process.execPath} ${program}`);
  const [http, websocket, leafnodes, leafHttp] = await freePorts(4);
  lay('hub', 'hub', { 8222: http, 8080: websocket, 7422: leafnodes });
  lay('leaf', 'leaf-sin', { 8222: leafHttp, 7422: leafnodes });
  return {
    hub: {
      config: join(folder, 'hub/hub.conf'),
      http: `http://127.0.0.1:${http}`,
      websocket: `ws://127.0.0.1:${websocket}`,
    },
    leaf: { config: join(folder, 'leaf-sin/leaf.conf'), http: `http://127.0.0.1:${leafHttp}` },
    hubAddress: `127.0.0.1:${leafnodes}`,
    password(user) {
      const secrets = readFileSync(join(folder, 'hub/secrets.conf'), 'utf8');
      return new RegExp(`^${user}_password: "(.*)"$`, 'm').exec(secrets)![1]!;
    },
  };

  function lay(name: string, to: string, ports: Record<number, number | undefined>): void {
    const move = (text: string) =>
      text.replaceAll(/(?:0\.0\.0\.0|127\.0\.0\.1):(\d+)/g, (all, port: string) =>
        ports[Number(port)] === undefined ? all : `127.0.0.1:${ports[Number(port)]}`,
      );
    const config = readFileSync(join(deploy, `nats/${name}.conf`), 'utf8');
    writeFileSync(join(folder, to, `${name}.conf`), move(config));
    const secrets = join(folder, to, 'secrets.conf');
    writeFileSync(secrets, move(readFileSync(secrets, 'utf8')));
  }
}
