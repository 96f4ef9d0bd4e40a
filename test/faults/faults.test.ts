import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Timings, CheckResult } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import { amounts } from '../support/depth.ts';
import { PHASES, type Expected, type Row, GUARDS, requestTo } from './row.ts';
import { MATRIX, ROWS } from './rows.ts';
import { once } from 'node:events';
import { setDefaultCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../src/net/address-guard.ts';
import { createResolver } from '../../src/net/resolver.ts';
import { createAgent, type Agent } from '../../src/probe/agent/agent.ts';
import { createContentEvaluator } from '../../src/probe/content/evaluator.ts';
import { createIcmpClient } from '../../src/probe/icmp/icmp-client.ts';
import { createRegistry } from '../../src/probe/agent/registry.ts';
import { noInspectors } from '../support/inspectors.ts';
import { httpCheck } from '../support/probing.ts';
import { newStallMemory, stallsSeen, untilCounted } from './stalls.ts';
import type { Listening } from './target-thread.ts';
import { AUTHORITIES } from './tls-targets.ts';

/** The whole matrix, ready to run: agents in this thread, targets in another. */
interface Faults {
  /** Runs all rows, many at once; returns each result, by name, with the target's port. */
  runAll(): Promise<Map<string, Outcome>>;
  /** Results of the steady target's checks so far, which run beside the rows. */
  steady: CheckResult[];
  /** Errors of their own that the agents logged. */
  errors: unknown[];
  load(): { running: number; waiting: number }[];
  /** Resolves when the targets have seen all clients disconnect. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

interface Outcome {
  result: CheckResult;
  port: number;
}

/** More would stall this process and make its results unreliable. */
const AT_ONCE = 32;

/** As many large pages as a probe reads at once: one that waited has no times. */
const CONTENT_AT_ONCE = 4;

/** A check right after another would take half of this process's time. */
const STEADY_EVERY_MS = 20;

/** Number of times a row may run while the probe, or its target, was stalled: the machine has other work, too. */
const ATTEMPTS = 12;

async function startFaults(): Promise<Faults> {
  setDefaultCACertificates(AUTHORITIES);
  const stalls = newStallMemory();
  const thread = new Worker(new URL('target-thread.ts', import.meta.url), { workerData: stalls });
  const [{ ports, nameServer, steadyPort }] = (await once(thread, 'message')) as [Listening];
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...said: unknown[]) => void errors.push(said) };
  const icmp = createIcmpClient({ clock: systemClock, log });
  const evaluator = createContentEvaluator({ clock: systemClock, log });
  const shared = {
    registry: createRegistry({ icmp, evaluator }),
    inspectors: noInspectors,
    resolver: createResolver({
      clock: systemClock,
      servers: [nameServer],
      hostsFile: '/dev/null',
      hasNetwork: () => true,
    }),
    clock: systemClock,
    log,
    maxConcurrent: 2 * AT_ONCE,
  };
  const agents = new Map(
    Object.entries(GUARDS).map(([name, setting]) => {
      const targets = parseAllowPrivateTargets(setting);
      if (!targets.ok) throw new Error(targets.message);
      return [name, createAgent({ ...shared, guard: createAddressGuard(targets.value) })];
    }),
  );
  const agentOf = (guard: Row['guard']): Agent => agents.get(guard) as Agent;
  const steady: CheckResult[] = [];
  const ask = async (word: 'all closed?' | 'end'): Promise<void> => {
    const answer = once(thread, 'message');
    thread.postMessage(word);
    await answer;
  };

  async function run(row: Row): Promise<Outcome> {
    const port = ports.get(row.name) ?? 0;
    const agent = agentOf(row.guard);
    const asksNameServer = row.names !== undefined;
    for (let attempt = 1; ; attempt++) {
      const stallsBefore = stallsSeen(stalls, asksNameServer);
      const result = await agent.run(requestTo(row.request, port));
      if (asksNameServer) await untilCounted(stalls);
      const stoodStill =
        didNotMeasure(result) || stallsSeen(stalls, asksNameServer) !== stallsBefore;
      if (!stoodStill || attempt === ATTEMPTS) return { result, port };
    }
  }

  async function watchSteadyTarget(until: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    void until.finally(() => over.abort());
    const request = httpCheck(`http://127.0.0.1:${steadyPort}/`);
    while (!over.signal.aborted) {
      steady.push(await agentOf('open').run(request));
      await sleep(systemClock, STEADY_EVERY_MS);
    }
  }

  return {
    steady,
    errors,
    async runAll() {
      const outcomes = new Map<string, Outcome>();
      const takeTurns = async (waiting: Row[]): Promise<void> => {
        for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
          outcomes.set(row.name, await run(row));
        }
      };
      const lanes = (count: number, rows: Row[]): Promise<void>[] =>
        Array.from({ length: count }, () => takeTurns(rows));
      const all = Promise.all([
        ...lanes(
          AT_ONCE,
          ROWS.filter((row) => !hasContent(row)),
        ),
        ...lanes(CONTENT_AT_ONCE, ROWS.filter(hasContent)),
      ]);
      await Promise.all([all, watchSteadyTarget(all)]);
      return outcomes;
    },
    load: () => [...agents.values()].map((agent) => agent.load()),
    allClosed: () => ask('all closed?'),
    async close() {
      for (const agent of agents.values()) agent.close();
      evaluator.close();
      await icmp.close();
      await ask('end');
      await thread.terminate();
    },
  };
}

function hasContent({ request }: Row): boolean {
  return request.type === 'http' && request.content !== undefined;
}

/** The agent doesn't trust failures and times measured while its own process was stalled. */
function didNotMeasure({ vote, failure, responseTimeMs }: CheckResult): boolean {
  return failure?.code === 'probe_lagged' || (vote === 'up' && responseTimeMs === null);
}

/** Time for the slowest row and all that run with it, on a busy machine. */
const PATIENCE_MS = 300_000;

let faults: Faults;

let outcomes: Map<string, Outcome>;

let resourcesBefore: string[];

let heapAfterFirst = 0;

let heapAfterSecond = 0;

const rejections: unknown[] = [];

const onRejection = (reason: unknown) => void rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', onRejection);
  faults = await startFaults();
  resourcesBefore = process.getActiveResourcesInfo();
  outcomes = await faults.runAll();
  heapAfterFirst = usedHeap();
}, PATIENCE_MS);

afterAll(async () => {
  process.off('unhandledRejection', onRejection);
  await faults.close();
}, PATIENCE_MS);

describe.each(Object.entries(MATRIX))('%s', (_group, rows) => {
  test.each(rows)(
    '$name [16.2, 16.8, 16.9, 16.18, 16.19, 16.21, 20.1, 20.2, 20.3, 20.4, 20.5]',
    (row) => expectRow(row, outcomes),
  );
});

describe('after all of that', () => {
  if (amounts.looksAtFaults === 2) {
    // What is created once (contexts, compiled code, pools) exists before the second run, which is compared.
    beforeAll(async () => {
      outcomes = await faults.runAll();
      heapAfterSecond = usedHeap();
    }, PATIENCE_MS);

    test('a second run has the same results', () => {
      expect(ROWS.flatMap((row) => deviation(row, outcomes))).toEqual([]);
    });

    test('memory did not grow', () => {
      expect(heapAfterSecond).toBeLessThan(1.2 * heapAfterFirst);
    });
  }

  test('nothing is left open: targets saw all connections end, and this process holds no more than before [15.9]', async () => {
    await faults.allClosed();
    // A socket that was closed is listed until a later turn of the event loop.
    const open = () => sockets(process.getActiveResourcesInfo());
    await expect.poll(open).toEqual(sockets(resourcesBefore));
  });

  test('the agents run nothing, and logged no errors of their probes', () => {
    for (const load of faults.load()) expect(load).toMatchObject({ running: 0, waiting: 0 });
    // These would include a probe that did not end at its deadline.
    expect(faults.errors).toEqual([]);
    expect(rejections).toEqual([]);
  });

  test('a steady target was always up', () => {
    expect(faults.steady.length).toBeGreaterThan(20);
    for (const { vote, statusCode } of faults.steady) {
      expect({ vote, statusCode }).toEqual({ vote: 'up', statusCode: 200 });
    }
  });
});

test('row names are unique, and there are enough rows', () => {
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  expect(ROWS.length).toBeGreaterThan(400);
});

function expectRow({ name, request, expected }: Row, from: Map<string, Outcome>): void {
  const outcome = from.get(name);
  if (outcome === undefined) throw new Error(`${name} did not run`);
  const { result, port } = outcome;
  const { vote, code, text, status, certificateFault, families } = expected;
  expect({ name, ...result }).toMatchObject({
    name,
    vote,
    failure: code === null ? null : { code, text: wording(text, port) },
    timings: timings(expected, request),
    ...(status === undefined ? {} : { statusCode: status }),
  });
  expect(result.responseTimeMs === null).toBe(expected.until !== 'whole');
  expect(result.certificateFault?.code).toBe(certificateFault);
  if (families !== undefined) {
    const { ipv4 = null, ipv6 = null } = result.families ?? {};
    expect({ ipv4: ipv4?.code ?? null, ipv6: ipv6?.code ?? null }).toEqual(families);
  }
  expect(result.evidence === null).toBe(vote === 'up' || request.type !== 'http');
  if (request.type === 'http')
    expect(result.content === undefined || request.content !== undefined).toBe(true);
}

/** Differences between a row's result and its expectation; none if it is as expected. */
function deviation(row: Row, from: Map<string, Outcome>): string[] {
  try {
    expectRow(row, from);
    return [];
  } catch (error) {
    const { failure, timings: times } = from.get(row.name)?.result ?? {};
    return [`${row.name}: ${JSON.stringify({ failure, times })} (${String(error)})`];
  }
}

function wording(text: Expected['text'], port: number): unknown {
  return typeof text === 'string'
    ? text.replaceAll('{port}', String(port))
    : expect.stringMatching(text ?? /^$/);
}

/** Phases with a time: all up to the last one, of those that the check has. */
function timings({ until }: Expected, request: AnyRequest): Record<keyof Timings, unknown> {
  const isHttp = request.type === 'http';
  const isSecure = isHttp && request.url.startsWith('https:');
  const timed = (phase: Expected['until'], has = true): unknown =>
    has && PHASES.indexOf(until) >= PHASES.indexOf(phase) ? expect.any(Number) : null;
  return {
    dnsMs: timed('dns'),
    tcpMs: timed('tcp'),
    tlsMs: timed('tls', isSecure),
    ttfbMs: timed('ttfb', isHttp),
    totalMs: timed('whole'),
  };
}

function sockets(resources: string[]): string[] {
  return resources
    .filter((each) => /TCP|TLS|UDP|DNS|GetAddr|Query|Connect|Write/.test(each))
    .toSorted();
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
}
