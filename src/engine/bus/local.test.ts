import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { sleep, systemClock, type Clock, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckResult } from '../../model/check.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import { MAX_SLOT_WAIT_MS } from '../../model/probe-load.ts';
import { childEnvironment, createLocalBus, type LocalBus, type LocalBusOptions } from './local.ts';
import type { AnyRequest } from '../../monitor-types/registry.ts';

const MISBEHAVING = new URL('../../../test/support/misbehaving-child.ts', import.meta.url);

let bus: LocalBus | null = null;
afterEach(async () => {
  await bus?.close();
  bus = null;
});

const askAsh = (request: AnyRequest) => bus!.check('ash', request);

/** Collects what is logged and tells when a line has come. */
function listeningLog() {
  const lines: string[] = [];
  const waiting: { words: string; found: () => void }[] = [];
  const write = (_fields: object, message: string) => {
    lines.push(message);
    for (const { words, found } of waiting) if (message.includes(words)) found();
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const heard = (words: string) =>
    new Promise<void>((found) => {
      if (lines.some((line) => line.includes(words))) found();
      else waiting.push({ words, found });
    });
  return { log, lines, heard };
}

async function start(overrides: Partial<LocalBusOptions> = {}) {
  const logged = listeningLog();
  bus = await createLocalBus({
    regions: ['ash', 'nbg'],
    vantage: 'office',
    version: '1.0.0',
    workers: 1,
    settings: { allowPrivateTargets: 'true', dnsServers: null, rdapBootstrapFile: null },
    environment: process.env,
    clock: systemClock,
    log: logged.log,
    entry: MISBEHAVING,
    ...overrides,
  });
  return { bus, ...logged };
}

const doing = (behaviour: string, timeoutMs = 60_000): HttpCheckRequest => ({
  type: 'http',
  monitorId: 1,
  timeoutMs,
  url: `do:${behaviour}`,
  method: 'GET',
  headers: {},
  body: null,
  acceptedStatusCodes: null,
  followRedirects: true,
  errorTextDetection: false,
});

const check = (behaviour: string, timeoutMs?: number) =>
  bus!.check('ash', doing(behaviour, timeoutMs));
/** One of a team, which may wait for a slot. */
const checkOfTeam = (behaviour: string, timeoutMs?: number) =>
  bus!.check('ash', { ...doing(behaviour, timeoutMs), teamId: 1 });
const code = async (result: Promise<CheckResult>) => (await result).failure?.code ?? null;
const pid = () => bus!.processes()[0]!.pid!;

/** The real clock and event loop; after a freeze all timers that it skipped are overdue at once. */
function freezableClock(): Clock & { freeze(milliseconds: number): void } {
  let skipped = 0;
  const timers = new Map<object, { handle: Timer; call: () => void }>();
  const set = (key: object, milliseconds: number, call: () => void) => {
    const handle = systemClock.after(milliseconds, () => {
      timers.delete(key);
      call();
    });
    timers.set(key, { handle, call });
  };
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + skipped,
    after(milliseconds, call) {
      const key = {};
      set(key, milliseconds, call);
      return key;
    },
    clear(key) {
      systemClock.clear(key && timers.get(key)?.handle);
      if (key) timers.delete(key);
    },
    freeze(milliseconds) {
      skipped += milliseconds;
      for (const [key, { handle, call }] of Array.from(timers)) {
        systemClock.clear(handle);
        set(key, 0, call);
      }
      const overdueAt = systemClock.monotonic() + 5;
      while (systemClock.monotonic() < overdueAt);
    },
  };
}

/** How much a process has written so far. */
function bytesWritten(of: number): number {
  return Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${of}/io`, 'utf8'))![1]);
}

function isThere(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** The process that came after the one that died has answered. */
async function recovered(): Promise<void> {
  while ((await check('up')).vote !== 'up') await sleep(systemClock, 1);
}

describe('a check', () => {
  test('comes back from another process', async () => {
    await start();
    const result = await check('pid');
    expect(result).toMatchObject({ vote: 'up', failure: null });
    expect(Number(result.remoteAddress)).toBe(pid());
    expect(pid()).not.toBe(process.pid);
  });

  test('of each kind reaches the real probes', async () => {
    const server = createServer((socket) =>
      socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await start({
      workers: 2,
      settings: { allowPrivateTargets: '127.0.0.0/8', dnsServers: null, rdapBootstrapFile: null },
      entry: new URL('../../probe/agent/child.ts', import.meta.url),
    });
    const common = { monitorId: 1, timeoutMs: 10_000 };
    const askedAt = Date.now();
    const results = await Promise.all([
      askAsh({ ...doing('up'), url: `http://127.0.0.1:${port}/` }),
      askAsh({ ...common, type: 'port', host: '127.0.0.1', port }),
      askAsh({ ...common, type: 'port', host: '::1', port }),
      askAsh({ ...common, type: 'ping', host: '127.0.0.1' }),
    ]);
    server.close();
    expect(results[0]).toMatchObject({ vote: 'up', statusCode: 204 });
    expect(results[1]).toMatchObject({ vote: 'up' });
    expect(results[2]).toMatchObject({ failure: { code: 'target_not_allowed' } });
    // The result has the time of the first packet, where one left.
    for (const { sentAt } of results.slice(0, 2)) {
      expect(sentAt).toBeGreaterThanOrEqual(askedAt);
      expect(sentAt).toBeLessThanOrEqual(Date.now());
    }
    expect(results[2]).not.toHaveProperty('sentAt');
    // Without the right to ping it is unknown, never down.
    expect(results[3]!.vote === 'up' || results[3]!.failure?.code === 'probe_unable').toBe(true);
  });

  test('has times of the corrected clock', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await start({
      settings: { allowPrivateTargets: '127.0.0.0/8', dnsServers: null, rdapBootstrapFile: null },
      entry: new URL('../../probe/agent/child.ts', import.meta.url),
      correctionMs: () => -60_000,
    });
    const askedAt = Date.now() - 60_000;
    const request = {
      type: 'port',
      monitorId: 1,
      timeoutMs: 10_000,
      host: '127.0.0.1',
      port,
    } as const;
    const { sentAt } = await bus!.check('ash', request);
    server.close();
    expect(sentAt).toBeGreaterThanOrEqual(askedAt);
    expect(sentAt).toBeLessThanOrEqual(Date.now() - 60_000);
  });

  test('by name asks the name servers of the settings', async () => {
    const server = createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const names = await startDnsServer((name, type) =>
      name === 'shop.test' && type === 'A' ? { addresses: ['127.0.0.1'] } : 'empty',
    );
    await start({
      settings: {
        allowPrivateTargets: 'true',
        dnsServers: [names.address],
        rdapBootstrapFile: null,
      },
      entry: new URL('../../probe/agent/child.ts', import.meta.url),
    });
    const request: AnyRequest = {
      type: 'port',
      monitorId: 1,
      timeoutMs: 10_000,
      host: 'shop.test',
      port,
    };
    const result = await bus!.check('ash', request);
    server.close();
    await names.close();
    expect(result).toMatchObject({ vote: 'up', remoteAddress: '127.0.0.1' });
  });

  test('is unknown in a region this machine does not probe for', async () => {
    await start();
    expect(await bus!.check('pdx', doing('up'))).toMatchObject({
      vote: 'unknown',
      failure: { code: 'no_probe', text: 'No probe is running in region pdx' },
    });
    expect(bus!.lastSeen('pdx')).toBeNull();
    expect(bus!.lastSeen('nbg')).toBeGreaterThan(0);
    expect(bus!.vantageOf('pdx')).toBeNull();
    expect(bus!.vantageOf('nbg')).toBe('office');
  });

  test('a thousand concurrent ones are all answered, by both processes', async () => {
    await start({ workers: 2 });
    const results = await Promise.all(Array.from({ length: 1_000 }, () => check('pid')));
    const counts = Map.groupBy(results, ({ remoteAddress }) => remoteAddress);
    expect([...counts.values()].map((group) => group.length)).toEqual([500, 500]);
  });
});

describe('a failure of a probe', () => {
  test.each([
    ['throw', 'probe_error'],
    ['uncaught', null],
  ])('%s: others go on', async (behaviour, expected) => {
    const { heard } = await start();
    const before = pid();
    expect(await code(check(behaviour))).toBe(expected);
    await heard(
      behaviour === 'throw' ? 'A probe failed.' : 'Something failed in the probe process',
    );
    expect((await check('up')).vote).toBe('up');
    expect(pid()).toBe(before);
  });

  test('a check that never ends is unknown after its deadline', async () => {
    await start();
    expect(await code(check('never', 100))).toBe('probe_error');
  });

  test.each([
    ['kill -9', () => void process.kill(pid(), 'SIGKILL')],
    ['an exit', () => void check('exit')],
  ])('after %s its checks are unknown, and a new process takes over', async (_name, die) => {
    const { lines } = await start();
    const before = pid();
    const lost = [check('never'), check('never')];
    await check('up');
    die();
    expect(await Promise.all(lost.map(code))).toEqual(['probe_lost', 'probe_lost']);
    await recovered();
    expect(pid()).not.toBe(before);
    expect(bus!.processes()[0]!.restarts).toBe(1);
    expect(lines.filter((line) => line.includes('is restarted'))).toHaveLength(1);
  });

  test('with two processes only the checks of the dead one are lost', async () => {
    await start({ workers: 2 });
    const [first, second] = bus!.processes().map((each) => each.pid);
    const lost = [check('never'), check('never')];
    process.kill(first!, 'SIGKILL');
    expect(await code(Promise.race(lost))).toBe('probe_lost');
    const results = await Promise.all(Array.from({ length: 4 }, () => check('pid')));
    expect(results.map(({ vote }) => vote)).toEqual(Array(4).fill('up'));
    expect(results.some(({ remoteAddress }) => Number(remoteAddress) === second)).toBe(true);
  });

  test('a process that cannot start does not block forever', async () => {
    const clock = createFakeClock();
    const starting = start({ entry: new URL('./missing.ts', MISBEHAVING), clock });
    await clock.advance(10_000);
    const { lines } = await starting;
    expect(lines).toContain('No probe process has started; checks are unknown until one does.');
    expect(bus!.lastSeen('ash')).toBeNull();
    const result = check('up', 1_000);
    await clock.advance(2_000);
    expect(['no_probe', 'probe_lost']).toContain(await code(result));
  });
});

async function startWithClock() {
  const clock = createFakeClock();
  return { clock, ...(await start({ clock })) };
}

/** Lets that much time pass for this process, to which the other one shows that it lives. */
async function passWithLife(clock: FakeClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 2_000) {
    const answers: CheckResult[] = [];
    void check('up').then((answer) => answers.push(answer));
    while (answers.length === 0) await clock.settle();
    await clock.advance(Math.min(2_000, milliseconds - passed));
  }
}

const load = () => bus!.processes()[0]!.load;

/** Real processes, our own side's time as the test says. */
describe('a process that does not answer', () => {
  test.each([
    ['stopped', () => void process.kill(pid(), 'SIGSTOP')],
    ['stuck in a loop', () => void check('block')],
  ])('%s: its checks are unknown, it is killed and replaced [25.25]', async (_name, hang) => {
    const { clock, heard } = await startWithClock();
    const before = pid();
    hang();
    const result = check('up', 3_000);
    await clock.advance(3_999);
    expect(bus!.processes()[0]!.checks).toBeGreaterThan(0);
    await clock.advance(2);
    expect(await code(result)).toBe('probe_lost');
    await clock.advance(7_000);
    await heard('hung and was killed');
    while (pid() === before || bus!.processes()[0]!.pid === null) await clock.advance(10);
    const again = check('pid');
    while (bus!.processes()[0]!.checks > 0) await clock.settle();
    expect(Number((await again).remoteAddress)).toBe(pid());
  });

  test.each([
    ['stopped', () => void process.kill(pid(), 'SIGSTOP')],
    ['stuck in a loop', () => void check('block')],
  ])('%s: a check that may wait for its slot is lost, too', async (_name, hang) => {
    const { clock, heard } = await startWithClock();
    hang();
    const early = checkOfTeam('up', 500);
    const late = checkOfTeam('up', 3_000);
    await clock.advance(2_000);
    expect(bus!.processes()[0]!.checks).toBeGreaterThanOrEqual(2);
    await clock.advance(2_500);
    expect(await Promise.all([early, late].map(code))).toEqual(['probe_lost', 'probe_lost']);
    await clock.advance(7_000);
    await heard('hung and was killed');
  });

  test('but is alive gets more time, since its check may have started late', async () => {
    const { clock } = await startWithClock();
    const strict = check('never', 60_000);
    let isAnswered = false;
    void checkOfTeam('never', 60_000).then(() => (isAnswered = true));
    await passWithLife(clock, 61_010);
    expect(await code(strict)).toBe('probe_lost');
    await passWithLife(clock, 60_000);
    expect(isAnswered).toBe(false);
  });

  test('but is alive does not get unlimited time', async () => {
    const { clock } = await startWithClock();
    const patient = checkOfTeam('never', 60_000);
    let isAnswered = false;
    void patient.then(() => (isAnswered = true));
    await passWithLife(clock, MAX_SLOT_WAIT_MS + 60_000);
    expect(isAnswered).toBe(false);
    await passWithLife(clock, 1_010);
    expect(await code(patient)).toBe('probe_lost');
  });

  test('reports its load', async () => {
    await start();
    void check('never');
    await check('up');
    while ((load()?.running ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(load()).toEqual({
      running: 1,
      waiting: 0,
      longestWaitMs: 0,
      capacity: 4_000,
      openFiles: null,
    });
  });

  test('is not blamed when this process was frozen', async () => {
    const clock = freezableClock();
    const { lines } = await start({ clock });
    const before = pid();
    const written = bytesWritten(before);
    const result = check('up', 3_000);
    // From here the event loop goes on with its timers, and reads what has arrived after them.
    await new Promise<void>((resolve) =>
      setImmediate(() =>
        setImmediate(() => {
          while (bytesWritten(before) < written + 100);
          clock.freeze(3_600_000);
          resolve();
        }),
      ),
    );
    expect(await result).toMatchObject({ vote: 'up', failure: null });
    for (let i = 0; i < 20; i++) expect((await check('up')).vote).toBe('up');
    expect(pid()).toBe(before);
    expect(lines).toEqual([]);
  });
});

describe('the end', () => {
  test('aborts what is under way and leaves no process', async () => {
    await start({ workers: 2 });
    const pids = bus!.processes().map((each) => each.pid!);
    const under = check('never');
    await bus!.close();
    expect(await code(under)).toBe('aborted');
    expect(await code(check('up'))).toBe('aborted');
    for (const each of pids) expect(() => process.kill(each, 0)).toThrow('ESRCH');
  });

  test('comes for a stuck process too', async () => {
    await start();
    const stuck = pid();
    void check('block');
    await new Promise((resolve) => setImmediate(resolve));
    await bus!.close();
    expect(() => process.kill(stuck, 0)).toThrow('ESRCH');
  });

  test("is not what the terminal's signals mean to a probe process", async () => {
    await start();
    const before = pid();
    process.kill(before, 'SIGINT');
    process.kill(before, 'SIGTERM');
    for (let i = 0; i < 20; i++) expect((await check('up')).vote).toBe('up');
    expect(pid()).toBe(before);
  });

  test('of the parent is the end of its probe processes', async () => {
    const parent = fork(new URL('../../../test/support/bus-parent.ts', import.meta.url), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [child] = (await once(parent, 'message')) as [number];
    expect(process.kill(child, 0)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await waitUntil(() => !isThere(child));
  });
});

describe('the environment of a probe process', () => {
  const secrets = {
    SECRET_KEY: 'hidden-1',
    DATABASE_URL: 'postgres://hidden-2',
    ADMIN_TOKEN: 'hidden-3',
    ADMIN_PASSWORD: 'hidden-4',
    SMTP_URL: 'smtp://hidden-5',
    NATS_URL: 'nats://hidden-6',
    SECRET_KEY_FILE: '/hidden-7',
    ANYTHING_ELSE: 'hidden-8',
  };

  test('holds nothing secret, and what it needs [15.8]', async () => {
    await start({
      environment: {
        ...secrets,
        PATH: process.env['PATH'],
        TZ: 'Europe/Vienna',
        NODE_EXTRA_CA_CERTS: undefined,
      },
    });
    const { remoteAddress } = await check('environment');
    expect(remoteAddress).not.toContain('hidden');
    expect(JSON.parse(remoteAddress!)).toMatchObject({
      PATH: process.env['PATH'],
      TZ: 'Europe/Vienna',
    });
  });

  test('keeps certificates and leaves out what is not set', () => {
    const kept = childEnvironment({ ...secrets, NODE_EXTRA_CA_CERTS: '/ca.pem', PATH: undefined });
    expect(kept).toEqual({ LC_ALL: 'C', NODE_EXTRA_CA_CERTS: '/ca.pem' });
  });
});

describe('the checks of a round', () => {
  test('come back in the order of the regions, with the reason where none is probed for', async () => {
    await start();

    const results = await bus!.checkAll(['nbg', 'pdx', 'ash'], doing('up'));

    expect(results.map(({ vote, failure }) => [vote, failure?.code])).toEqual([
      ['up', undefined],
      ['unknown', 'no_probe'],
      ['up', undefined],
    ]);
    expect(await bus!.checkAll(['pdx'], doing('up'))).toMatchObject([
      { failure: { code: 'no_probe' } },
    ]);
  });

  test('a check that never ends leaves the others as they are', async () => {
    await start();

    const round = bus!.checkAll(['ash', 'nbg'], doing('once', 200));

    expect(bus!.processes()[0]!.checks).toBe(2);
    expect((await round).map(({ vote }) => vote)).toEqual(['up', 'unknown']);
    expect(bus!.processes()[0]!.checks).toBe(0);
  });

  test('are lost together with their process', async () => {
    await start();

    const results = await bus!.checkAll(['ash', 'nbg'], doing('exit'));

    expect(results.map(({ failure }) => failure?.code)).toEqual(['probe_lost', 'probe_lost']);
  });

  test('are aborted when the bus closes, and keep what was answered', async () => {
    await start();
    const round = bus!.checkAll(['ash', 'nbg'], doing('once'));
    await waitUntil(() => bus!.processes()[0]!.checks === 1);

    await bus!.close();

    expect((await round).map(({ failure }) => failure?.code)).toEqual([undefined, 'aborted']);
    expect(await bus!.checkAll(['ash'], doing('up'))).toMatchObject([
      { failure: { code: 'aborted' } },
    ]);
  });
});
