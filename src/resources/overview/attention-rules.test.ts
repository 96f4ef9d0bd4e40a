import { describe, expect, it, test } from 'vitest';
import type { OpenIncident } from '../../store/resources/attention.ts';
import type { Expiration } from '../../store/resources/expirations.ts';
import {
  byUrgency,
  channelItem,
  deadRegions,
  endpointItem,
  expirationItem,
  failingDomainItem,
  incidentItem,
  pausedItem,
  regionItem,
  uncheckedItem,
  type AttentionItem,
} from './attention-rules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2030, 0, 1, 12);
const SHOP = { id: 1, name: 'Shop', url: 'https://shop.example.com', type: 'http' };

const item = (changes: Partial<AttentionItem>): AttentionItem => ({
  kind: 'incident',
  severity: 'critical',
  text: '',
  since: NOW,
  monitor: null,
  incidentId: null,
  acknowledgedAt: null,
  ...changes,
});

test('items are ordered by severity, acknowledgement, kind, age and ids [47.1]', () => {
  const ordered = [
    item({ text: 'oldest', since: NOW - 2 }),
    item({ text: 'older', since: NOW - 1, incidentId: 1 }),
    item({ text: 'as old, made later', since: NOW - 1, incidentId: 2 }),
    item({ text: 'of unknown age', since: null }),
    item({ text: 'a region', kind: 'region', since: NOW - DAY }),
    item({ text: 'a certificate', kind: 'certificate', since: NOW - 9 * DAY }),
    item({ text: 'acknowledged', since: NOW - DAY, acknowledgedAt: NOW }),
    item({ text: 'a warning', severity: 'warning', since: NOW - 9 * DAY }),
    item({ text: 'an acknowledged warning', severity: 'warning', acknowledgedAt: NOW }),
    item({ text: 'an incident to know of', severity: 'info' }),
    item({ text: 'paused', kind: 'paused', severity: 'info', since: NOW - 9 * DAY }),
  ];
  const sorted = ordered.toReversed().toSorted(byUrgency);
  expect(sorted.map(({ text }) => text)).toEqual(ordered.map(({ text }) => text));
});

describe('the sentence and severity of an item', () => {
  const incident: OpenIncident = {
    ...SHOP,
    incident_id: 7,
    severity: 'critical',
    root_cause: 'HTTP 503 Service Unavailable',
    started_at: NOW - HOUR,
    acknowledged_at: null,
  };
  const certificate: Expiration = {
    ...SHOP,
    kind: 'ssl',
    target: 'shop.example.com:443',
    expires_at: NOW + 5 * DAY + HOUR,
    known_at: NOW,
    created_at: NOW,
    threshold_days: 14,
  };
  const unchecked = { checkInterval: 5, lastCheckedAt: NOW - HOUR, createdAt: NOW };
  const domain = {
    name: 'Acme',
    custom_domain: 'status.acme.example',
    domain_error: 'No record.',
    domain_failing_since: null,
    domain_verified_at: null,
  };

  test.each<[AttentionItem, AttentionItem['severity'], string]>([
    [incidentItem(incident, false), 'critical', 'Shop: HTTP 503 Service Unavailable.'],
    [
      incidentItem({ ...incident, severity: 'warning' }, true),
      'warning',
      'Shop: HTTP 503 Service Unavailable (in maintenance).',
    ],
    [
      incidentItem({ ...incident, severity: 'info', root_cause: 'A person saw it.' }, false),
      'info',
      'Shop: A person saw it.',
    ],
    [
      incidentItem({ ...incident, root_cause: null }, false),
      'critical',
      'Shop: An incident is open.',
    ],
    [
      expirationItem(certificate, NOW),
      'warning',
      'Shop: the TLS certificate of shop.example.com:443 expires in 5 days, on 2030-01-06.',
    ],
    [
      expirationItem({ ...certificate, expires_at: NOW + DAY }, NOW),
      'warning',
      'Shop: the TLS certificate of shop.example.com:443 expires in 1 day, on 2030-01-02.',
    ],
    [
      expirationItem({ ...certificate, expires_at: NOW + 1 }, NOW),
      'warning',
      'Shop: the TLS certificate of shop.example.com:443 expires in less than a day, on 2030-01-01.',
    ],
    [
      expirationItem(
        { ...certificate, kind: 'domain', target: 'example.com', expires_at: NOW },
        NOW,
      ),
      'critical',
      'Shop: the registration of example.com expired on 2030-01-01.',
    ],
    [
      uncheckedItem(unchecked, SHOP),
      'warning',
      'Shop was last checked on 2030-01-01 at 11:00 UTC, although a check is due every 5 minutes.',
    ],
    [
      uncheckedItem({ ...unchecked, checkInterval: 1, lastCheckedAt: null }, SHOP),
      'warning',
      'Shop was created on 2030-01-01 at 12:00 UTC and never checked, although a check is due every minute.',
    ],
    [
      uncheckedItem({ ...unchecked, checkInterval: 0.5 }, SHOP),
      'warning',
      'Shop was last checked on 2030-01-01 at 11:00 UTC, although a check is due every 30 seconds.',
    ],
    [
      pausedItem({ ...SHOP, updated_at: NOW - 8 * DAY }),
      'info',
      'Shop is paused, and was last changed on 2029-12-24.',
    ],
    [
      regionItem({ code: 'ash', lastSeenAt: null, monitors: 3, unchecked: 1 }),
      'critical',
      'The region ash has no live probe: 1 monitor is not checked at all.',
    ],
    [
      regionItem({ code: 'ash', lastSeenAt: NOW, monitors: 3, unchecked: 0 }),
      'warning',
      'The region ash has no live probe: 3 monitors are checked from other regions alone.',
    ],
    [
      failingDomainItem({ ...domain, domain_verified_at: NOW }),
      'warning',
      'The domain status.acme.example of the status page Acme could not be verified. No record.',
    ],
    [
      failingDomainItem(domain),
      'info',
      'The domain status.acme.example of the status page Acme could not be verified. No record.',
    ],
    [
      endpointItem({ name: 'Chat', deactivated_reason: 'It answered 410.', updated_at: NOW }),
      'warning',
      'The webhook endpoint Chat was deactivated. It answered 410.',
    ],
    [
      channelItem({ name: 'Ops', type: 'slack', failures: 4, failing_since: NOW, team_id: 1 }),
      'warning',
      'The alert channel Ops keeps failing: 4 attempts in a row did not arrive.',
    ],
    [
      channelItem({ name: 'ntfy', type: 'ntfy', failures: 3, failing_since: NOW, team_id: null }),
      'warning',
      'Your notification channel ntfy keeps failing: 3 attempts in a row did not arrive.',
    ],
  ])('%#', (found, severity, text) => {
    expect([found.severity, found.text]).toEqual([severity, text]);
  });

  it('counts an expiring certificate from its threshold, and an expired one from its expiry', () => {
    const { since } = expirationItem(certificate, NOW);
    expect(since).toBe(certificate.expires_at - 14 * DAY);
    expect(expirationItem({ ...certificate, expires_at: NOW - 1 }, NOW).since).toBe(NOW - 1);
  });
});

describe('a monitor in an item', () => {
  const nameOf = (changes: Partial<typeof SHOP>) =>
    pausedItem({ ...SHOP, ...changes, updated_at: NOW }).monitor;

  test.each([
    [{}, { id: 1, name: 'Shop', url: SHOP.url }],
    [{ name: null as unknown as string }, { id: 1, name: SHOP.url, url: SHOP.url }],
    [{ type: 'heartbeat' }, { id: 1, name: 'Shop', url: null }],
    [
      { type: 'cron', name: null as unknown as string },
      { id: 1, name: '#1', url: null },
    ],
  ])('%j [47.8]', (changes, named) => {
    expect(nameOf(changes)).toEqual(named);
  });
});

test('regions without a probe are counted with the monitors that miss them [47.5]', () => {
  const uses = [
    { regions: ['ash', 'pdx'], monitors: 5 },
    { regions: ['ash'], monitors: 2 },
    { regions: ['nbg'], monitors: 1 },
    { regions: ['ash', 'sin'], monitors: 3 },
  ];
  const dead = new Map([
    ['ash', NOW - HOUR],
    ['sin', null],
    ['mars', null],
  ]);
  expect(deadRegions(dead, uses)).toEqual([
    { code: 'ash', lastSeenAt: NOW - HOUR, monitors: 10, unchecked: 5 },
    { code: 'sin', lastSeenAt: null, monitors: 3, unchecked: 3 },
  ]);
  expect(deadRegions(new Map(), uses)).toEqual([]);
});
