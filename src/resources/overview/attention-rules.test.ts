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
    id: 7,
    type: 'uptime',
    severity: 'critical',
    rootCause: 'HTTP 503 Service Unavailable',
    startedAt: NOW - HOUR,
    acknowledgedAt: null,
    monitor: SHOP,
  };
  const certificate: Expiration = {
    kind: 'ssl',
    monitor: SHOP,
    target: 'shop.example.com:443',
    expiresAt: NOW + 5 * DAY + HOUR,
    knownAt: NOW,
    createdAt: NOW,
    thresholdDays: 14,
  };
  const unchecked = { checkInterval: 5, lastCheckedAt: NOW - HOUR, createdAt: NOW };
  const domain = { page: 'Acme', domain: 'status.acme.example', error: 'No record.' };

  test.each<[AttentionItem, AttentionItem['severity'], string]>([
    [incidentItem(incident, false), 'critical', 'Shop: HTTP 503 Service Unavailable.'],
    [
      incidentItem({ ...incident, severity: 'warning' }, true),
      'warning',
      'Shop: HTTP 503 Service Unavailable (in maintenance).',
    ],
    [
      incidentItem({ ...incident, severity: 'info', rootCause: 'A person saw it.' }, false),
      'info',
      'Shop: A person saw it.',
    ],
    [
      incidentItem({ ...incident, rootCause: null }, false),
      'critical',
      'Shop: An incident is open.',
    ],
    [
      expirationItem(certificate, NOW),
      'warning',
      'Shop: the TLS certificate of shop.example.com:443 expires in 5 days, on 2030-01-06.',
    ],
    [
      expirationItem({ ...certificate, expiresAt: NOW + DAY }, NOW),
      'warning',
      'Shop: the TLS certificate of shop.example.com:443 expires in 1 day, on 2030-01-02.',
    ],
    [
      expirationItem({ ...certificate, expiresAt: NOW + 1 }, NOW),
      'warning',
      'Shop: the TLS certificate of shop.example.com:443 expires in less than a day, on 2030-01-01.',
    ],
    [
      expirationItem(
        { ...certificate, kind: 'domain', target: 'example.com', expiresAt: NOW },
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
      pausedItem({ monitor: SHOP, changedAt: NOW - 8 * DAY }),
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
      failingDomainItem({ ...domain, failingSince: NOW, isServed: true }),
      'warning',
      'The domain status.acme.example of the status page Acme could not be verified. No record.',
    ],
    [
      failingDomainItem({ ...domain, failingSince: null, isServed: false }),
      'info',
      'The domain status.acme.example of the status page Acme could not be verified. No record.',
    ],
    [
      endpointItem({ name: 'Chat', reason: 'It answered 410.', changedAt: NOW }),
      'warning',
      'The webhook endpoint Chat was deactivated. It answered 410.',
    ],
    [
      channelItem({ name: 'Ops', type: 'slack', failures: 4, failingSince: NOW, isOfTeam: true }),
      'warning',
      'The alert channel Ops keeps failing: 4 attempts in a row did not arrive.',
    ],
    [
      channelItem({ name: 'ntfy', type: 'ntfy', failures: 3, failingSince: NOW, isOfTeam: false }),
      'warning',
      'Your notification channel ntfy keeps failing: 3 attempts in a row did not arrive.',
    ],
  ])('%#', (found, severity, text) => {
    expect([found.severity, found.text]).toEqual([severity, text]);
  });

  it('counts an expiring certificate from its threshold, and an expired one from its expiry', () => {
    const { since } = expirationItem(certificate, NOW);
    expect(since).toBe(certificate.expiresAt - 14 * DAY);
    expect(expirationItem({ ...certificate, expiresAt: NOW - 1 }, NOW).since).toBe(NOW - 1);
  });
});

describe('a monitor in an item', () => {
  const nameOf = (changes: Partial<typeof SHOP>) =>
    pausedItem({ monitor: { ...SHOP, ...changes } as typeof SHOP, changedAt: NOW }).monitor;

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
