import { describe, expect, test } from 'vitest';
import { NO_TIMINGS, type CheckResult } from '../../model/check.ts';
import type { FailureCode } from '../../model/failure.ts';
import { discountStalls } from './stalls.ts';

const up: CheckResult = {
  vote: 'up',
  failure: null,
  responseTimeMs: 400,
  statusCode: 200,
  timings: { ...NO_TIMINGS, totalMs: 400 },
  remoteAddress: '192.0.2.1',
  evidence: null,
};
const failed = (code: FailureCode): CheckResult => ({
  ...up,
  vote: 'down',
  failure: { code, text: 'It failed' },
  responseTimeMs: null,
});

/** Stalls of equal length, distributed over a check. */
const stalls = (count: number, eachMs: number) => ({
  longestMs: count === 0 ? 0 : eachMs,
  totalMs: count * eachMs,
});

describe('a failure while the process was stalled [18.10]', () => {
  test.each<[FailureCode, number, number, number, number, 'down' | 'unknown']>([
    // code, elapsed, time limit, stalls, each; milliseconds
    ['no_response', 27_000, 27_000, 0, 0, 'down'],
    ['no_response', 27_000, 27_000, 1, 300, 'down'],
    ['no_response', 27_000, 27_000, 1, 2_700, 'down'],
    ['no_response', 27_000, 27_000, 1, 2_701, 'unknown'],
    ['no_response', 27_000, 27_000, 20, 200, 'unknown'],
    ['connection_timeout', 10_000, 10_000, 3, 300, 'down'],
    ['connection_timeout', 10_000, 10_000, 4, 300, 'unknown'],
    // A name server's or an address's own share of the time limit.
    ['dns_timeout', 5_000, 30_000, 1, 300, 'down'],
    ['dns_timeout', 5_000, 30_000, 1, 600, 'unknown'],
    ['no_echo', 3_000, 10_000, 1, 400, 'unknown'],
    // An active refusal.
    ['connection_refused', 500, 10_000, 1, 400, 'down'],
    ['http_status', 900, 10_000, 3, 280, 'down'],
    ['dns_not_found', 600, 10_000, 1, 500, 'down'],
    ['host_unreachable', 3_000, 10_000, 1, 2_500, 'down'],
    ['tls_expired', 600, 10_000, 1, 500, 'down'],
    // Any failure that lasted until the time limit.
    ['tls_handshake', 10_000, 10_000, 1, 1_001, 'unknown'],
    ['response_cut_short', 9_995, 10_000, 1, 1_001, 'unknown'],
    ['tls_handshake', 10_000, 10_000, 1, 900, 'down'],
    // A peer disconnects a client that is silent for long.
    ['connection_reset', 6_000, 30_000, 1, 900, 'down'],
    ['connection_reset', 16_000, 30_000, 1, 1_000, 'unknown'],
    ['response_cut_short', 9_000, 30_000, 1, 5_000, 'unknown'],
    // Served for a few milliseconds in between: too slow for a server that waits for a second.
    ['tls_handshake', 1_200, 30_000, 11, 95, 'unknown'],
    ['tls_handshake', 1_000, 30_000, 9, 95, 'down'],
    ['connection_reset', 20_000, 30_000, 11, 95, 'down'],
    // The target got the time in addition.
    ['no_response', 13_000, 10_000, 1, 3_000, 'down'],
    ['no_response', 20_000, 10_000, 100, 110, 'down'],
    ['no_response', 20_000, 10_000, 100, 111, 'unknown'],
    ['connection_refused', 6_000, 30_000, 1, 5_000, 'down'],
  ])(
    '%s after %i of %i ms with %i stalls of %i ms is %s',
    (code, elapsedMs, timeoutMs, count, each, vote) => {
      const time = { elapsedMs, timeoutMs };
      const saw = discountStalls(failed(code), stalls(count, each), time);
      expect([saw.vote, saw.failure!.code]).toEqual([
        vote,
        vote === 'down' ? code : 'probe_lagged',
      ]);
    },
  );

  test.each([1_000, 5_000, 10_000, 20_000, 27_000, 30_000, 60_000])(
    'a process that stalls for 300 ms every 20 s sees silence of %i ms as down where it lasts long enough to tell',
    (timeoutMs) => {
      for (let phase = 0; phase < 20_000; phase += 250) {
        const count = Math.floor((phase + timeoutMs) / 20_000);
        const time = { elapsedMs: timeoutMs, timeoutMs };
        const { vote } = discountStalls(failed('no_response'), stalls(count, 300), time);
        // A check of a second is unreliable if it has a stall, and 19 of 20 have none.
        expect(vote).toBe(timeoutMs < 3_000 && count > 0 ? 'unknown' : 'down');
      }
    },
  );
});

describe('timings of a response while the process was stalled', () => {
  test.each([
    [400, 10_000, 0, 0, true],
    [400, 10_000, 1, 200, true],
    [700, 10_000, 1, 300, false],
    [700, 1_000, 1, 150, false],
    [25_000, 30_000, 1, 300, true],
    [25_000, 30_000, 1, 2_600, false],
    [5_000, 10_000, 6, 180, false],
  ])(
    '%i of %i ms with %i stalls of %i ms: kept %s',
    (elapsedMs, timeoutMs, count, each, isKept) => {
      const saw = discountStalls(up, stalls(count, each), { elapsedMs, timeoutMs });
      expect(saw.vote).toBe('up');
      expect(saw.responseTimeMs).toBe(isKept ? 400 : null);
    },
  );
});
