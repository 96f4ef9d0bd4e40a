import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { monitorOf, useServices, type Service } from './service.ts';

export const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
export const WRAPPER = join(EXAMPLES, 'tocsin-run');

export const example = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');

/** Whether the program is installed. */
export const has = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** A ping as the API shows it. */
export interface ShownPing {
  kind: string;
  exit_code: number | null;
  duration_ms: number | null;
  run_id: string | null;
  body: string | null;
}

/** A push monitor and its ping URL. */
export interface Watched {
  id: number;
  url: string;
}

/** A server for the tests of a file, and jobs that call it. */
export function useJobs() {
  const services = useServices(afterAll);
  let server: Service;
  let job: string;
  let deadUrl: string;

  beforeAll(async () => {
    server = await services.start({ DATA_DIR: await services.folder() });
    job = join(await services.folder(), 'job');
    const lines = [
      '#!/bin/sh',
      'echo working',
      'echo "ends with $JOB_CODE" >&2',
      'exit "$JOB_CODE"',
    ];
    await writeFile(job, `${lines.join('\n')}\n`);
    await chmod(job, 0o755);
    deadUrl = `http://127.0.0.1:${await closedPort()}/ping/${'x'.repeat(30)}`;
  });

  /** The pings received, oldest first. */
  async function told({ id }: Watched): Promise<ShownPing[]> {
    const { body } = await server.get<{ data: ShownPing[] }>(`/api/v1/monitors/${id}/pings`);
    return body.data.toReversed();
  }

  return {
    /** A program that prints a line on each stream and exits with the code `JOB_CODE`. */
    get job() {
      return job;
    },
    /** A ping URL on a closed port. */
    get deadUrl() {
      return deadUrl;
    },
    /** A ping URL of no monitor. */
    get strangeUrl() {
      return `${server.url}/ping/${'x'.repeat(30)}`;
    },
    folder: () => services.folder(),
    async watch(): Promise<Watched> {
      const { status, body } = await server.post<{ id: number; ping_url: string }>(
        '/api/v1/monitors',
        { monitor_type: 'heartbeat', friendly_name: 'A job', heartbeat_interval: 86_400 },
      );
      expect(status).toBe(201);
      return { id: body.id, url: body.ping_url };
    },
    told,
    /** The pings as text such as `failure 3`. */
    async gist(watched: Watched): Promise<string[]> {
      const pings = await told(watched);
      return pings.map(({ kind, exit_code: code }) => (code === null ? kind : `${kind} ${code}`));
    },
    /** The status of the monitor, and the causes of its open incidents. */
    async standing({ id }: Watched): Promise<string[]> {
      const { status, incidents } = await monitorOf(server, id);
      const open = incidents.filter((incident) => incident.status === 'open');
      return [status, ...open.map((incident) => incident.root_cause)];
    },
  };
}

async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  /** Called with its whole output so far, each time there is more. */
  onOutput?: (text: string, pid: number) => void;
  /** `exit` does not wait for its background processes, which still hold its output. */
  until?: 'close' | 'exit';
}

/** Runs a program. One that does not exit by itself is killed, and then has no exit code. */
export async function run(program: string, args: string[], options: RunOptions = {}) {
  const { env = {}, input = '', onOutput, until = 'close' } = options;
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    timeout: 45_000,
    killSignal: 'SIGKILL',
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
    onOutput?.(printed.stdout, child.pid!);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (printed.stderr += text));
  // A program may exit without reading its input.
  child.stdin.on('error', () => {}).end(input);
  const [code] = (await once(child, until)) as [number | null];
  child.stdout.destroy();
  child.stderr.destroy();
  return { code, ...printed };
}
