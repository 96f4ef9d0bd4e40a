import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_TIMINGS, unknownResult, type CheckResult } from '../../../model/check.ts';
import type { InspectionResult } from '../../../model/inspection.ts';
import type { MachineReport } from '../../../model/machine.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';
import { readAnswer, writeAnswer } from './answers.ts';

const CHECK: ProbeRequest = { type: 'port', monitorId: 1, timeoutMs: 5_000, host: 'a', port: 1 };
const MACHINE: ProbeRequest = { kind: 'machine', timeoutMs: 2_500 };
const SSL: ProbeRequest = { kind: 'ssl', timeoutMs: 2_500, host: 'a', port: 443 };
const DNS: ProbeRequest = { kind: 'dns', timeoutMs: 2_500, host: 'a' };
const DOMAIN: ProbeRequest = { kind: 'domain', timeoutMs: 2_500, domain: 'a.example' };

const NOW = { receivedAt: 0, answeredAt: 0 };

/** The probe received the request at 1,000 by its clock, which is 50,000 by ours. */
function sent(request: ProbeRequest, answer: ProbeAnswer): ProbeAnswer | null {
  const travel = { receivedAt: 50_000.4, answeredAt: 50_500 };
  return readAnswer(request, JSON.parse(JSON.stringify(writeAnswer(answer, 1_000))), travel);
}

const UP: CheckResult = {
  vote: 'up',
  failure: null,
  responseTimeMs: 12.5,
  statusCode: 200,
  timings: { dnsMs: 1, tcpMs: 2, tlsMs: null, ttfbMs: 3, totalMs: 12.5 },
  remoteAddress: '192.0.2.1',
  evidence: null,
};
const DOWN: CheckResult = {
  ...UP,
  vote: 'down',
  failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
  statusCode: 503,
  evidence: {
    statusLine: 'HTTP/1.1 503 Service Unavailable',
    headers: { server: 'nginx' },
    body: 'sorry',
    redirects: ['https://example.com/'],
    tls: {
      protocol: 'TLSv1.3',
      subject: 'example.com',
      issuer: 'R3',
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2026-12-31T00:00:00.000Z',
      cipher: 'TLS_AES_128_GCM_SHA256',
      chain: [{ subject: 'R3', issuer: 'Root', validTo: null }],
    },
  },
  content: { kind: 'keyword', passed: false, outcomes: [{ passed: false, text: 'not found' }] },
  families: { ipv4: null, ipv6: { code: 'host_unreachable', text: 'No route' } },
};

describe('answers that probes give', () => {
  const checks: [string, CheckResult][] = [
    ['up', UP],
    ['up, on the link, of one family', { ...UP, isOnLink: true, hasOneFamily: true }],
    [
      'up with a faulty certificate',
      { ...UP, certificateFault: { code: 'tls_expired', text: 'x' } },
    ],
    ['down with evidence', DOWN],
    ['unknown', unknownResult('probe_lagged', 'The probe was busy')],
  ];
  test.each(checks)('a check that is %s', (_what, result) => {
    expect(sent(CHECK, result)).toEqual(result);
  });

  test('times of the first packet are moved to our clock', () => {
    expect(sent(CHECK, { ...UP, sentAt: 1_012 })).toEqual({ ...UP, sentAt: 50_012 });
    expect(sent(CHECK, { ...DOWN, sentAt: 1_012 })).toEqual({ ...DOWN, sentAt: 50_012 });
    // By a clock that was set ahead, or back, in between.
    expect(sent(CHECK, { ...UP, sentAt: 9_999_999 })).toEqual({ ...UP, sentAt: 50_500 });
    expect(sent(CHECK, { ...DOWN, sentAt: 400 })).toEqual({ ...DOWN, sentAt: 50_000 });
  });

  const report: MachineReport = {
    ipv4: 'works',
    ipv6: 'broken',
    gateway: 'unknown',
    resolver: 'works',
    gatewayAddress: null,
    resolverAddress: '192.0.2.53',
  };
  const records = { A: ['192.0.2.1'], AAAA: [], CNAME: [], MX: [], NS: [], TXT: ['x'], SOA: [] };
  const inspections: [ProbeRequest, InspectionResult | MachineReport][] = [
    [MACHINE, report],
    [MACHINE, { state: 'unknown', reason: 'No probe is running' }],
    [DNS, { state: 'known', facts: { records, source: 'authoritative', server: '192.0.2.53' } }],
    [DNS, { state: 'failed', failure: { code: 'dns_not_found', text: 'No such name' } }],
    [
      DOMAIN,
      {
        state: 'known',
        facts: { expiresAt: 1, registrar: null, statuses: ['active'], source: 'rdap', server: 'a' },
      },
    ],
    [DOMAIN, { state: 'unknown', reason: 'The registry is busy', retryAfterMs: 1_000 }],
    [
      SSL,
      {
        state: 'known',
        facts: {
          address: '192.0.2.1',
          protocol: 'TLSv1.3',
          cipher: null,
          certificate: {
            fingerprint: 'ab'.repeat(32),
            serialNumber: '01',
            subject: 'a',
            issuer: null,
            names: ['a'],
            validFrom: 1,
            validTo: 2,
            keyType: 'ec',
            keyBits: null,
          },
          chain: [{ subject: 'R3', issuer: 'Root', validTo: 3, isSpare: true }],
          fault: { code: 'tls_untrusted', text: 'self-signed' },
          ocsp: { status: 'good', producedAt: 1, nextUpdate: null },
        },
      },
    ],
  ];
  test.each(inspections)('%j gets %j', (request, answer) => {
    expect(sent(request, answer)).toEqual(answer);
  });
});

describe('answers of other releases', () => {
  test('fields and values that this one does not know are dropped', () => {
    const plain = [200, 1, null, null, null, null, 1, null, null, 0, 'later', 7];
    expect(readAnswer(CHECK, plain, NOW)).toMatchObject({ vote: 'up', statusCode: 200 });
    expect(readAnswer(CHECK, { ...DOWN, later: 1 }, NOW)).toEqual(DOWN);
  });

  test('a failure of an unknown code becomes a general one', () => {
    const failed = { ...DOWN, failure: { code: 'quic_refused', text: 'QUIC was refused' } };
    expect(readAnswer(CHECK, failed, NOW)).toMatchObject({
      vote: 'down',
      failure: { code: 'connection_failed', text: 'QUIC was refused' },
    });
    const unknown = {
      ...unknownResult('no_probe', 'x'),
      failure: { code: 'probe_moved', text: 'x' },
    };
    expect(readAnswer(CHECK, unknown, NOW)).toMatchObject({ failure: { code: 'probe_error' } });
  });
});

test('texts lose what a database refuses', () => {
  const failed = { ...DOWN, failure: { code: 'http_status', text: 'a\0b\ud800' } };
  expect(readAnswer(CHECK, failed, NOW)).toMatchObject({ failure: { text: 'ab\ufffd' } });
});

describe('what is no answer is refused', () => {
  const refused: [string, unknown][] = [
    ['nothing', null],
    ['up with a failure', { ...UP, failure: { code: 'no_echo', text: 'x' } }],
    ['down without one', { ...DOWN, failure: null }],
    ['a vote of its own', { ...UP, vote: 'maybe' }],
    ['a negative time', { ...UP, responseTimeMs: -1 }],
    ['a time that is none', { ...UP, timings: { ...NO_TIMINGS, dnsMs: '1' } }],
    ['a short list', [200, 1]],
    ['a status that is no whole number', [200.5, 1, null, null, null, null, 1, null, null, 0]],
    ['a time beyond all bounds', { ...UP, responseTimeMs: 1e12 }],
    ['a status beyond all bounds', { ...UP, statusCode: 1e9 }],
    ['a list of texts', ['200', '1', null, null, null, null, null, null, null, 0]],
    ['a long address', [200, 1, null, null, null, null, 1, 'x'.repeat(1_000), null, 0]],
    ['a long body', { ...DOWN, evidence: { ...DOWN.evidence, body: 'x'.repeat(100_000) } }],
    ['a long text', { ...DOWN, failure: { code: 'http_status', text: 'x'.repeat(10_000) } }],
    ['an inspection', { state: 'unknown', reason: 'x' }],
  ];
  test.each(refused)('%s', (_what, value) => {
    expect(readAnswer(CHECK, value, NOW)).toBeNull();
  });

  test('facts of another kind', () => {
    const domain = { expiresAt: 1, registrar: null, statuses: [], source: 'rdap', server: 'a' };
    expect(readAnswer(SSL, { state: 'known', facts: domain }, NOW)).toBeNull();
    expect(readAnswer(MACHINE, { state: 'known', facts: domain }, NOW)).toBeNull();
  });

  test('any JSON, without an exception', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(CHECK, MACHINE, SSL, DNS, DOMAIN),
        (value, request) => {
          const answer = readAnswer(request, value, NOW);
          if (answer !== null) expect(typeof answer).toBe('object');
        },
      ),
    );
  });
});
