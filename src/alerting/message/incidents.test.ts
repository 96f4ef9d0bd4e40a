import { describe, expect, test } from 'vitest';
import { causesOf, type CauseQuestion } from '../policy/storms.ts';
import { messageIncidentOf, type IncidentFacts } from './content.ts';

const NOW = Date.UTC(2030, 0, 10, 12);
const seen = (region: string | null, totalMs: number | null, more: object = {}) =>
  JSON.stringify({
    region,
    failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
    checkedAt: NOW,
    attempts: [NOW],
    timings: { dnsMs: null, tcpMs: null, tlsMs: null, ttfbMs: null, totalMs },
    statusCode: 503,
    remoteAddress: '203.0.113.7',
    answer: null,
    ...more,
  });
const FACTS: IncidentFacts = {
  incident: {
    id: 3,
    monitor_id: 7,
    type: 'uptime',
    severity: 'critical',
    root_cause: 'HTTP 503 Service Unavailable',
    region: null,
    started_at: NOW - 60_000,
    ended_at: null,
    acknowledged_at: null,
  },
  incidentId: 3,
  monitorId: 7,
  monitor: { type: 'http', name: null, url: 'https://shop.example' },
  evidence: [seen('ash', 119.6), seen('sin', 240), seen('pdx', 80, { failure: null })],
  ending: null,
};
const of = (more: Partial<IncidentFacts> = {}) => messageIncidentOf({ ...FACTS, ...more }, NOW);
const ended = { ...FACTS.incident!, ended_at: NOW };

/** Evidence of one machine for three regions; the fourth had no probe. */
const from = (vantage: string) => [
  seen('ash', 119.6, { vantage }),
  seen('sin', 240, { vantage }),
  seen('pdx', 80, { vantage, failure: null }),
  seen('nbg', null, { failure: { code: 'no_probe', text: 'No probe is running' } }),
];

const endedBy = (reason: string | null, person: string | null = null) =>
  ({ incident: ended, ending: { reason, person } }) as Partial<IncidentFacts>;

describe('an incident in a message', () => {
  test('shows what was seen, those that saw the same together, and the cause once', () => {
    expect(of()).toMatchObject({
      name: 'https://shop.example',
      regions: ['ash', 'sin'],
      vantage: null,
      evidence: 'ash, sin failed at 203.0.113.7 after 120 to 240 ms',
    });
  });

  test('names only regions that voted [33.17]', () => {
    const unknown = (region: string, code: string) =>
      seen(region, null, { failure: { code, text: 'Nothing is known' }, remoteAddress: null });
    const evidence = [
      seen('ash', 119.6),
      unknown('nbg', 'no_probe'),
      unknown('pdx', 'probe_lagged'),
      unknown('sin', 'probe_no_network'),
    ];
    expect(of({ evidence })).toMatchObject({
      regions: ['ash'],
      evidence: 'ash failed at 203.0.113.7 after 120 ms',
    });
  });

  test('of one machine counts its checks and names no region [14.17, 14.19]', () => {
    const evidence = from('office').slice(0, 3);
    expect(of({ evidence })).toMatchObject({
      vantage: 'office',
      evidence: '2 of 3 checks failed at 203.0.113.7 after 120 to 240 ms',
    });
    const two = [...from('office').slice(0, 2), ...from('cellar').slice(2, 3)];
    expect(of({ evidence: two })).toMatchObject({ vantage: null, regions: ['ash', 'sin'] });
  });

  test('shows different observations separately', () => {
    const evidence = [seen('ash', 5), seen('sin', null, { remoteAddress: null, statusCode: 502 })];
    expect(of({ evidence }).evidence).toBe(
      'ash failed at 203.0.113.7 after 5 ms; sin failed with HTTP 502',
    );
  });

  test('names an address once', () => {
    const text = 'Connection refused by 203.0.113.7 port 443';
    const failure = { code: 'connection_refused', text } as const;
    expect(of({ evidence: [seen('ash', 5, { failure, statusCode: null })] }).evidence).toBe(
      `ash: ${text}, after 5 ms`,
    );
  });

  test('of an inspection has no region, of a ping no evidence', () => {
    expect(of({ evidence: [seen(null, 5)] })).toMatchObject({
      regions: [],
      evidence: 'Failed at 203.0.113.7 after 5 ms',
    });
    expect(of({ evidence: [] }).evidence).toBe(null);
  });

  test('never shows the url of a push monitor', () => {
    const monitor = { type: 'cron' as const, name: null, url: 'https://up.example/ping/secret' };
    expect(of({ monitor })).toMatchObject({ name: 'Monitor 7', url: null });
  });

  test.for<[string, Partial<IncidentFacts>, string | null]>([
    ['that goes on has no ending', {}, null],
    ['that recovered needs none', endedBy('recovered'), null],
    ['that somebody resolved names them', endedBy(null, 'Ada'), 'Ada resolved the incident'],
    ['whose check was switched off', endedBy('switched_off'), 'The check was switched off'],
    ['whose monitor is gone says so', { monitor: null }, 'The monitor was deleted'],
    ['that is gone says so', { incident: null }, 'The incident was deleted'],
  ])('%s', ([, more, ending]) => {
    const trouble = of(more);
    expect(trouble.ending).toBe(ending);
    expect(trouble.endedAt === null).toBe(ending === null && more.incident === undefined);
  });
});

const one = (code: string, more: object = {}) => ({
  code,
  address: null,
  certificate: null,
  ...more,
});

describe('what incidents may share [32.7]', () => {
  const QUESTION: CauseQuestion = {
    type: 'uptime',
    regions: [],
    vantage: null,
    monitorUrl: 'https://shop.example.co.uk/cart',
    groupName: null,
    seen: [],
  };

  const address = one('no_response', { address: '203.0.113.7' });
  const certificate = { subject: '*.example', validTo: '2030-01-01' };
  const expired = { type: 'ssl', seen: [one('tls_expired', { certificate })] };
  const CERTIFICATE = 'the certificate of *.example, valid until 2030-01-01';
  const oneMachine = { type: 'regional', regions: ['sin'], vantage: 'office' };
  const GROUPED = ['the address 203.0.113.7', 'the group Shop'];
  const SERVERS = ['the name servers of example.co.uk'];
  test.for<[string, Partial<CauseQuestion>, string[]]>([
    ['nothing', {}, []],
    ['addresses, each once', { seen: [address, address] }, ['the address 203.0.113.7']],
    ['a certificate', expired, [CERTIFICATE]],
    ['no certificate of another failure', { seen: [one('http_status', { certificate })] }, []],
    ['name servers, by the registrable domain', { seen: [one('dns_timeout')] }, SERVERS],
    ['a region', { type: 'regional', regions: ['sin'] }, ['the region sin']],
    ['regions', { type: 'regional', regions: ['nbg', 'sin'] }, ['the regions nbg, sin']],
    ['no region where one machine looked for all', oneMachine, []],
    ['a group, last of all', { groupName: 'Shop', seen: [address] }, GROUPED],
    ['no name servers of an address', { monitorUrl: '203.0.113.7', type: 'dns' }, []],
  ])('%s', ([, more, causes]) => expect(causesOf({ ...QUESTION, ...more })).toEqual(causes));
});
