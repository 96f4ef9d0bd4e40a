import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FamilyOutcomes } from '../../src/model/check.ts';
import { NOW } from '../support/client.ts';
import { known, openInspectedLine, type InspectedLine } from '../support/inspected-line.ts';
import { checkResult, REFUSED } from '../support/rounds.ts';
import { domainFacts, sslFacts } from '../support/target-facts.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const URL = 'https://www.example.com/shop';

let line: InspectedLine;
beforeEach(async () => void (line = await openInspectedLine()));
afterEach(() => line.close());

const keyword = (phrase: string, mode = 'must_contain') => ({
  keyword_settings: { keywords: [{ phrase, mode }] },
});
const assertion = (value: string) => ({
  json_assertion_settings: { assertions: [{ path: 'status', operator: 'equals', value }] },
});
const endsIn = (days: number, mark?: string) => known<'ssl'>(sslFacts(NOW + days * DAY, mark));

/** A monitor of that url that was seen to be up, with what of it was asked for. */
async function watched(fields: object): Promise<number> {
  return line.watched({ url: URL, ...fields });
}

async function change(id: number, fields: object): Promise<void> {
  const { status, text } = await line.put(`/monitors/${id}`, fields);
  expect(status, text).toBe(200);
}

async function act(path: string): Promise<void> {
  const { status, text } = await line.post(path);
  expect(status, text).toBe(200);
}

describe('content', () => {
  const KINDS = [
    {
      name: 'a phrase that is missing',
      fields: keyword('Welcome'),
      good: '<p>Welcome back</p>',
      bad: '<p>Out of order</p>',
      type: 'keyword',
      cause: 'Keyword "Welcome" is missing',
      events: ['monitor.keyword_missing', 'monitor.keyword_resolved'],
      recovery: 'resolved: The page is as it should be.',
    },
    {
      name: 'a phrase that must not be there',
      fields: keyword('Sold out', 'must_not_contain'),
      good: '<p>In stock</p>',
      bad: '<p>SOLD OUT</p>',
      type: 'keyword',
      cause: 'Keyword "Sold out" was found',
      events: ['monitor.keyword_found', 'monitor.keyword_resolved'],
      recovery: 'resolved: The page is as it should be.',
    },
    {
      name: 'a value that is another one',
      fields: assertion('ok'),
      good: '{"status": "ok"}',
      bad: '{"status": "late"}',
      type: 'json_assertion',
      cause: 'JSON status is "late", expected "ok"',
      events: ['monitor.json_assertion_failed', 'monitor.json_assertion_resolved'],
      recovery: 'resolved: The answer is as it should be.',
    },
  ];

  test.each(KINDS)('$name: down, told with its cause, and over [19.7]', async (kind) => {
    const id = await watched(kind.fields);
    line.show(id, kind.good);
    await line.pass(MINUTE);
    expect(await line.told(id)).toEqual([]);
    line.show(id, kind.bad);
    await line.until(id, 'offline');
    const [incident] = await line.incidentsOf(id);
    expect(incident).toMatchObject({
      type: kind.type,
      severity: 'critical',
      root_cause: kind.cause,
      is_regional: false,
    });
    const { evidence } = (await line.get(`/incidents/${incident!.id}`)).body;
    expect(evidence).toHaveLength(4);
    expect(evidence).toContainEqual(
      expect.objectContaining({ region: 'nbg', status_code: 200, body: kind.bad }),
    );
    line.show(id, kind.good);
    await line.until(id, 'online');
    expect(await line.told(id)).toEqual([`${kind.type} critical resolved`]);
    expect(await line.events()).toEqual(kind.events);
    expect(await line.log(incident!.id)).toEqual([`opened: ${kind.cause}.`, kind.recovery]);
  });
});

describe('a certificate', () => {
  const SSL = { check_types: ['ssl'] };

  test('that expires meanwhile becomes critical: one incident resolves into the other [23.6, 28.7]', async () => {
    line.find({ ssl: endsIn(5) });
    const id = await watched(SSL);
    await line.until(id, 'degraded');
    line.find({ ssl: endsIn(-1) });
    await act(`/monitors/${id}/check`);
    await line.until(id, 'offline');
    expect(await line.told(id)).toEqual(['ssl warning resolved', 'ssl critical open']);
    const [critical, warning] = await line.incidentsOf(id);
    expect(await line.log(warning!.id)).toContain('resolved: It became an invalid certificate.');
    expect((await line.log(critical!.id))[0]).toContain(
      'The expiring certificate became an invalid certificate: TLS certificate expired on',
    );
  });

  test('is judged anew by another threshold [22.5]', async () => {
    line.find({ ssl: endsIn(20) });
    const id = await watched(SSL);
    await line.pass(2 * MINUTE);
    expect(await line.told(id)).toEqual([]);
    await change(id, { ssl_expiry_threshold: 30 });
    await line.until(id, 'degraded');
    await change(id, { ssl_expiry_threshold: 7 });
    await line.until(id, 'online');
  });
});

describe('a registration', () => {
  test.each([
    [10, 'degraded', 'domain warning open', 'monitor.domain_expiring'],
    [-1, 'offline', 'domain critical open', 'monitor.domain_expired'],
  ])(
    'that ends in %i days makes the monitor %s [23.20, 23.21]',
    async (days, status, incident, event) => {
      line.find({ domain: known<'domain'>(domainFacts(NOW + days * DAY)) });
      const id = await watched({ check_types: ['domain'] });
      await line.until(id, status);
      expect(line.asked()).toEqual(['domain example.com', 'domain example.com']);
      expect([await line.told(id), await line.events()]).toEqual([[incident], [event]]);
      await change(id, { check_types: [] });
      await line.until(id, 'online');
      expect((await line.events()).at(-1)).toBe('monitor.domain_resolved');
    },
  );
});

describe('one family of addresses', () => {
  const broken: FamilyOutcomes = { ipv4: null, ipv6: REFUSED };

  test('that does not answer is a warning, only where both are to be checked [15.27]', async () => {
    const careful = await watched({ check_both_families: true });
    const plain = await watched({});
    for (const id of [careful, plain]) {
      line.harness.targets.set(id, () => checkResult('up', { families: broken }));
    }
    await line.until(careful, 'degraded');
    const [incident] = await line.incidentsOf(careful);
    expect(incident).toMatchObject({
      type: 'dual_stack',
      severity: 'warning',
      root_cause: `IPv6 is broken while IPv4 works: ${REFUSED.text}`,
    });
    expect(await line.told(plain)).toEqual([]);
    line.harness.targets.set(careful, () =>
      checkResult('up', { families: { ipv4: null, ipv6: null } }),
    );
    await line.until(careful, 'online');
    expect(await line.events()).toEqual(['monitor.degraded', 'monitor.degraded_resolved']);
  });
});
