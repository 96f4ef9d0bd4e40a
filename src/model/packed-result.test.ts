import { expect, it } from 'vitest';
import { NO_TIMINGS, unknownResult, type CheckResult } from './check.ts';
import { packResult, unpackResult } from './packed-result.ts';

const UP: CheckResult = {
  vote: 'up',
  failure: null,
  responseTimeMs: 4.5,
  statusCode: 204,
  timings: { dnsMs: 0.125, tcpMs: 1, tlsMs: null, ttfbMs: 3, totalMs: 4.5 },
  remoteAddress: '192.0.2.1',
  evidence: null,
};
const REFUSED = { code: 'connection_refused', text: 'Connection refused' } as const;

const RESULTS: [string, CheckResult, isShort: boolean][] = [
  ['up', UP, true],
  ['on this machine', { ...UP, isOnLink: true }, true],
  [
    'of one family, with the time of its first packet',
    { ...UP, hasOneFamily: true, sentAt: 7 },
    true,
  ],
  ['without timings', { ...UP, responseTimeMs: null, timings: NO_TIMINGS }, true],
  ['with both families', { ...UP, families: { ipv4: null, ipv6: REFUSED } }, false],
  ['with a certificate fault', { ...UP, certificateFault: REFUSED }, false],
  ['with content', { ...UP, content: { passed: true, outcomes: [] } as never }, false],
  ['with a field unknown to the list', { ...UP, later: 1 } as CheckResult, false],
  ['down', { ...UP, vote: 'down', failure: REFUSED }, false],
  ['unknown', unknownResult('no_probe', 'No probe'), false],
];

it.each(RESULTS)('is the same on the other side: %s', (_name, result, isShort) => {
  const packed = packResult(result);

  expect(Array.isArray(packed)).toBe(isShort);
  expect(unpackResult(JSON.parse(JSON.stringify(packed)))).toEqual(result);
});
