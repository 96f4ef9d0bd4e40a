import { describe, expect, test } from 'vitest';
import {
  daysOf,
  incidentFacts,
  PAGE_NOW as NOW,
  pageFacts,
  serviceFacts,
} from '../../../test/support/page-facts.ts';
import type { Display, ServiceFacts } from '../facts/model.ts';
import { pageView } from './view.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const viewOf = (service: ServiceFacts) =>
  pageView(pageFacts([service]), NOW).groups[0]!.services[0]!;

const textsOf = (table: ReturnType<typeof viewOf>['table']) =>
  table.map(({ dayClass, days }) => ({ dayClass, days: days.map(({ text }) => text).join('') }));

describe('a service', () => {
  test.each<[string, Partial<ServiceFacts>, string, string]>([
    ['up', {}, 'up', 'Up'],
    ['down', { status: 'offline', statusSince: NOW - 14 * MINUTE }, 'down', 'Down for 14 min'],
    [
      'down, and for a while not observed',
      { status: 'offline', statusSince: NOW - 14 * MINUTE, statusUnobservedMs: 10 * MINUTE },
      'down',
      'Down for 4 min',
    ],
    ['down since its creation', { status: 'offline', statusSince: null }, 'down', 'Down'],
    [
      'degraded',
      { status: 'degraded', statusSince: NOW - 26 * HOUR },
      'degraded',
      'Degraded for 1 day 2 h',
    ],
    [
      'in maintenance until today',
      { maintenanceUntil: NOW + 44 * MINUTE },
      'maintenance',
      'Maintenance until 15:00 UTC',
    ],
    [
      'in maintenance until tomorrow',
      { maintenanceUntil: NOW + DAY },
      'maintenance',
      'Maintenance until 23 Nov 2026, 14:16 UTC',
    ],
    [
      'not observed',
      { observedUntil: NOW - 12 * MINUTE, status: 'offline' },
      'unknown',
      'Not observed since 14:04 UTC, last known: down',
    ],
    [
      'pending',
      { status: 'pending', observedUntil: null },
      'unknown',
      'Waiting for the first check',
    ],
    ['paused', { isPaused: true }, 'paused', 'Paused'],
  ])('%s says so [42.31]', (_name, changes, tone, status) => {
    expect(viewOf(serviceFacts('A', changes))).toMatchObject({ tone, status });
  });

  test.each<[Partial<ServiceFacts>, string | null, string | null]>([
    [{ uptimePercent: 99.87, observedPercent: 95.6 }, '99.87% up', '95.6% observed'],
    [{ uptimePercent: 99.87, observedPercent: 99.49 }, '99.87% up', '99.49% observed'],
    [{ uptimePercent: 99.87, observedPercent: 99.5 }, '99.87% up', null],
    [{ uptimePercent: null, observedPercent: null }, 'No figure yet', null],
  ])('%j has its uptime with the observed share [42.34]', (changes, uptime, observed) => {
    expect(viewOf(serviceFacts('A', changes))).toMatchObject({ uptime, observed });
  });

  test('shows no figures where the page shows none, except as its display [42.34]', () => {
    const settings = {
      show_uptime_percentage: false,
      show_response_time: false,
      show_incident_history: true,
      custom_css: null,
    };
    const services = (['bar', 'figure', 'response_time'] as const).map((display) =>
      serviceFacts('A', { display, responseTimeMs: 142.4 }),
    );
    const view = pageView(pageFacts(services, { page: { settings } }), NOW);
    expect(
      view.groups[0]!.services.map(({ uptime, responseTime }) => [uptime, responseTime]),
    ).toEqual([
      [null, null],
      ['100% up', null],
      [null, 'Responds in 142 ms'],
    ]);
  });

  test.each<[isShown: boolean, display: Display, hasCorrections: boolean]>([
    [true, 'bar', true],
    [false, 'bar', false],
    [false, 'figure', true],
    [false, 'response_time', false],
  ])(
    'has its corrections told where its uptime is shown: by the page %s, as %s [42.9, 42.34]',
    (isShown, display, hasCorrections) => {
      const { settings } = pageFacts([]).page;
      const corrected = serviceFacts('A', {
        display,
        uncorrected: { uptimePercent: 98, observedPercent: 90 },
      });
      const page = { settings: { ...settings, show_uptime_percentage: isShown } };
      const view = pageView(pageFacts([corrected], { page }), NOW);
      expect(view.hasCorrections).toBe(hasCorrections);
    },
  );

  test('the table names the days of each class, with their downtime [42.33]', () => {
    const happened = {
      0: { downMs: 14 * MINUTE },
      28: { downMs: 62 * MINUTE },
      30: { degradedMs: HOUR },
      31: { degradedMs: HOUR },
      40: { degradedMs: HOUR },
      54: { excludedMs: HOUR },
      88: { unobservedMs: DAY },
      89: { unobservedMs: DAY },
    };
    const { table, hasUpDays } = viewOf(serviceFacts('A', { days: daysOf({ happened }) }));
    expect(textsOf(table)).toEqual([
      { dayClass: 'down', days: '25 Oct (1 h 2 min), 22 Nov (14 min)' },
      { dayClass: 'degraded', days: '13 Oct, 22 Oct to 23 Oct' },
      { dayClass: 'maintenance', days: '29 Sept' },
      { dayClass: 'unobserved', days: '25 Aug to 26 Aug' },
    ]);
    expect(hasUpDays).toBe(true);
  });

  test('the downtime of many days is shown in total [42.33]', () => {
    const happened = Object.fromEntries(
      Array.from({ length: 90 }, (_, ago) => [ago, { downMs: HOUR }]),
    );
    const { table, hasUpDays } = viewOf(serviceFacts('A', { days: daysOf({ happened }) }));
    expect(textsOf(table)).toEqual([
      { dayClass: 'down', days: '25 Aug to 22 Nov (in total 3 days 18 h)' },
    ]);
    expect(hasUpDays).toBe(false);
  });
});

const observed = (...shares: number[]) => {
  const view = pageView(
    pageFacts(shares.map((observedPercent) => serviceFacts('A', { observedPercent }))),
    NOW,
  );
  return [view.observed, ...view.groups[0]!.services.map((service) => service.observed)];
};

describe('the observed share', () => {
  test.each<[shares: number[], expected: (string | null)[]]>([
    [
      [99.3, 99.3, 99.3],
      ['99.3% observed', null, null, null],
    ],
    [
      [99.3, 99.3, 87],
      ['99.3% observed', null, null, '87% observed'],
    ],
    [
      [99.3, 99.3, 100],
      ['99.3% observed', null, null, '100% observed'],
    ],
    [
      [99.3, 87],
      [null, '99.3% observed', '87% observed'],
    ],
    [
      [99.3, 100, 100],
      [null, '99.3% observed', null, null],
    ],
  ])('of %j is said once where most have it [42.34]', (shares, expected) => {
    expect(observed(...shares)).toEqual(expected);
  });
});

describe('a group', () => {
  const up = serviceFacts('A');
  const down = serviceFacts('A', { status: 'offline' });
  const unseen = serviceFacts('A', { observedUntil: NOW - HOUR });
  const inMaintenance = serviceFacts('A', { maintenanceUntil: NOW + HOUR });
  const paused = serviceFacts('A', { isPaused: true });
  test.each<[ServiceFacts[], string, string]>([
    [[up, up], 'up', 'All up'],
    [[up, down, unseen, down], 'down', '2 down'],
    [[serviceFacts('A', { status: 'degraded' }), unseen], 'degraded', '1 degraded'],
    [[up, unseen, inMaintenance], 'unknown', '1 not observed'],
    [[up, inMaintenance], 'maintenance', '1 under maintenance'],
    [[up, paused], 'paused', 'Paused'],
  ])('of %# tells its worst [42.31]', (services, tone, text) => {
    const view = pageView(pageFacts([], { groups: [{ name: 'G', services }] }), NOW);
    expect(view.groups[0]!.summary).toEqual({ tone, text });
  });
});

const openGroups = (...groups: ServiceFacts[][]) =>
  pageView(
    pageFacts([], { groups: groups.map((of) => ({ name: 'G', services: of })) }),
    NOW,
  ).groups.map(({ isOpen }) => isOpen);

test('groups in which all is well are folded on a page of more than 12 services [42.59]', () => {
  const services = Array.from({ length: 6 }, () => serviceFacts('A'));
  const down = serviceFacts('B', { status: 'offline' });
  expect(openGroups(services, services)).toEqual([true, true]);
  expect(openGroups(services, [...services, down])).toEqual([false, true]);
});

const text = (date: number) => new Date(date).toISOString().slice(5, 10);

const ended = (id: number, daysAgo: number) =>
  incidentFacts({
    id,
    state: 'resolved',
    startedAt: NOW - daysAgo * DAY - HOUR,
    endedAt: NOW - daysAgo * DAY,
  });

const maintenance = (id: number, startedAt: number) =>
  incidentFacts({ id, kind: 'maintenance', impact: 'none', state: 'scheduled', startedAt });

const spansOf = (...services: ServiceFacts[]) =>
  pageView(pageFacts(services), NOW).past.map(({ from, to }) => [text(from), text(to)]);

const pastOf = (announcements: ReturnType<typeof ended>[], timezone = 'UTC') =>
  pageView(pageFacts([], { announcements, page: { timezone } }), NOW).past.map(
    ({ from, to, announcements: found }) => [text(from), text(to), found.map(({ id }) => id)],
  );

describe('announcements', () => {
  test('of the past stand on the day of their end; free days are one entry [42.41]', () => {
    expect(pastOf([ended(1, 2), ended(2, 2), ended(3, 4)])).toEqual([
      ['11-21', '11-22', []],
      ['11-20', '11-20', [1, 2]],
      ['11-19', '11-19', []],
      ['11-18', '11-18', [3]],
      ['11-08', '11-17', []],
    ]);
  });

  test('that are open keep their days from being called free [42.41]', () => {
    const open = incidentFacts({ startedAt: NOW - 2 * DAY });
    expect(pastOf([open, ended(3, 1)])).toEqual([
      ['11-21', '11-21', [3]],
      ['11-08', '11-19', []],
    ]);
  });

  test('a day on which something was down or degraded, or nothing was observed, is not called free of incidents', () => {
    const shop = serviceFacts('Shop', {
      days: daysOf({ happened: { 0: { downMs: 60_000 }, 1: { degradedMs: 60_000 } } }),
    });
    const unknown = Object.fromEntries(
      Array.from({ length: 90 - 5 }, (_, ago) => [ago + 5, { unobservedMs: DAY }]),
    );
    const young = serviceFacts('API', { days: daysOf({ happened: unknown }) });
    expect(spansOf(shop, young)).toEqual([['11-08', '11-20']]);
    expect(spansOf(young)).toEqual([['11-18', '11-22']]);
    const before = serviceFacts('Mail', { days: daysOf({ happened: { 5: { downMs: 60_000 } } }) });
    expect(spansOf(before)).toEqual([
      ['11-18', '11-22'],
      ['11-08', '11-16'],
    ]);
    expect(spansOf(serviceFacts('Old'))).toEqual([['11-08', '11-22']]);
  });

  test('days are those of the zone, without one that it left out [42.32]', () => {
    const now = Date.parse('2011-12-31T12:00:00Z');
    const facts = pageFacts([], { page: { timezone: 'Pacific/Apia' } });
    const past = pageView({ ...facts, readAt: now }, now).past;
    expect(past.map(({ from, to }) => [text(from), text(to)])).toEqual([['12-17', '01-01']]);
  });

  test('maintenance is sorted by its beginning, and incidents stay in their order [42.41]', () => {
    const { open, planned } = pageView(
      pageFacts([], {
        announcements: [
          maintenance(1, NOW + 2 * DAY),
          incidentFacts({ id: 2 }),
          maintenance(3, NOW + DAY),
        ],
      }),
      NOW,
    );
    expect([open.map(({ id }) => id), planned.map(({ id }) => id)]).toEqual([[2], [3, 1]]);
  });

  test('a page without history shows none', () => {
    const settings = { ...pageFacts([]).page.settings, show_incident_history: false };
    expect(pageView(pageFacts([], { page: { settings } }), NOW).past).toEqual([]);
  });
});
