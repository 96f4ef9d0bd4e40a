import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  answering,
  answeringForEver,
  page,
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../../test/support/fault-servers.ts';
import {
  SHORT_MS,
  createTestProbe,
  httpCheck,
  probeHttp,
  runProbe,
} from '../../../test/support/probing.ts';
import { systemClock } from '../../lib/clock.ts';
import type { CheckResult } from '../../model/check.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';
import type { ContentCheck, ContentOutcome } from '../../model/content.ts';
import type { HttpProbeDeps } from './http.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const MIB = 1024 * 1024;
const servers = closedAfterEach<FaultServer>();

async function serve(onConnection: OnConnection): Promise<FaultServer> {
  const server = await startServer(onConnection);
  servers.push(server);
  return server;
}

const contains = (phrase: string): ContentCheck => ({
  kind: 'keyword',
  target: 'html',
  keywords: [{ phrase, mode: 'must_contain', caseSensitive: false }],
});
const json = (path: string, value: string): ContentCheck => ({
  kind: 'json',
  assertions: [{ path, operator: 'equals', value }],
});

async function checkAgainst(
  onConnection: OnConnection,
  content: ContentCheck,
  more: Partial<HttpCheckRequest> = {},
): Promise<CheckResult> {
  const server = await serve(onConnection);
  const url = `http://127.0.0.1:${server.port}/`;
  const result = await runProbe(probeHttp, httpCheck(url, { content, ...more }));
  await server.allClosed();
  return result;
}
const headOf = (length: number, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n\r\n`;
const OOPS_503 = `${headOf(7, '503 Oops')}Welcome`;
const gzipped = (body: string | Buffer) =>
  answering(page(gzipSync(body), 'Content-Encoding: gzip'));

describe('a page whose content is checked', () => {
  const SAYS_LARGER = answering(headOf(10 * MIB + 1));
  const ENDLESS = answeringForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536));
  const BROKEN = answering(page('x', 'Content-Encoding: gzip'));
  const UNKNOWN = answering(page('V2VsY29tZQ==', 'Content-Encoding: base64'));
  const SHOWN = answering(page('<h1>Internal Server Error</h1>Welcome'));
  const LARGE = 'Response too large: a content check reads up to 10 MiB';
  const BOMB = gzipped(Buffer.alloc(10 * MIB + 1));
  test.each<[string, OnConnection, string, string | RegExp, boolean]>([
    ['one that says that it is larger', SAYS_LARGER, 'response_too_large', LARGE, false],
    ['an endless one', ENDLESS, 'response_too_large', LARGE, false],
    ['a bomb', BOMB, 'response_too_large', `${LARGE}, decompressed`, true],
    ['broken packing', BROKEN, 'response_invalid', /Content-Encoding/, true],
    ['unknown packing', UNKNOWN, 'response_invalid', /its Content-Encoding is "base64"/, true],
    ['an error', answering(OOPS_503.replace('503', '500')), 'http_status', /500/, true],
    ['an error text', SHOWN, 'error_text', /Internal/, true],
  ])('is not searched: %s [16.7, 16.30]', async (_name, onConnection, code, text, isTimed) => {
    const result = await checkAgainst(onConnection, contains('welcome'), {
      errorTextDetection: true,
    });
    expect(result).toMatchObject({
      vote: 'down',
      failure: { code, text: typeof text === 'string' ? text : expect.stringMatching(text) },
    });
    expect(result).not.toHaveProperty('content');
    expect(result.responseTimeMs !== null).toBe(isTimed);
  });
});

const passed: ContentOutcome = {
  kind: 'keyword',
  passed: true,
  outcomes: [{ passed: true, text: 'fine' }],
};
type Evaluate = HttpProbeDeps['evaluator']['evaluate'];

/** Stops when aborted, like long evaluations. */
const untilStopped: Evaluate = (_check, _body, _type, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ state: 'stopped' }));
  });

describe('content evaluation', () => {
  test.each<[string, Evaluate, string, string]>([
    [
      'stopped by the deadline',
      untilStopped,
      'probe_unable',
      'The page could not be searched in time',
    ],
    [
      'given up',
      async () => ({ state: 'failed', reason: 'took too long to search' }),
      'probe_unable',
      'The page took too long to search',
    ],
    ['broken', () => Promise.reject(new Error('boom')), 'probe_error', 'The probe failed: boom'],
  ])('%s means nothing for the target', async (_name, evaluate, code, text) => {
    const server = await serve(answering(page('hello')));
    const result = await runProbe(
      createTestProbe({ evaluator: { evaluate } }),
      httpCheck(`http://127.0.0.1:${server.port}/`, {
        content: contains('x'),
        timeoutMs: SHORT_MS,
      }),
    );
    expect(result).toMatchObject({ vote: 'unknown', failure: { code, text }, evidence: null });
  });

  test('a shutdown during evaluation', async () => {
    const controller = new AbortController();
    const server = await serve(answering(page('hello')));
    const evaluate: Evaluate = (...all) => {
      const found = untilStopped(...all);
      controller.abort('shutdown');
      return found;
    };
    const result = await runProbe(
      createTestProbe({ evaluator: { evaluate } }),
      httpCheck(`http://127.0.0.1:${server.port}/`, { content: contains('x') }),
      { signal: controller.signal },
    );
    expect(result).toMatchObject({ vote: 'unknown', failure: { code: 'aborted' } });
  });

  test("takes over the bytes and doesn't count as response time", async () => {
    let spentMs = 0;
    const server = await serve(answering(page('x'.repeat(20_000))));
    const evaluate: Evaluate = async (_check, body) => {
      structuredClone(body.buffer, { transfer: [body.buffer as ArrayBuffer] });
      spentMs = 60_000;
      const outcomes = [{ passed: false, text: 'It is wrong' }];
      return { state: 'evaluated', outcome: { kind: 'keyword', passed: false, outcomes } };
    };
    const result = await runProbe(
      createTestProbe({ evaluator: { evaluate } }),
      httpCheck(`http://127.0.0.1:${server.port}/`, { content: contains('x') }),
      { clock: { ...systemClock, monotonic: () => systemClock.monotonic() + spentMs } },
    );
    expect(result.responseTimeMs).toBeLessThan(60_000);
    expect(result.evidence?.body).toBe('x'.repeat(4_096));
  });

  test('its text is without secrets that the target sent back', async () => {
    const result = await checkAgainst(
      answering(page('{"status":"token is s3cret-token"}')),
      json('status', 'ok'),
      { headers: { 'X-Key': 's3cret-token' } },
    );
    expect(result.failure?.text).toContain('[removed]');
    expect(JSON.stringify(result)).not.toContain('s3cret-token');
  });

  test('nor the beginning of one that is shortened', async () => {
    const token = `s3cret-${'0123456789'.repeat(9)}`;
    const result = await checkAgainst(
      answering(page(JSON.stringify({ status: `sent Bearer ${token}` }))),
      json('status', 'ok'),
      { headers: { Authorization: `Bearer ${token}` } },
    );
    expect(result.failure?.text).toBe('JSON status is "sent [removed]…", expected "ok"');
    expect(JSON.stringify(result)).not.toContain('s3cret-');
  });
});

describe('large pages', () => {
  const LARGE = page(Buffer.alloc(MIB, 'x'));

  /** Checks of large pages, which end on request. */
  async function hold(count: number, more: Partial<HttpCheckRequest> = {}) {
    const server = await serve(answering(LARGE));
    let running = 0;
    const ends: (() => void)[] = [];
    const arrivals: (() => void)[] = [];
    const evaluate: Evaluate = () =>
      new Promise((resolve) => {
        running++;
        ends.push(() => {
          running--;
          resolve({ state: 'evaluated', outcome: passed });
        });
        arrivals.shift()?.();
      });
    const probe = createTestProbe({ evaluator: { evaluate } });
    const url = `http://127.0.0.1:${server.port}/`;
    const check = (extra: Partial<HttpCheckRequest> = {}): Promise<CheckResult> =>
      runProbe(probe, httpCheck(url, { content: contains('x'), ...extra }));
    const arrived = Array.from(
      { length: count },
      () => new Promise<void>((ok) => void arrivals.push(ok)),
    );
    const results = arrived.map(() => check(more));
    await Promise.all(arrived);
    return { server, check, results, ends, running: () => running };
  }

  test('a few at a time; one that had to wait has no timings [16.25]', async () => {
    const { server, check, results, ends, running } = await hold(4);
    const late = check();
    // The fifth has connected, and is receiving its page.
    await expect.poll(() => server.received.length).toBe(5);
    const small = await checkAgainst(answering(page('Welcome')), contains('welcome'));
    expect(small.vote).toBe('up');
    expect(running()).toBe(4);
    ends.splice(0).forEach((end) => end());
    for (const result of await Promise.all(results)) {
      expect(result).toMatchObject({ vote: 'up', responseTimeMs: expect.any(Number) });
    }
    await expect.poll(() => ends.length).toBe(1);
    ends.forEach((end) => end());
    expect(await late).toMatchObject({
      vote: 'up',
      responseTimeMs: null,
      timings: { tcpMs: expect.any(Number), ttfbMs: null, totalMs: null },
    });
    await server.allClosed();
  });

  test('a deadline while waiting means nothing for the target', async () => {
    const { server, check, results, ends } = await hold(4);
    expect(await check({ timeoutMs: SHORT_MS })).toMatchObject({
      vote: 'unknown',
      failure: {
        code: 'probe_unable',
        text: 'The page could not be read in time: the probe was busy with other large pages',
      },
    });
    ends.splice(0).forEach((end) => end());
    await Promise.all(results);
    // It leaves the queue: the next four proceed.
    const next = Array.from({ length: 4 }, () => check());
    await expect.poll(() => ends.length).toBe(4);
    ends.forEach((end) => end());
    for (const result of await Promise.all(next)) expect(result.responseTimeMs).not.toBeNull();
    await server.allClosed();
  });

  test('that are slow are given up for those of other monitors', async () => {
    /** Clock that runs ten times as fast. */
    const clock = {
      ...systemClock,
      monotonic: () => 10 * systemClock.monotonic(),
      after: (milliseconds: number, call: () => void) => systemClock.after(milliseconds / 10, call),
    };
    const dripping = await serve((socket) => {
      const begun = page(Buffer.alloc(MIB, 'x')).subarray(0, 400_000);
      socket.write(begun);
    });
    const server = await serve(answering(LARGE));
    const probe = createTestProbe();
    const check = (port: number, monitorId: number) =>
      runProbe(
        probe,
        httpCheck(`http://127.0.0.1:${port}/`, { content: contains('x'), monitorId }),
        { clock },
      );
    const slow = [1, 2, 3, 4].map(() => check(dripping.port, 1));
    await expect.poll(() => dripping.received.length).toBe(4);
    const others = [2, 3, 4, 5].map((monitorId) => check(server.port, monitorId));
    for (const other of await Promise.all(others)) expect(other.vote).toBe('up');
    expect(await Promise.race(slow)).toMatchObject({
      vote: 'unknown',
      failure: {
        code: 'probe_unable',
        text: 'The page was too slow to be read while others waited',
      },
      responseTimeMs: null,
      evidence: null,
    });
    await dripping.close();
    await Promise.all(slow);
    await server.allClosed();
  });

  test('small ones that decompress to large ones wait, too, after their response', async () => {
    const { check, results, ends, running, server } = await hold(4);
    const packed = await serve(
      answering(page(gzipSync(Buffer.alloc(MIB, 'x')), 'Content-Encoding: gzip')),
    );
    const late = check({ url: `http://127.0.0.1:${packed.port}/` });
    await expect.poll(() => packed.received.length).toBe(1);
    await packed.allClosed();
    expect((await checkAgainst(answering(page('Welcome')), contains('welcome'))).vote).toBe('up');
    expect(running()).toBe(4);
    ends.splice(0).forEach((end) => end());
    await Promise.all(results);
    await expect.poll(() => ends.length).toBe(1);
    ends.forEach((end) => end());
    expect(await late).toMatchObject({ vote: 'up', responseTimeMs: expect.any(Number) });
    await server.allClosed();
  });
});
