import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { View } from '../../app/regions.ts';
import type { OverviewMonitor } from '../../app/api.gen.ts';
import { countByStatus, rowsOf } from './rows.ts';
import { groupAside, listOf, subtitle, summary, viewsLabel, whoSees } from './sentences.ts';

const NOW = Date.UTC(2030, 0, 15, 12);
const SECONDS = NOW / 1_000;
const BASE: OverviewMonitor = {
  id: 1,
  name: 'Shop',
  target: 'shop.example.com',
  since: SECONDS - 7_200,
  type: 'http',
  status: 'online',
  bar: 'u',
};
const rows = (...changes: Partial<OverviewMonitor>[]) =>
  rowsOf({ monitors: changes.map((change, index) => ({ ...BASE, id: index + 1, ...change })) });
/** Units have a narrow space before them. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

const down = (name: string) => ({ name, status: 'offline' as const });
const critical = { id: 1, severity: 'critical' as const, cause: null, since: SECONDS, open: 1 };
const unseen = (
  name = 'X',
  status: OverviewMonitor['status'] = 'online',
  incident?: OverviewMonitor['incident'],
) => ({ name, status, observed_until: SECONDS - 120, ...(incident && { incident }) });
const WERE_UP = 'All were up when they were last observed.';

const anyMonitor = fc.record(
  {
    status: fc.constantFrom('online', 'offline', 'degraded', 'pending'),
    is_paused: fc.constant(true as const),
    maintenance_until: fc.constant(SECONDS),
    observed_until: fc.constant(SECONDS - 120),
    incident: fc.constantFrom('critical', 'warning').map((severity) => ({ ...critical, severity })),
  },
  { requiredKeys: ['status'] },
) as fc.Arbitrary<Partial<OverviewMonitor>>;

const slow = (name: string) => ({ name, status: 'degraded' as const });

describe('the head of the list', () => {
  test.each<[Partial<OverviewMonitor>[], string, string, string]>([
    [[{}], 'online', 'Your monitor is up', ''],
    [[{}, {}], 'online', 'All 2 monitors are up', ''],
    [
      [{}, { is_paused: true }, { status: 'pending' }],
      'online',
      'One monitor is up',
      '1 paused, 1 waiting for a first result',
    ],
    [[down('A')], 'offline', 'Your monitor is down', 'A.'],
    [[down('A'), {}], 'offline', '1 of 2 monitors is down', 'A. Everything else is up.'],
    [
      [down('A'), down('B'), slow('C')],
      'offline',
      '2 of 3 monitors are down',
      'A and B. Degraded: C.',
    ],
    [
      [down('A'), down('B'), down('C'), down('D'), down('E')],
      'offline',
      '5 of 5 monitors are down',
      'A, B, C and 2 more.',
    ],
    [
      [down('A'), slow('B'), {}],
      'offline',
      '1 of 3 monitors is down',
      'A. Degraded: B. Everything else is up.',
    ],
    [[slow('A'), {}], 'degraded', '1 of 2 monitors is degraded', 'A. Everything else is up.'],
    [
      [{ status: 'pending' }],
      'pending',
      'One monitor, no result yet',
      '1 waiting for a first result',
    ],
    [
      [{ maintenance_until: SECONDS }],
      'maintenance',
      'Your monitor is in maintenance',
      '1 in maintenance',
    ],
    [
      [{ maintenance_until: SECONDS }, { is_paused: true }],
      'maintenance',
      'Only maintenance right now',
      '1 in maintenance, 1 paused',
    ],
    [[{ is_paused: true }], 'pending', 'One monitor, no result yet', '1 paused'],
    [[unseen()], 'unknown', 'We can’t tell: nothing was observed for 2 min', WERE_UP],
    [
      [unseen(), unseen('A', 'offline', critical), { is_paused: true }],
      'unknown',
      'We can’t tell: nothing was observed for 2 min',
      'Down when last observed: A.',
    ],
    [[{}, unseen('A')], 'unknown', '1 of 2 monitors is not observed', 'A. Everything else is up.'],
    [
      [{}, down('A'), unseen('B')],
      'offline',
      '1 of 3 monitors is down',
      'A. Not observed: B. Everything else is up.',
    ],
    [
      [down('A'), unseen('B'), unseen('C', 'degraded', critical), {}],
      'offline',
      '1 of 4 monitors is down',
      'A. Not observed: C and B. Everything else is up.',
    ],
    [
      [{}, { ...down('A'), is_paused: true, incident: critical }],
      'degraded',
      'One incident is open',
      'Paused: A. Everything else is up.',
    ],
    [
      [{}, { ...down('A'), maintenance_until: SECONDS, incident: critical }, down('B')],
      'offline',
      '1 of 3 monitors is down',
      'B. In maintenance: A. Everything else is up.',
    ],
    [
      [down('A'), {}, {}, { is_paused: true }, { maintenance_until: SECONDS }],
      'offline',
      '1 of 5 monitors is down',
      'A. The rest: 2 up, 1 in maintenance, 1 paused.',
    ],
    [
      [down('A'), { is_paused: true }],
      'offline',
      '1 of 2 monitors is down',
      'A. The rest: 1 paused.',
    ],
    [
      [{}, { ...down('A'), is_paused: true, incident: critical }, { is_paused: true }],
      'degraded',
      'One incident is open',
      'Paused: A. The rest: 1 up, 1 paused.',
    ],
    [
      [{}, { name: 'A', incident: { ...critical, open: 2 } }, unseen('B', 'offline', critical)],
      'degraded',
      '3 incidents are open',
      'Up: A. Not observed: B. Everything else is up.',
    ],
    [[{ incident: { ...critical, severity: 'info' } }], 'online', 'Your monitor is up', ''],
  ])('of %j is %s: %s', (monitors, displayStatus, title, text) => {
    const found = summary(rows(...monitors), NOW);
    expect({ ...found, title: plain(found.title) }).toEqual({ displayStatus, title, text });
  });

  test('is never green above an open incident or a monitor that is not observed, and agrees with the counts', () => {
    fc.assert(
      fc.property(fc.array(anyMonitor, { minLength: 1, maxLength: 6 }), (monitors) => {
        const found = rows(...monitors);
        const { displayStatus, title, text } = summary(found, NOW);
        const { offline, unknown } = countByStatus(found);
        const isWorrying = found.some(({ monitor }) => monitor.incident?.severity === 'critical');
        if (isWorrying || unknown > 0) expect(displayStatus).not.toBe('online');
        if (offline > 1) expect(title).toContain(String(offline));
        expect(displayStatus === 'offline').toBe(offline > 0);
        const isAside = ({ displayStatus: of, monitor }: (typeof found)[number]) =>
          ['paused', 'maintenance', 'pending'].includes(of) && monitor.incident === undefined;
        if (found.some(isAside)) expect(text).not.toContain('Everything else is up.');
      }),
    );
  });
});

describe('the second line of a row', () => {
  const incident = { id: 1, severity: 'critical' as const, since: SECONDS, open: 1 };
  const job = { type: 'heartbeat' as const, schedule: { interval: 300 } };
  test.each<[Partial<OverviewMonitor>, string]>([
    [{}, 'shop.example.com'],
    [{ check_types: ['ssl', 'keyword'] }, 'shop.example.com · content is checked'],
    [{ check_types: ['ssl'] }, 'shop.example.com'],
    [{ status: 'pending' }, 'Waiting for its first result'],
    [{ is_paused: true }, 'Paused · shop.example.com'],
    [{ ...job, is_paused: true, target: undefined }, 'Paused'],
    [{ maintenance_until: SECONDS + 1_800 }, 'Maintenance until 12:30'],
    [{ status: 'offline', incident: { ...incident, cause: 'HTTP 503' } }, 'HTTP 503'],
    [{ status: 'offline', incident: { ...incident, cause: null } }, 'No cause is known'],
    [
      { status: 'offline', since: SECONDS - 335, observed_until: SECONDS - 120 },
      'Was down for 3 min 35 s when it was last observed, 2 min ago',
    ],
    [job, 'Waits for its first ping: copy the URL'],
    [{ ...job, last_ping_at: SECONDS - 120 }, 'Called 2 min ago · every 5 min'],
    [
      { ...job, last_ping_at: SECONDS - 120, last_duration: 7 },
      'Ran 2 min ago in 7 s · every 5 min',
    ],
    // The clock of a row is up to half a minute behind.
    [{ ...job, last_ping_at: SECONDS + 20 }, 'Called just now · every 5 min'],
    [
      {
        type: 'cron',
        schedule: { cron: '0 3 * * *', timezone: 'Europe/Berlin' },
        last_ping_at: SECONDS - 3_600,
        next_expected_at: SECONDS + 14 * 3_600,
      },
      'Called 1 h ago · next 16 Jan, 03:00 Europe/Berlin',
    ],
    [
      {
        type: 'cron',
        schedule: { cron: '0 21 * * *', timezone: 'Europe/Berlin' },
        last_ping_at: SECONDS - 3_600,
        next_expected_at: SECONDS + 8 * 3_600,
      },
      'Called 1 h ago · next 21:00 Europe/Berlin',
    ],
  ])('of %o is %s', (change, line) => {
    const [row] = rows(change);
    const context = { now: NOW, zone: 'UTC' };
    expect(plain(subtitle(row!.monitor, row!.displayStatus, context))).toBe(line);
  });
});

test.each<[Partial<OverviewMonitor>[], { down: string; rest: string }]>([
  [[{}, {}], { down: '', rest: '' }],
  [[{ status: 'offline' }, { status: 'degraded' }], { down: '1 down', rest: '1 degraded' }],
  [
    [{ is_paused: true }, { maintenance_until: SECONDS }, { status: 'pending' }],
    { down: '', rest: '1 in maintenance, 1 paused, 1 waiting' },
  ],
])('beside the name of the group of %j stands %o', (monitors, aside) => {
  expect(groupAside(rows(...monitors))).toEqual(aside);
});

test('names are listed, and counted beyond the third', () => {
  expect(listOf(['A'])).toBe('A');
  expect(listOf(['A', 'B', 'C'])).toBe('A, B and C');
  expect(listOf(['A', 'B', 'C', 'D'])).toBe('A, B, C and 1 more');
});

const view = (name: string, letter: View['letter'], isShared = false) => ({
  name,
  letter,
  isShared,
});

test('places have words, and say who sees a problem', () => {
  const cities = [view('Ashburn', 'u'), view('Portland', 'd'), view('Singapore', '?')];
  expect(viewsLabel(cities)).toBe('Ashburn up, Portland down, Singapore unknown');
  expect(whoSees(cities)).toBe('1 of 3 places see it');
  expect(whoSees([view('vm', 'd', true)])).toBe('seen from vm');
  expect(whoSees([view('Ashburn', 'd')])).toBe('');
  expect(whoSees([view('vm', 'u', true)])).toBe('');
});
