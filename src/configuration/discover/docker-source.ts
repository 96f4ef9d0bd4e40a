import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { problemOfDockerHost } from '../../lib/docker-host.ts';
import { ask, askJson, openJsonLines, type ApiEndpoint } from './api-client.ts';
import { DiscoveryError } from './discovered.ts';
import { discoverDocker } from './docker.ts';
import type { Source } from './source.ts';

/** Address and certificates of Docker, as in the settings of its own command line. */
export interface DockerAccess {
  /** URL such as `unix:///var/run/docker.sock`, `tcp://host:2375` or `https://host:2376`. */
  host: string;
  /** Folder of ca.pem, cert.pem and key.pem; null for no TLS, or for https and an authority that everybody knows. */
  certPath: string | null;
}

const PORT = 2375;
const TLS_PORT = 2376;

/** @throws DiscoveryError for an address that can't be used. */
export function dockerEndpoint({ host, certPath }: DockerAccess): ApiEndpoint {
  const problem = problemOfDockerHost(host);
  if (problem !== null) throw new DiscoveryError(problem);
  const url = new URL(host);
  if (url.protocol === 'unix:') {
    // As it is written, like Docker's command line takes it: the path of a URL has %20 for a space.
    const socketPath = host.replace(/^unix:(\/\/)?/i, '');
    return {
      name: `Docker at ${socketPath}`,
      connection: async () => ({ isTls: false, options: { socketPath, host: 'docker' } }),
    };
  }
  const isTls = url.protocol === 'https:' || certPath !== null;
  // URL drops a port that is the default of https.
  const port = Number(/:(\d{1,5})\/?$/.exec(host)?.[1]) || (isTls ? TLS_PORT : PORT);
  const options = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port };
  return {
    name: `Docker at ${url.hostname}:${port}`,
    connection: async () => ({
      isTls,
      options: { ...options, ...(certPath === null ? {} : await certificatesIn(certPath)) },
    }),
  };
}

/** Read one after another, so that the first one missing is named. */
async function certificatesIn(folder: string) {
  const read = (name: string) => {
    const file = path.join(folder, name);
    return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new DiscoveryError(`${file} of DOCKER_CERT_PATH can't be read (${error.code}).`);
    });
  };
  const ca = await read('ca.pem');
  return { ca, cert: await read('cert.pem'), key: await read('key.pem') };
}

/** Events of containers that appear, disappear or get another name; Podman says `remove` for `destroy`. */
const EVENTS = { type: ['container'], event: ['create', 'rename', 'destroy', 'remove'] };

/** The containers of one Docker Engine. @param defaults of fields that no label sets. */
export function dockerSource(
  endpoint: ApiEndpoint,
  defaults: Readonly<Record<string, unknown>>,
): Source {
  async function list(signal: AbortSignal, version?: string) {
    const prefix = version ?? (await versionPrefix(endpoint, signal));
    const answer = await askJson(endpoint, `${prefix}/containers/json?all=true`, signal);
    return discoverDocker(answer, defaults);
  }
  return {
    name: endpoint.name,
    list: (signal) => list(signal),
    async connect(onEvent, signal) {
      const version = await versionPrefix(endpoint, signal);
      const filters = encodeURIComponent(JSON.stringify(EVENTS));
      // Comes before the list, so that nothing happens unseen between them.
      const events = await openJsonLines(endpoint, `${version}/events?filters=${filters}`, signal);
      const discovered = await list(signal, version);
      return { discovered, current: () => list(signal, version), ended: drain(events, onEvent) };
    },
  };
}

async function drain(events: AsyncGenerator<unknown>, onEvent: () => void): Promise<void> {
  while (!(await events.next()).done) onEvent();
}

/** `/v1.54`, the version that the engine offers: requests without one are to be refused by later releases. */
async function versionPrefix(endpoint: ApiEndpoint, signal: AbortSignal): Promise<string> {
  const { headers, body } = await ask(endpoint, '/_ping', signal);
  body.destroy();
  const version = headers['api-version'];
  return typeof version === 'string' && /^\d+\.\d+$/.test(version) ? `/v${version}` : '';
}
