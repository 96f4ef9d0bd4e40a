import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import { freshDirectory } from './directories.ts';
import { expectDocumented, isOfApi } from './openapi.ts';

/** The service in a child process, started as users start it. */
export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  get<Body = Json>(path: string): Promise<Answer<Body>>;
  post<Body = Json>(path: string, body?: object): Promise<Answer<Body>>;
  put<Body = Json>(path: string, body: object): Promise<Answer<Body>>;
  del(path: string): Promise<Answer<Json>>;
  /** As above, with another token or none. */
  getAs(token: string | null, path: string): Promise<Answer<Json>>;
  /** Sum of the values of a metric whose labels contain that text. */
  metric(name: string, labels?: string): Promise<number>;
  /** Its running probe processes. */
  probes(): Promise<number[]>;
  /** Sends a signal to the process and its probes. */
  signalAll(signal: NodeJS.Signals): void;
  /** Sends a signal to the process alone, SIGKILL by default; resolves with how it ended. */
  kill(signal?: NodeJS.Signals): Promise<Ending>;
  /** Stops it as an operator does. Fails the test if it does not exit cleanly. */
  stop(): Promise<void>;
}

export type Json = Record<string, unknown>;

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ShownMonitor {
  id: number;
  status: string;
  last_checked_at: string | null;
  response_times: { region: string; checked_at: string }[];
  incidents: ShownIncident[];
}

export interface ShownIncident {
  id: number;
  monitor_id: number;
  type: string;
  severity: string;
  status: 'open' | 'resolved';
  root_cause: string;
  started_at: string;
  ended_at: string | null;
}

/** A setting that is undefined is left out. */
export type Environment = Record<string, string | undefined>;

export const ADMIN_TOKEN = 'token-of-the-process-tests-0123456789';

/** For `expect.poll`: long enough for a busy machine. */
export const PATIENTLY = { timeout: 120_000, interval: 40 };

const PROGRAM = fileURLToPath(new URL('../../src/start.js', import.meta.url));
/** If available, the processes end with the test's, even if that is killed. */
const TIED = spawnSync('setpriv', ['--version']).status === 0;

/** Services and folders for the tests of a file; all end with the test that created them, or with `afterAll`. */
export function useServices(after = afterEach) {
  const cleanups: (() => Promise<void>)[] = [];
  after(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const launch = (environment: Environment, how: HowToLaunch = {}) => {
    const launched = launchProgram(environment, how);
    cleanups.push(launched.end);
    return launched;
  };
  return {
    /** An empty data folder. */
    async folder(): Promise<string> {
      const { place, remove } = await freshDirectory();
      cleanups.push(remove);
      return place;
    },
    /** Registers something else to be closed after the test. */
    use<Resource extends { close(): Promise<void> }>(resource: Resource): Resource {
      cleanups.push(() => resource.close());
      return resource;
    },
    /** Starts the service and resolves when it listens. `meanwhile` may read its log during the start. */
    async start(
      environment: Environment,
      meanwhile?: ((log: () => string) => Promise<void>) | null,
      program?: string,
    ): Promise<Service> {
      const launched = launch(environment, program === undefined ? {} : { program });
      await meanwhile?.(() => launched.output.stdout);
      return serviceOf(launched, environment);
    },
    /** Starts the service with a hard limit of open files. */
    startLimited(openFiles: number, environment: Environment): Promise<Service> {
      return serviceOf(launch(environment, { openFiles }), environment);
    },
    /** Runs the program, or that of another tree, until it ends. `meanwhile` gets the id of its process. */
    async run(
      environment: Environment,
      program?: string,
      meanwhile?: (pid: number) => Promise<void>,
    ) {
      const launched = launch(environment, program === undefined ? {} : { program });
      await meanwhile?.(launched.child.pid!);
      const { code } = await launched.ended;
      return { code, stdout: launched.output.stdout, stderr: launched.output.stderr };
    },
  };
}

interface Launched {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  ended: Promise<Ending>;
  /** Kills the process and its probes if they still run. */
  end(): Promise<void>;
}

interface HowToLaunch {
  /** The hard limit of open files. */
  openFiles?: number;
  /** Root of another source tree to run. */
  program?: string;
}

function launchProgram(
  environment: Environment,
  { openFiles, program: entry = PROGRAM }: HowToLaunch,
): Launched {
  const limit = openFiles === undefined ? [] : ['prlimit', `--nofile=${openFiles}:${openFiles}`];
  const command = [...limit, process.execPath, '--max-semi-space-size=32', entry];
  const [program, ...args] = TIED ? ['setpriv', '--pdeathsig=KILL', ...command] : command;
  const child = spawn(program!, args, {
    // A process group, so that it is stopped and killed with its probes.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      // As `npm start` does.
      MALLOC_ARENA_MAX: '2',
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_TOKEN,
      // Tests poll often.
      RATE_LIMITS: 'off',
      ...environment,
    },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output.stderr += text));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ending);
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await ended;
  };
  return { child, output, ended, end };
}

async function serviceOf(launched: Launched, environment: Environment): Promise<Service> {
  const { child, output, ended } = launched;
  const pid = child.pid!;
  const port = await listeningPort(launched);
  const url = `http://127.0.0.1:${port}`;
  const token = environment['ADMIN_TOKEN'] ?? ADMIN_TOKEN;

  async function call<Body>(
    method: string,
    path: string,
    body?: object,
    as: string | null = token,
  ): Promise<Answer<Body>> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (isOfApi(path)) {
      const { status, headers } = response;
      expectDocumented({ method, path }, { status, headers: Object.fromEntries(headers), text });
    }
    const parsed = (text === '' ? {} : JSON.parse(text)) as Body;
    return { status: response.status, headers: response.headers, body: parsed };
  }

  const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };

  return {
    url,
    port,
    pid,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    del: (path) => call('DELETE', path),
    getAs: (as, path) => call('GET', path, undefined, as),
    async metric(name, labels = '') {
      const text = await (await fetch(`${url}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.split(/[ {]/, 1)[0] === name);
      const wanted = lines.filter((line) => line.includes(labels));
      return wanted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    probes: () => childrenOf(pid),
    signalAll: (signal) => void process.kill(-pid, signal),
    kill,
    async stop() {
      expect(await kill('SIGTERM'), output.stdout).toEqual({ code: 0, signal: null });
    },
  };
}

/** The service logs its port once it listens. */
async function listeningPort({ child, output, ended }: Launched): Promise<number> {
  const listening = new Promise<number>((resolve) => {
    const look = () => {
      const found = /"port":(\d+)[^\n]*\n/.exec(output.stdout)?.[1];
      if (found === undefined) return;
      child.stdout!.off('data', look);
      resolve(Number(found));
    };
    child.stdout!.on('data', look);
  });
  const failed = ended.then(({ code, signal }): never => {
    const how = `The service ended (${signal ?? code}) before it listened`;
    throw new Error(`${how}:\n${output.stdout}${output.stderr}`);
  });
  return Promise.race([listening, failed]);
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state, parentId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(parentId) === parent && state !== 'Z') children.push(Number(name));
  }
  return children;
}

/** Creates an http monitor with the shortest interval and thresholds by default. Returns its id. */
export async function createMonitor(service: Service, fields: object): Promise<number> {
  const defaults = { check_interval: 0.5, failure_threshold: 1 };
  const { status, body } = await service.post('/api/v1/monitors', { ...defaults, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body['id'] as number;
}

/** Creates many of them at once, each with its own path. Returns their ids. */
export function createMonitors(
  service: Service,
  count: number,
  fieldsOf: (index: number) => object,
): Promise<number[]> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return Promise.all(indexes.map((index) => createMonitor(service, fieldsOf(index))));
}

export async function monitorOf(service: Service, id: number): Promise<ShownMonitor> {
  const { status, body } = await service.get<ShownMonitor>(`/api/v1/monitors/${id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The probe of a busy machine may answer unknown: it is asked again after this time. */
const ASK_AGAIN_MS = 3_000;

/** Requests a check of the monitor now. */
export const lookAt = (service: Service, id: number) =>
  service.post(`/api/v1/monitors/${id}/check`);

/** Requests checks until all monitors have that status; new ones are checked by themselves. */
export async function untilAll(
  service: Service,
  ids: readonly number[],
  status: string,
  message = '',
): Promise<void> {
  const begunAt = performance.now();
  let askedAt = -Infinity;
  const others = async () => {
    const { status: answered, body } = await service.get<{ data: ShownMonitor[] }>(
      '/api/v1/monitors?per_page=100',
    );
    expect(answered, JSON.stringify(body)).toBe(200);
    const late = body.data.filter((one) => ids.includes(one.id) && one.status !== status);
    const isNew = performance.now() - begunAt < ASK_AGAIN_MS;
    const asked = late.filter((one) => !isNew || one.status !== 'pending');
    if (asked.length > 0 && performance.now() - askedAt > ASK_AGAIN_MS) {
      askedAt = performance.now();
      await Promise.all(asked.map(({ id }) => lookAt(service, id)));
    }
    return late.map((one) => `${one.id} is ${one.status}`);
  };
  await expect.poll(others, { ...PATIENTLY, message }).toEqual([]);
}

/** Requests checks until a round of several regions that began at that time or later is counted. */
export async function untilCounted(service: Service, id: number, since: number): Promise<void> {
  let askedAt = -Infinity;
  const newest = async () => {
    const { response_times: shown } = await monitorOf(service, id);
    // A manual check shows in one region, a round in all of them.
    const isCounted =
      shown.length > 1 && shown.every(({ checked_at: at }) => Date.parse(at) >= since);
    if (!isCounted && performance.now() - askedAt > ASK_AGAIN_MS) {
      askedAt = performance.now();
      await lookAt(service, id);
    }
    return isCounted;
  };
  await expect.poll(newest, PATIENTLY).toBe(true);
}

/** Waits until no check is in flight, so that later rounds see the current target. */
export const untilIdle = (service: Service) =>
  expect.poll(() => service.metric('tocsin_rounds_in_flight'), PATIENTLY).toBe(0);

/** The 100 newest incidents of the team. */
export async function incidents(service: Service): Promise<ShownIncident[]> {
  const { body } = await service.get<{ data: ShownIncident[] }>('/api/v1/incidents?per_page=100');
  return body.data;
}
