import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TIMEOUT_MS } from '../../src/alerting/channels/index.ts';
import { KEPT_BYTES } from '../../src/alerting/delivery/webhook.ts';
import type { DnsAnswer } from '../support/dns-server.ts';
import { answering, page } from '../support/fault-servers.ts';
import { again, forbidden, receiver, refused, type Row } from './row.ts';
import { NAMES, ROWS } from './rows.ts';
import { SECRETS, startReceivers, type Outcome, type Receivers } from './run.ts';

const PATIENCE_MS = 180_000;
const TOKEN = SECRETS[1]!;

/** It echoes the whole request, and a token that the size limit of the log cuts in two. */
const TELLTALES: Row[] = [
  receiver(
    'repeats the request',
    (socket, received) => {
      socket.once('data', () => {
        const said = received();
        socket.end(`HTTP/1.1 400 Bad\r\nContent-Length: ${said.length}\r\n\r\n${said}`);
      });
    },
    refused(400),
  ),
  receiver(
    'repeats a token at the end of what is kept',
    answering(page(`${'x'.repeat(KEPT_BYTES - 20)}${TOKEN}`)),
    { status: 'delivered', code: 200, says: null, againMs: null },
  ),
];
/** A name that resolves to a public address first and to a private one later. */
const TURNING: Row = {
  ...receiver(
    'a name that turns private',
    answering('HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n'),
    again(503),
  ),
  origin: 'http://turning.test:{port}',
};
const MATRIX = { ...ROWS, 'those that tell what they know': TELLTALES, 'a name': [TURNING] };
const ALL = Object.values(MATRIX).flat();
const QUICK = ALL.filter(({ expected }) => expected.hangs !== true);
const SLOW = ALL.filter(({ expected }) => expected.hangs === true);

let receivers: Receivers;
/** After the first attempt at each. */
const firsts = new Map<string, Outcome>();
let later: Map<string, Outcome>;
const waited: string[] = [];
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);

/** The clock does not move, so that no poll finds the due work: the worker is woken. */
async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const isSo = () => {
    receivers.nudge();
    return condition();
  };
  await vi.waitUntil(isSo, { timeout: PATIENCE_MS / 3, interval: 10 }).catch(() => {
    throw new Error(`Waited in vain for ${what}.`);
  });
}

/** Waits until each of these was sent to, and returns the outcomes. */
async function attempted(rows: readonly Row[]): Promise<void> {
  let left = rows.map(({ name }) => name);
  const deadline = performance.now() + PATIENCE_MS / 3;
  while (left.length > 0) {
    if (performance.now() > deadline) throw new Error(`Nothing became of: ${left.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const outcomes = await receivers.outcomes();
    left = left.filter((name) => outcomes.get(name)!.attempts.length === 0);
  }
  const outcomes = await receivers.outcomes();
  for (const { name } of rows) firsts.set(name, outcomes.get(name)!);
}

/** Waits until all events to the healthy receiver have arrived. */
async function well(count: number): Promise<void> {
  await receivers.sendWell();
  await until(`${count} events at the one that is well`, () => receivers.arrived() === count);
}

beforeAll(async () => {
  process.on('unhandledRejection', onRejection);
  // Queries are not counted: lost ones are repeated.
  let isTurned = false;
  const names = (name: string): DnsAnswer => {
    if (name !== 'turning.test')
      return (NAMES[name as keyof typeof NAMES] as DnsAnswer) ?? 'not-found';
    return { addresses: [isTurned ? '169.254.169.254' : '127.0.0.1'] };
  };
  receivers = await startReceivers(ALL, (name, type) => only(names(name), type));
  await well(1);
  await attempted(QUICK);
  isTurned = true;
  await well(2);
  const outcomes = await receivers.outcomes();
  waited.push(
    ...SLOW.flatMap(({ name }) => (outcomes.get(name)!.attempts.length === 0 ? name : [])),
  );

  // All requests in flight reach their deadline.
  receivers.clock.freeze(TIMEOUT_MS);
  await receivers.clock.advance(1);
  await attempted(SLOW);
  await until('the second attempt at the name that turns private', async () => {
    const outcome = (await receivers.outcomes()).get(TURNING.name)!;
    return outcome.attempts.length === 2;
  });
  await until('all requests to end', () => receivers.underWay() === 0);
  later = await receivers.outcomes();
}, PATIENCE_MS);

afterAll(async () => {
  process.off('unhandledRejection', onRejection);
  await receivers.close();
}, PATIENCE_MS);

/** AAAA queries get no IPv4 addresses. */
function only(said: DnsAnswer, type: 'A' | 'AAAA'): DnsAnswer {
  return typeof said === 'object' && type === 'AAAA' ? 'empty' : said;
}

describe.each(Object.entries(MATRIX))('%s', (_group, rows) => {
  test.each(rows)('$name', ({ name, expected }) => {
    const { status, nextAt, attempts, isActive, reason } = firsts.get(name)!;
    const [first] = attempts;
    const { code, says, againMs, isSwitchedOff = false } = expected;
    expect({ status, code: first!.status_code, isActive }).toEqual({
      status: expected.status,
      code,
      isActive: !isSwitchedOff,
    });
    const said = isSwitchedOff ? reason : first!.error;
    if (says === null) expect(said).toBeNull();
    else if (typeof says === 'string') expect(said).toBe(`The endpoint ${says}`);
    else expect(said).toMatch(says);
    if (againMs !== null) expect(nextAt - first!.at - first!.duration_ms).toBe(againMs);
  });
});

describe('of all of them', () => {
  test('every reason is plain text without secrets', () => {
    for (const { attempts } of [...firsts.values(), ...later.values()])
      for (const { error, response } of attempts) {
        if (error !== null)
          expect(error).toMatch(
            /^The endpoint (answered HTTP \d+|could not be reached: [A-Z]).*\.$/,
          );
        expect(Buffer.byteLength(response ?? '')).toBeLessThan(3 * KEPT_BYTES);
        for (const secret of SECRETS)
          expect(`${error} ${response}`).not.toContain(secret.slice(0, 8));
      }
  });

  test('hanging receivers do not delay the healthy one', () => {
    expect(waited).toEqual(SLOW.map(({ name }) => name));
  });

  test('a name that resolves to a private address at the next attempt is refused', () => {
    const { status, attempts } = later.get(TURNING.name)!;
    expect(status).toBe('failed');
    expect(attempts[1]!.error).toBe(`The endpoint ${String(forbidden('turning.test').says)}`);
  });

  test('no connection stays open, and no error is unexpected', async () => {
    await receivers.allClosed();
    // The system's buffers of two connections exceed what is read from one.
    expect(receivers.mostSentBytes()).toBeLessThan(32 * 2 ** 20);
    expect([...receivers.timeLimits]).toEqual([TIMEOUT_MS]);
    expect(receivers.errors).toEqual([]);
    expect(rejections).toEqual([]);
  });

  test('names are unique', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    expect(ALL.length).toBeLessThan(130);
  });
});
