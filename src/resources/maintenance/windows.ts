import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import {
  coverageOf,
  nextRunAt,
  occurrencesAfter,
  scheduleOf,
  startedAndNext,
  stateOf,
} from '../../engine/maintenance/window.ts';
import { flag, json } from '../../lib/columns.ts';
import { loadRecurrences, parseRecurrence } from '../../lib/recurrence.ts';
import { nameText, text, timeZone, wholeNumber, yesOrNo } from '../../lib/schemas.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import { updateRow } from '../../store/database/rows.ts';
import type { Tx } from '../../store/database/contract.ts';
import { occurrenceChanges, windowOccurrences } from '../../store/engine/maintenance.ts';
import { idsOfTeam, scopedMonitorRows } from '../../store/resources/scoped-monitors.ts';
import { MAX_UPDATE_TEXT } from '../../status-page/facts/model.ts';
import { MARKDOWN } from '../announcements/input.ts';
import { collection, type Scope } from '../common/collection.ts';
import { fieldTable, settingsOf, TIME, type SettingsOf } from '../common/fields.ts';
import { markShapeRead } from '../common/ignored-fields.ts';
import type { Findings } from '../common/input.ts';
import { idList, tagNames } from '../common/lists.ts';
import { dateTime } from '../common/time-input.ts';
import { isoOrNull, isoTime, parseTime } from '../common/time.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 31;
const PAST_DAYS = 90;
const FUTURE_DAYS = 3_653;
/** Maximum number of past occurrences that are stored with a new window: three months, one an hour. */
const MAX_PAST_OCCURRENCES = 2_500;
const TIME_EXAMPLE = '2030-01-31T22:00:00Z';

const windowFields = fieldTable({
  name: { input: nameText(100), unset: '', required: 'say what is going on' },
  description: {
    input: text(MAX_UPDATE_TEXT),
    meaning: `What status pages say of it to visitors and subscribers. Null for words of the page. ${MARKDOWN}`,
  },
  starts_at: {
    ...TIME,
    input: dateTime(TIME_EXAMPLE),
    // No comparison with it is true.
    unset: Number.NaN,
    required: `give a date and time such as ${TIME_EXAMPLE}`,
    meaning: 'Start of the first occurrence. A time without an offset is in `timezone`.',
  },
  ends_at: {
    ...TIME,
    input: dateTime(TIME_EXAMPLE),
    unset: Number.NaN,
    required: 'give a date and time after starts_at',
    meaning: `End of the first occurrence, at most ${MAX_DAYS} days later. Each occurrence lasts as long as the first.`,
  },
  rrule: {
    input: recurrence(),
    meaning:
      'Recurrence rule (RFC 5545, section 3.3.10) without DTSTART, such as `FREQ=WEEKLY;BYDAY=SU`. The shortest period is a day. Null for a window with one occurrence.',
  },
  timezone: {
    input: timeZone(),
    unset: 'UTC',
    meaning:
      'IANA name of the time zone in which the window recurs, and in which times without an offset are read.',
  },
  monitors: {
    codec: json,
    input: idList('monitors'),
    unset: [],
    refers: 'monitors',
    meaning: 'Ids. The window is for the whole team when monitors, groups and tags are empty.',
  },
  groups: {
    codec: json,
    input: idList('groups'),
    unset: [],
    refers: 'groups',
    meaning: 'Ids. Includes the monitors of their subgroups.',
  },
  tags: {
    codec: json,
    input: tagNames(),
    unset: [],
    meaning: 'Includes the monitors that have one of these tags, by exact text.',
  },
  good_rounds: {
    input: wholeNumber(1, 100),
    meaning:
      'Ends an occurrence early once each of its monitors had this many good rounds in a row since it began. Null for none: it ends at its scheduled time.',
  },
  announce: {
    codec: flag,
    input: yesOrNo(),
    unset: true,
    meaning:
      'Whether the status pages that show one of its monitors announce it, and notify their subscribers.',
  },
});

type Settings = SettingsOf<typeof windowFields>;

const NOTHING_COVERED =
  'This window covers no monitor at the moment: check its monitors, groups and tags. Tags match by exact text.';

const timeOrNull = (description: string) => z.iso.datetime().nullable().meta({ description });

/** Planned work of a team (contract 27). */
export const maintenanceWindows = collection({
  noun: 'maintenance window',
  tag: 'Maintenance',
  path: '/maintenance-windows',
  verbs: ['started', 'ended'],
  table: 'maintenance_window',
  meaning:
    'Planned work: checks continue, alerts and webhooks are held until its end, and downtime during it does not count.',
  fields: windowFields,
  // What is over comes last.
  order: (rows, direction) =>
    rows
      .orderBy(sql`case when next_at is null then 1 else 0 end`)
      .orderBy('maintenance_window.starts_at', direction),
  pages: { query: {}, sorts: ['name', 'starts_at', 'created_at'] },
  // All of these are evaluated with every incident.
  most: 500,
  counted: {
    of: (rows) => rows.where('maintenance_window.next_at', 'is not', null),
    says: ' that are to come or active: delete one that is no longer needed',
  },
  // History excludes past occurrences of deleted windows.
  keepsDeleted: true,
  says: {
    list: 'Without `sort`, scheduled and active windows come before those that are over, each by descending `starts_at`.',
    create:
      'Creates a window with one occurrence, or one that recurs by `rrule` in the wall time of `timezone`. When clocks are set forward, an occurrence in the skipped hour starts right after it; when they are set back, it starts in the first of the two hours. `starts_at` may be up to 90 days ago, to exclude planned downtime from uptime afterwards.',
    update:
      'Only fields that are present change. Past occurrences stay; a recurring window changes from now on.',
    delete: 'Ends the window if it is active. Past occurrences stay excluded from uptime.',
  },
  example: {
    name: 'Database upgrades',
    description: 'Orders may take a minute longer.',
    starts_at: '2030-01-06T02:00:00Z',
    ends_at: '2030-01-06T03:30:00Z',
    rrule: 'FREQ=MONTHLY;BYDAY=1SU',
    timezone: 'Europe/Berlin',
    monitors: [1],
    tags: ['database'],
  },
  change: { name: 'Database patches' },
  more: {
    byItself: [
      'monitors_covered',
      'warnings',
      'status',
      'active_until',
      'next_starts_at',
      'next_ends_at',
    ],
    shape: {
      monitors_covered: z.int().min(0).meta({
        description:
          'Number of monitors that the window covers at the moment, paused ones included.',
      }),
      warnings: z
        .array(z.string())
        .meta({ description: 'What is probably a mistake, such as covering no monitor.' }),
      status: z.enum(['scheduled', 'active', 'over']),
      active_until: timeOrNull('Null while it is not active.'),
      next_starts_at: timeOrNull('Start of the next occurrence; null after the last one.'),
      next_ends_at: z.iso.datetime().nullable(),
    },
    example: {
      monitors_covered: 1,
      warnings: [],
      status: 'scheduled',
      active_until: null,
      next_starts_at: '2030-01-06T02:00:00.000Z',
      next_ends_at: '2030-01-06T03:30:00.000Z',
    },
    async view(rows, { db, teamId, now }) {
      const ids = rows.map((row) => row.id);
      const times = await windowOccurrences(db).open(ids, now);
      const countCovered = coverageOf(
        rows.length === 0 ? [] : await scopedMonitorRows(db, teamId).all(),
      );
      return rows.map((row) => {
        const { status, activeUntil, next } = stateOf(times.get(row.id) ?? [], now);
        const covered = countCovered(settingsOf<Settings>(windowFields, row));
        return {
          monitors_covered: covered,
          warnings: covered === 0 ? [NOTHING_COVERED] : [],
          status,
          active_until: isoOrNull(activeUntil),
          next_starts_at: isoOrNull(next?.from ?? null),
          next_ends_at: isoOrNull(next?.to ?? null),
        };
      });
    },
  },
  // The scheduler locks the window alone.
  locks: true,

  prepare: timesInZone,

  async check(scope, { settings, stored, findings }) {
    checkTimes(settings, stored, scope.now, findings);
    await checkScope(scope, settings, stored, findings);
    const { starts_at: startsAt, rrule } = settings;
    const isComplete = !['starts_at', 'ends_at', 'rrule', 'timezone'].some((name) =>
      findings.has(name),
    );
    if (rrule !== null && isComplete && (await occurrences(settings, startsAt - 1)).next().done)
      findings.add('rrule', 'must occur at least once after starts_at: no day matches it');
  },

  /** Stores the occurrences of changed settings. Time that has passed stays as it was. */
  async changed({ tx, caller, now }, { id, before, after }) {
    if (before !== null && movesOccurrences(before, after))
      await occurrenceChanges(tx).cut(id, now);
    if (after !== null && movesOccurrences(before, after))
      await occurrenceChanges(tx).insert(id, await occurrencesFrom(after, before === null, now));
    await scheduleNextRun(tx, id, after?.good_rounds ?? null, now);
    if (before !== null) await occurrenceChanges(tx).releaseHeld(caller.team.id, now);
  },
});

function recurrence() {
  return z
    .string({ error: 'must be a recurrence rule such as FREQ=WEEKLY;BYDAY=SU' })
    .superRefine((value, context) => {
      const parsed = parseRecurrence(value);
      if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault });
    });
}

/**
 * A body whose times without an offset are in its `timezone`, or the stored one (contract 27.7). With an unknown zone
 * they stay as they are: the zone is refused.
 */
function timesInZone(body: unknown, stored: Settings | null): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  // What follows reads the fields from a copy.
  markShapeRead(body, windowFields);
  const sent = body as Record<string, unknown>;
  const { timezone = stored?.timezone } = sent;
  const zone = timezone == null || timezone === '' ? 'UTC' : timezone;
  if (typeof zone !== 'string' || !isTimeZone(zone)) return body;
  const times = ['starts_at', 'ends_at'].flatMap((name) => {
    const sentTime = sent[name];
    const at = typeof sentTime === 'string' ? parseTime(sentTime, zone) : null;
    return at === null ? [] : [[name, isoTime(at)] as const];
  });
  const read = Object.keys(windowFields).filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries([...read.map((name) => [name, sent[name]]), ...times]);
}

function checkTimes(
  { starts_at: start, ends_at: end }: Settings,
  stored: Settings | null,
  now: number,
  findings: Findings,
): void {
  if (start !== stored?.starts_at && start < now - PAST_DAYS * DAY_MS)
    findings.add('starts_at', `must not be more than ${PAST_DAYS} days ago`);
  if (start > now + FUTURE_DAYS * DAY_MS)
    findings.add('starts_at', 'must not be more than ten years ahead');
  if (end <= start) findings.add('ends_at', 'must be after starts_at');
  if (end - start > MAX_DAYS * DAY_MS)
    findings.add('ends_at', `must be at most ${MAX_DAYS} days after starts_at`);
}

/** Reports ids of other teams. Monitors and groups in the stored settings may have been deleted since. */
async function checkScope(
  { tx, caller }: Scope,
  settings: Settings,
  stored: Settings | null,
  findings: Findings,
): Promise<void> {
  const known = {
    monitors: await idsOfTeam(tx, 'monitor', caller.team.id, settings.monitors),
    groups: await idsOfTeam(tx, 'monitor_group', caller.team.id, settings.groups),
  };
  for (const [field, what] of [
    ['monitors', 'monitor'],
    ['groups', 'group'],
  ] as const) {
    for (const [index, id] of settings[field].entries()) {
      if (known[field].has(id) || stored?.[field].includes(id)) continue;
      findings.add(`${field}.${index}`, `must be the id of a ${what} of your team`);
    }
  }
}

/** Whether a change affects more than the early end and what is announced. */
function movesOccurrences(before: Settings | null, after: Settings | null): boolean {
  if (before === null || after === null) return true;
  const { name, description, good_rounds, announce } = before;
  return !isDeepStrictEqual(before, { ...after, name, description, good_rounds, announce });
}

/** The occurrences of new or changed settings up to the next one. */
async function occurrencesFrom(settings: Settings, isNew: boolean, now: number) {
  const { starts_at: startsAt, ends_at: endsAt, rrule } = settings;
  // A single occurrence may be recorded afterwards; recurring ones change from now on.
  const isWhole = isNew || rrule === null;
  const all = await occurrences(settings, isWhole ? startsAt - 1 : now - (endsAt - startsAt));
  const times = startedAndNext(all, now, MAX_PAST_OCCURRENCES);
  return isWhole ? times : times.map(({ from, to }) => ({ from: Math.max(from, now), to }));
}

async function occurrences(settings: Settings, after: number) {
  const recurrences = settings.rrule === null ? null : await loadRecurrences();
  return occurrencesAfter(scheduleOf(settings), after, recurrences);
}

/** Sets when the scheduler looks at the window next. */
export async function scheduleNextRun(tx: Tx, id: number, goodRounds: number | null, now: number) {
  const next_at = nextRunAt(await occurrencesOf(tx, id, now), now, goodRounds !== null);
  await updateRow(tx, 'maintenance_window', id, { next_at });
}

/** The stored occurrences that have not ended. */
export async function occurrencesOf(tx: Tx, id: number, now: number) {
  return (await windowOccurrences(tx).open([id], now)).get(id) ?? [];
}
