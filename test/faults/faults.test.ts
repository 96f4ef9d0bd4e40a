import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Timings } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import { amounts } from '../support/depth.ts';
import { PHASES, type Expected, type Row } from './row.ts';
import { MATRIX, ROWS } from './rows.ts';
import { startFaults, type Faults, type Outcome } from './run.ts';

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
