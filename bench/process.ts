import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;

/** CPU seconds (user and system) that a process and its threads have used, from /proc. */
export async function cpuSeconds(pid: number): Promise<number> {
  return (await processStat(pid)).cpuSeconds;
}

export interface ProcessStat {
  cpuSeconds: number;
  /** Ticks between the start of the machine and that of the process: with its number, it names no other process. */
  startedAt: number;
}

/** @throws if the process has ended. */
export async function processStat(pid: number): Promise<ProcessStat> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    startedAt: Number(fields[19]),
  };
}

/** CPU seconds that all programs have used, or that the host took away, since the machine started. */
export async function machineCpuSeconds(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + soft + stolen) / TICKS_PER_SECOND;
}

/** Proportional memory of a process in MiB: shared pages are divided between the processes that share them. */
export async function memoryMiB(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Memory of a process in MiB that no other one shares with it and that no file holds. */
export async function anonymousMiB(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** The process and its descendants. */
export async function family(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (line)
      parents.set(Number(name), Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const found = [pid];
  for (const one of found) {
    for (const [child, parent] of parents) if (parent === one) found.push(child);
  }
  return found;
}

export async function familyUsage(pid: number): Promise<{ cpuSeconds: number; memoryMiB: number }> {
  let [cpu, memory] = [0, 0];
  for (const one of await family(pid)) {
    cpu += await cpuSeconds(one).catch(() => 0);
    memory += await memoryMiB(one).catch(() => 0);
  }
  return { cpuSeconds: cpu, memoryMiB: memory };
}

/** Bytes of all files in a folder. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const ADMIN_TOKEN = 'bench-token-bench-token-bench-token';

export interface Service {
  url: string;
  port: number;
  pid: number;
  /** Milliseconds from its start until /readyz responded with 200. */
  readyMs: number;
  get(path: string, signal?: AbortSignal): Promise<Response>;
  post(path: string, body?: object): Promise<Response>;
  send(method: string, path: string, body: object | null): Promise<Response>;
  /** Creates a thing by POST. @throws if it is refused. */
  create(path: string, body: object): Promise<{ id: number }>;
  /** Value of a metric without labels, or the sum over its labels. */
  metric(name: string): Promise<number>;
  metricsText(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the whole service as a user would, on a free port, with its data in that folder.
 *
 * @param semiSpaceMiB what `npm start` gives the young objects of a process; `npm run start:probe` gives them 4.
 */
export async function startService(
  dataDir: string,
  environment: Record<string, string> = {},
  semiSpaceMiB = 32,
): Promise<Service> {
  const startedAt = performance.now();
  const flags = [`--max-semi-space-size=${semiSpaceMiB}`];
  const child = spawn(process.execPath, [...flags, 'src/start.js'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      ADMIN_TOKEN,
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
      MALLOC_ARENA_MAX: '2',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const url = await listeningUrl(child);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const get = (route: string, signal?: AbortSignal) =>
    fetch(url + route, { headers, ...(signal && { signal }) });
  const send = (method: string, route: string, body: object | null) =>
    fetch(url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  while (!(await get('/readyz')).ok) await pause(5);
  const metricsText = async () => (await get('/metrics')).text();
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid!,
    readyMs: performance.now() - startedAt,
    get,
    post: (route, body) => send('POST', route, body ?? null),
    send,
    async create(route, body) {
      const response = await send('POST', route, body);
      if (response.status !== 201) throw new Error(`POST ${route}: ${await response.text()}`);
      return (await response.json()) as { id: number };
    },
    metricsText,
    metric: async (name) => sumOf(await metricsText(), name),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts the service for some work. @param place its data folder, and its environment if it has one. */
export async function withService<T>(
  place: string | { dataDir: string; environment: Record<string, string> },
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const { dataDir, environment } =
    typeof place === 'string' ? { dataDir: place, environment: {} } : place;
  const service = await startService(dataDir, environment);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** Sum of a metric's values over its labels, or over those that contain a text. */
export function sumOf(text: string, name: string, label = ''): number {
  const lines = text
    .split('\n')
    .filter(
      (line) => line.startsWith(name) && /[ {]/.test(line[name.length]!) && line.includes(label),
    );
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** The service logs its address as `url` once it listens. */
function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${text}`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-100_000);
      const found = /"url":"(http[^"]+)"/.exec(text);
      if (found) resolve(found[1]!);
    });
  });
}
