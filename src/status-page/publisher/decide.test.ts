import { describe, expect, test } from 'vitest';
import type {
  PublishedAnnouncement,
  PublishedIncident,
  PublishedOccurrence,
  PublishingFacts,
} from './read.ts';
import { isNoticed } from './decide-incidents.ts';
import { decide } from './publisher.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;

/** Page 1 shows the monitors 1 and 2 at once, page 2 monitor 2 after 10 minutes and monitor 3 never. */
const PAGES: PublishingFacts['pages'] = [
  {
    id: 1,
    services: [
      { monitorId: 1, afterMinutes: 0 },
      { monitorId: 2, afterMinutes: 0 },
    ],
  },
  {
    id: 2,
    services: [
      { monitorId: 2, afterMinutes: 10 },
      { monitorId: 3, afterMinutes: null },
    ],
  },
];

function incident(id: number, fields: Partial<PublishedIncident> = {}): PublishedIncident {
  return {
    id,
    monitorId: id,
    type: 'uptime',
    severity: 'critical',
    startedAt: NOW - MINUTE,
    endedAt: null,
    isHeld: false,
    isFalseAlarm: false,
    ...fields,
  };
}

function announcement(fields: Partial<PublishedAnnouncement> = {}): PublishedAnnouncement {
  return {
    id: 7,
    kind: 'incident',
    origin: 'automatic',
    title: null,
    impact: 'major',
    state: 'investigating',
    startedAt: NOW - MINUTE,
    endedAt: null,
    plannedUntil: null,
    windowId: null,
    windowFrom: null,
    isDeleted: false,
    isEdited: false,
    pages: [1],
    monitors: [1],
    incidents: [1],
    updates: [automatic(NOW - MINUTE)],
    ...fields,
  };
}

function automatic(at: number, state = 'investigating') {
  return {
    id: 70,
    state,
    text: null as string | null,
    isAutomatic: true,
    isOpening: state !== 'in_progress',
    at,
    pages: [1],
    notifiedPages: [1],
  };
}

function byPerson(at: number, state = 'identified') {
  return {
    id: 71,
    state,
    text: 'We know why.',
    isAutomatic: false,
    isOpening: false,
    at,
    pages: [1],
    notifiedPages: [1],
  };
}

function planned(facts: Partial<PublishingFacts>) {
  return decide({ pages: PAGES, incidents: [], announcements: [], occurrences: [], ...facts }, NOW);
}

test.each<[string, string, boolean]>([
  ['uptime', 'critical', true],
  ['heartbeat', 'critical', true],
  ['ssl', 'critical', true],
  ['regional', 'warning', true],
  ['slow_response', 'warning', true],
  ['ssl', 'warning', false],
  ['domain', 'warning', false],
  ['dns', 'warning', false],
  ['manual', 'critical', false],
  ['error_budget', 'critical', false],
])('%s of severity %s is noticed by visitors: %s [43.15]', (type, severity, wanted) => {
  expect(isNoticed({ type, severity })).toBe(wanted);
});

type Row = [name: string, facts: Partial<PublishingFacts>, changes: object[]];

describe('incidents', () => {
  const ended = incident(1, { endedAt: NOW - MINUTE });
  const earlier = incident(1, { endedAt: NOW - 31 * MINUTE, startedAt: NOW - HOUR });
  test.each<Row>([
    ['none', {}, []],
    ['one of a monitor that shows never', { incidents: [incident(3)] }, []],
    ['one in maintenance', { incidents: [incident(1, { isHeld: true })] }, []],
    [
      'two within 5 minutes',
      { incidents: [incident(1, { startedAt: NOW - 4 * MINUTE }), incident(2)] },
      [{ do: 'open', announcement: { monitors: [1, 2], incidents: [1, 2], pages: [1] } }],
    ],
    [
      'two within 5 minutes, one of which a shared page never shows',
      {
        pages: [
          ...PAGES,
          {
            id: 4,
            services: [
              { monitorId: 2, afterMinutes: 0 },
              { monitorId: 1, afterMinutes: null },
            ],
          },
        ],
        incidents: [incident(1), incident(2)],
      },
      [
        { do: 'open', announcement: { monitors: [1], pages: [1] } },
        { do: 'open', announcement: { monitors: [2], pages: [1, 4] } },
      ],
    ],
    [
      'two further apart',
      { incidents: [incident(1, { startedAt: NOW - 7 * MINUTE }), incident(2)] },
      [{ do: 'open' }, { do: 'open', announcement: { monitors: [2] } }],
    ],
    [
      'one that joins and makes it worse',
      { incidents: [incident(1), incident(2)], announcements: [announcement({ impact: 'minor' })] },
      [
        { do: 'link', id: 7, monitors: [2], incidents: [2] },
        { do: 'set', id: 7, fields: { impact: 'major' } },
      ],
    ],
    [
      'a condition that turns into another of the same monitor, hours later',
      {
        incidents: [ended, incident(8, { monitorId: 1 })],
        announcements: [announcement({ startedAt: NOW - 5 * HOUR })],
      },
      [{ do: 'link', id: 7, monitors: [], incidents: [8] }],
    ],
    [
      'one of a monitor that a person announced',
      {
        incidents: [incident(1)],
        announcements: [announcement({ origin: 'person', incidents: [] })],
      },
      [{ do: 'link', id: 7, incidents: [1] }],
    ],
    [
      'a page that shows it after its minutes',
      {
        incidents: [incident(2, { startedAt: NOW - 10 * MINUTE })],
        announcements: [
          announcement({ monitors: [2], incidents: [2], startedAt: NOW - 10 * MINUTE }),
        ],
      },
      [{ do: 'show', id: 7, pages: [2], notify: true }],
    ],
    [
      'an end',
      { incidents: [ended], announcements: [announcement()] },
      [{ do: 'state', id: 7, state: 'resolved', endedAt: NOW - MINUTE, notify: true }],
    ],
    [
      'an end of one of two',
      {
        incidents: [ended, incident(2)],
        announcements: [announcement({ monitors: [1, 2], incidents: [1, 2] })],
      },
      [],
    ],
    [
      'an end soon after a word of a person',
      {
        incidents: [earlier],
        announcements: [announcement({ updates: [byPerson(NOW - 29 * MINUTE)] })],
      },
      [],
    ],
    [
      'an end, and 30 minutes without a word',
      {
        incidents: [earlier],
        announcements: [announcement({ updates: [byPerson(NOW - 30 * MINUTE)] })],
      },
      [{ do: 'state', id: 7, state: 'resolved', endedAt: NOW - 31 * MINUTE }],
    ],
    [
      'an end of what a person opened',
      { incidents: [earlier], announcements: [announcement({ origin: 'person' })] },
      [],
    ],
    [
      'one that a person declared over',
      {
        incidents: [incident(1)],
        announcements: [announcement({ endedAt: NOW, updates: [byPerson(NOW, 'resolved')] })],
      },
      [],
    ],
    [
      'a deleted one',
      { announcements: [announcement({ incidents: [] })] },
      [{ do: 'remove', id: 7 }],
    ],
    [
      'a deleted one that a person wrote about',
      { announcements: [announcement({ incidents: [], updates: [byPerson(NOW)] })] },
      [],
    ],
    [
      'one whose announcement a person deleted',
      { incidents: [incident(1)], announcements: [announcement({ isDeleted: true, pages: [] })] },
      [],
    ],
    [
      'a page without its service',
      { incidents: [incident(1)], announcements: [announcement({ pages: [1, 2] })] },
      [{ do: 'hide', id: 7, pages: [2] }],
    ],
    [
      'no page with its service',
      {
        incidents: [incident(1, { monitorId: 9 })],
        announcements: [announcement({ monitors: [9] })],
      },
      [{ do: 'remove', id: 7 }],
    ],
    [
      'a reopened one',
      {
        incidents: [incident(1)],
        announcements: [
          announcement({ endedAt: NOW - DAY, updates: [automatic(NOW, 'resolved')] }),
        ],
      },
      [{ do: 'state', id: 7, state: 'investigating', endedAt: null, notify: true }],
    ],
    [
      'one of the same monitor 10 minutes after the end',
      {
        incidents: [ended, incident(8, { monitorId: 1 })],
        announcements: [announcement({ endedAt: NOW - 10 * MINUTE })],
      },
      [
        { do: 'link', id: 7, incidents: [8] },
        { do: 'state', id: 7, state: 'investigating' },
      ],
    ],
    [
      'one of the same monitor later',
      {
        incidents: [ended, incident(8, { monitorId: 1 })],
        announcements: [announcement({ endedAt: NOW - 11 * MINUTE })],
      },
      [{ do: 'open', announcement: { incidents: [8] } }],
    ],
    [
      'a false alarm',
      {
        incidents: [{ ...ended, isFalseAlarm: true }],
        announcements: [announcement({ endedAt: NOW })],
      },
      [{ do: 'hide', id: 7, pages: [1] }],
    ],
    [
      'what was a false alarm',
      { incidents: [ended], announcements: [announcement({ endedAt: NOW, pages: [] })] },
      [{ do: 'show', id: 7, pages: [1], notify: false }],
    ],
  ])(
    '%s [43.10, 43.16, 43.17, 43.18, 43.19, 43.20, 43.21, 43.22, 43.23, 43.24]',
    (_name, facts, changes) => {
      const made = planned(facts).changes;
      expect(made).toMatchObject(changes);
      expect(made).toHaveLength(changes.length);
    },
  );

  test('are due when a service shows them [43.16]', () => {
    expect(planned({ incidents: [incident(2)] }).nextAt).toBe(NOW + 9 * MINUTE);
    expect(planned({}).nextAt).toBeNull();
  });
});

describe('maintenance', () => {
  const occurrence = (from: number, fields: Partial<PublishedOccurrence> = {}) => ({
    windowId: 3,
    name: 'Move',
    text: null,
    from: NOW + from,
    to: NOW + from + HOUR,
    monitors: [1, 9],
    isFrequent: false,
    ...fields,
  });
  const shown = (from: number, fields: Partial<PublishedAnnouncement> = {}) =>
    announcement({
      kind: 'maintenance',
      origin: 'window',
      title: 'Move',
      impact: 'none',
      state: 'scheduled',
      startedAt: NOW + from,
      plannedUntil: NOW + from + HOUR,
      windowId: 3,
      windowFrom: NOW + from,
      incidents: [],
      updates: [{ ...automatic(NOW, 'scheduled'), notifiedPages: [] }],
      ...fields,
    });
  const mailed = { updates: [automatic(NOW, 'scheduled')] };

  test.each<Row>([
    ['in more than a week', { occurrences: [occurrence(8 * DAY)] }, []],
    ['of no service', { occurrences: [occurrence(DAY, { monitors: [9] })] }, []],
    [
      'in a week',
      { occurrences: [occurrence(7 * DAY)] },
      [
        {
          do: 'open',
          notify: false,
          announcement: { state: 'scheduled', pages: [1], monitors: [1] },
        },
      ],
    ],
    [
      'that began unplanned',
      { occurrences: [occurrence(-MINUTE)] },
      [{ do: 'open', notify: true, announcement: { state: 'in_progress' } }],
    ],
    [
      'with a text for visitors',
      { occurrences: [occurrence(7 * DAY, { text: 'Carts are kept.' })] },
      [{ do: 'open', text: 'Carts are kept.', announcement: { title: 'Move' } }],
    ],
    [
      'whose text changed, also once it has begun',
      {
        occurrences: [occurrence(-MINUTE, { text: 'It takes longer.' })],
        announcements: [
          shown(-MINUTE, {
            state: 'in_progress',
            updates: [
              { ...automatic(NOW - DAY, 'scheduled'), text: 'Carts are kept.' },
              { ...automatic(NOW, 'in_progress'), id: 72 },
            ],
          }),
        ],
      },
      [{ do: 'text', updateId: 70, text: 'It takes longer.' }],
    ],
    [
      'whose text changed, announced once it had begun',
      {
        occurrences: [occurrence(-MINUTE, { text: 'It takes longer.' })],
        announcements: [
          shown(-MINUTE, {
            state: 'in_progress',
            updates: [{ ...automatic(NOW, 'in_progress'), isOpening: true }],
          }),
        ],
      },
      [{ do: 'text', updateId: 70, text: 'It takes longer.' }],
    ],
    [
      'whose text changed after it was moved: all that tell what is planned',
      {
        occurrences: [occurrence(2 * DAY, { text: 'It takes longer.' })],
        announcements: [
          shown(2 * DAY, {
            updates: [
              { ...automatic(NOW - DAY, 'scheduled'), text: 'Carts are kept.' },
              { ...automatic(NOW, 'scheduled'), id: 72, text: 'Carts are kept.', isOpening: false },
            ],
          }),
        ],
      },
      [
        { do: 'text', updateId: 70, text: 'It takes longer.' },
        { do: 'text', updateId: 72, text: 'It takes longer.' },
      ],
    ],
    [
      'with a text for visitors, after a person edited its first update',
      {
        occurrences: [occurrence(-MINUTE, { text: 'Carts are kept.' })],
        announcements: [
          shown(-MINUTE, {
            state: 'in_progress',
            updates: [byPerson(NOW - DAY, 'scheduled'), automatic(NOW, 'in_progress')],
          }),
        ],
      },
      [],
    ],
    [
      'with a text for visitors, after a person deleted its first update',
      {
        occurrences: [occurrence(-MINUTE, { text: 'Carts are kept.' })],
        announcements: [
          shown(-MINUTE, { state: 'in_progress', updates: [automatic(NOW, 'in_progress')] }),
        ],
      },
      [],
    ],
    [
      'whose text changed, after a person edited its announcement',
      {
        occurrences: [occurrence(2 * DAY, { text: 'It takes longer.' })],
        announcements: [shown(2 * DAY, { isEdited: true })],
      },
      [],
    ],
    [
      'a day ahead',
      { occurrences: [occurrence(DAY)], announcements: [shown(DAY)] },
      [{ do: 'notify', updateId: 70, pages: [1] }],
    ],
    [
      'a day ahead, mailed before',
      { occurrences: [occurrence(DAY)], announcements: [shown(DAY, mailed)] },
      [],
    ],
    [
      'a day ahead, of a daily window',
      { occurrences: [occurrence(HOUR, { isFrequent: true })], announcements: [shown(HOUR)] },
      [],
    ],
    [
      'that begins',
      { occurrences: [occurrence(0)], announcements: [shown(0, mailed)] },
      [{ do: 'state', state: 'in_progress', endedAt: null, notify: false }],
    ],
    [
      'that ended early',
      {
        occurrences: [occurrence(-HOUR / 2, { to: NOW })],
        announcements: [shown(-HOUR / 2, { ...mailed, state: 'in_progress' })],
      },
      [
        { do: 'set', fields: { plannedUntil: NOW } },
        { do: 'state', state: 'completed', endedAt: NOW, notify: false },
      ],
    ],
    [
      'in two parts without a gap',
      {
        occurrences: [occurrence(-HOUR, { to: NOW }), occurrence(0)],
        announcements: [shown(-HOUR, { state: 'in_progress', plannedUntil: NOW + HOUR })],
      },
      [],
    ],
    [
      'moved',
      { occurrences: [occurrence(2 * DAY)], announcements: [shown(DAY, mailed)] },
      [
        { do: 'set', fields: { windowFrom: NOW + 2 * DAY, startedAt: NOW + 2 * DAY } },
        { do: 'state', state: 'scheduled', notify: false },
      ],
    ],
    ['cancelled', { announcements: [shown(DAY)] }, [{ do: 'remove', id: 7 }]],
    [
      'cancelled, with words of a person',
      { announcements: [shown(DAY, { updates: [byPerson(NOW, 'scheduled')] })] },
      [{ do: 'state', state: 'completed', endedAt: NOW, notify: false }],
    ],
    [
      'that was renamed and covers another page',
      {
        occurrences: [occurrence(2 * DAY, { name: 'Moving', monitors: [2] })],
        announcements: [shown(2 * DAY)],
      },
      [
        { do: 'set', fields: { title: 'Moving' } },
        { do: 'link', monitors: [2] },
        { do: 'show', pages: [2], notify: false },
        { do: 'hide', pages: [], monitors: [1] },
      ],
    ],
    [
      'that was renamed, with a title of a person',
      {
        occurrences: [occurrence(2 * DAY, { name: 'Moving', monitors: [2] })],
        announcements: [shown(2 * DAY, { isEdited: true })],
      },
      [],
    ],
    [
      'that a person deleted',
      { occurrences: [occurrence(DAY)], announcements: [shown(DAY, { isDeleted: true })] },
      [],
    ],
    [
      'that a person deleted, whose next part follows without a gap',
      {
        occurrences: [occurrence(0, { to: NOW + DAY })],
        announcements: [
          shown(-HOUR, { isDeleted: true, state: 'in_progress', plannedUntil: NOW, pages: [] }),
        ],
      },
      [{ do: 'set', id: 7, fields: { plannedUntil: NOW + DAY } }],
    ],
    [
      'that a person declared over, whose next part follows without a gap',
      {
        occurrences: [occurrence(0)],
        announcements: [
          shown(-HOUR, { endedAt: NOW - MINUTE, updates: [byPerson(NOW, 'completed')] }),
        ],
      },
      [{ do: 'set', id: 7, fields: { plannedUntil: NOW + HOUR } }],
    ],
    [
      'that a person deleted, and another after a gap',
      {
        occurrences: [occurrence(0)],
        announcements: [shown(-HOUR, { isDeleted: true, plannedUntil: NOW - MINUTE })],
      },
      [{ do: 'open', announcement: { windowFrom: NOW } }],
    ],
    [
      'that a person deleted, and that was moved before it began',
      {
        occurrences: [occurrence(HOUR / 2)],
        announcements: [shown(MINUTE, { isDeleted: true })],
      },
      [{ do: 'open', announcement: { windowFrom: NOW + HOUR / 2 } }],
    ],
    [
      'that a person deleted, and that was moved and announced again',
      {
        occurrences: [occurrence(0)],
        announcements: [
          shown(-MINUTE, { id: 6, isDeleted: true }),
          shown(0, { ...mailed, state: 'in_progress' }),
        ],
      },
      [],
    ],
    [
      'that became longer, with a title of a person',
      {
        occurrences: [occurrence(2 * DAY, { to: NOW + 3 * DAY })],
        announcements: [shown(2 * DAY, { isEdited: true, title: 'Moving' })],
      },
      [{ do: 'set', id: 7, fields: { plannedUntil: NOW + 3 * DAY } }],
    ],
    [
      'of a person, planned to begin',
      { announcements: [shown(-MINUTE, { origin: 'person', windowId: null, windowFrom: null })] },
      [{ do: 'state', state: 'in_progress', endedAt: null, notify: false }],
    ],
    [
      'of a person, planned to end',
      {
        announcements: [
          shown(-HOUR, {
            origin: 'person',
            windowId: null,
            windowFrom: null,
            state: 'in_progress',
          }),
        ],
      },
      [{ do: 'state', state: 'completed', endedAt: NOW, notify: false }],
    ],
  ])(
    '%s [43.10, 43.25, 43.26, 43.27, 43.28, 43.29, 43.30, 43.31, 43.32]',
    (_name, facts, changes) => {
      const made = planned(facts).changes;
      expect(made).toMatchObject(changes);
      expect(made).toHaveLength(changes.length);
    },
  );

  test('is due a week and a day ahead, at its beginning and its end [43.25]', () => {
    for (const [from, due] of [
      [8 * DAY, DAY],
      [7 * DAY, 6 * DAY],
      [DAY, DAY],
      [0, HOUR],
    ] as const)
      expect(planned({ occurrences: [occurrence(from)] }).nextAt).toBe(NOW + due);
  });
});
