import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds } from './process.ts';

/** Checks per CPU second of `ab` (Debian's apache2-utils), after as many for warm-up; null if it is not installed. */
export async function measureAb(url: string, count: number, concurrency: number) {
  const ab = installed('ab');
  if (!ab) return null;
  const tls = url.startsWith('https:') ? '-f TLS1.3' : '';
  const command = `${ab} -q -n ${count} -c ${concurrency} ${tls} ${url}`;
  await cpuSecondsOf(command);
  return count / (await cpuSecondsOf(command));
}

/** User and system time of a command, measured by the shell. */
async function cpuSecondsOf(command: string): Promise<number> {
  const script = `TIMEFORMAT='%U %S'; time ${command} >/dev/null 2>/dev/null`;
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr!.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  const [, user, system] = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(text) ?? [];
  if (!user || !system) throw new Error(`The shell printed no time of ${command}: ${text}`);
  return Number(user) + Number(system);
}

/**
 * Echoes per CPU second of `fping` (Debian package of that name) to the 254 hosts of a loopback network; null if it is
 * not installed. Configured to send as fast as it can.
 */
export async function measureFping(rounds: number): Promise<number | null> {
  const fping = installed('fping');
  if (!fping) return null;
  const seconds = await cpuSecondsOf(
    `${fping} -q -c ${rounds} -p 10 -i 0 -g 127.0.1.1 127.0.1.254`,
  );
  return (rounds * 254) / seconds;
}

/** A running prometheus-blackbox-exporter (Debian package of that name); null if it is not installed. */
export async function startBlackbox(authorityFile: string): Promise<Blackbox | null> {
  const program = installed('prometheus-blackbox-exporter');
  if (!program) return null;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-blackbox-'));
  const file = path.join(folder, 'blackbox.yml');
  await writeFile(
    file,
    `modules:
  http: { prober: http, timeout: 5s, http: { preferred_ip_protocol: ip4, tls_config: { ca_file: ${authorityFile} } } }
  tcp: { prober: tcp, timeout: 5s, tcp: { preferred_ip_protocol: ip4 } }
`,
  );
  const port = 19_115;
  const child = spawn(
    program,
    [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`],
    {
      stdio: 'ignore',
    },
  );
  const agent = new http.Agent({ keepAlive: true });
  const probe = (module: string, target: string) =>
    get(
      agent,
      `http://127.0.0.1:${port}/probe?module=${module}&target=${encodeURIComponent(target)}`,
    );
  while (!(await get(agent, `http://127.0.0.1:${port}/-/healthy`).catch(() => null)))
    await pause(20);
  return {
    async checksPerCpuSecond(module, targets, count, concurrency) {
      const [first] = targets;
      if (!(await probe(module, first!)).includes('probe_success 1')) {
        throw new Error(`blackbox can't check ${first}.`);
      }
      let index = 0;
      const next = () => probe(module, targets[index++ % targets.length]!);
      await inParallel(count, concurrency, next);
      const before = await cpuSeconds(child.pid!);
      await inParallel(count, concurrency, next);
      return count / ((await cpuSeconds(child.pid!)) - before);
    },
    stop() {
      agent.destroy();
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Blackbox {
  /** After as many checks for warm-up. */
  checksPerCpuSecond(
    module: 'http' | 'tcp',
    targets: readonly string[],
    count: number,
    concurrency: number,
  ): Promise<number>;
  stop(): void;
}

/** Makes that many calls with limited concurrency. */
export async function inParallel(count: number, concurrency: number, call: () => Promise<unknown>) {
  let left = count;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await call();
    }),
  );
}

function get(agent: http.Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => void (text += chunk.toString()));
        answer.on('end', () => resolve(text));
      })
      .on('error', reject);
  });
}

function installed(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? null;
}
