import type { Draft } from './draft.ts';
import { idOf, jsonIn, rowsBy, type KumaTables, type Row } from './kuma-tables.ts';
import { recurrenceOfCron, type ForeignSchedule, type Recurrence } from './maintenance.ts';
import { Notes, thing } from './notes.ts';
import { addPage, type PageService } from './status-pages.ts';
import { addWindow } from './windows.ts';
import { isOn, listOf, numberOf, textOf } from './values.ts';

/** Keys by the ids of monitors of Uptime Kuma, of which some are groups. */
export interface KumaKeys {
  monitors: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, string>;
}

/** A new page has such a rule. */
const EMPTY_CSS = /^\s*(?:body\s*\{\s*\}\s*)?$/;

/** Adds the status pages with what they show. */
export function addKumaPages(draft: Draft, tables: KumaTables, { monitors }: KumaKeys): void {
  const groupsOf = rowsBy(tables.group, 'status_page_id');
  const members = rowsBy(tables.monitor_group, 'group_id');
  const domains = rowsBy(tables.status_page_cname, 'status_page_id');
  for (const page of tables.status_page) {
    const notes = new Notes();
    const id = idOf(page['id']);
    const services = inOrder(groupsOf.get(id) ?? [])
      .filter((row) => row['public'] == null || isOn(row['public']))
      .flatMap((row) => servicesOf(row, members.get(idOf(row['id'])) ?? [], monitors, notes));
    const css = (textOf(page['custom_css']) ?? '').replace(EMPTY_CSS, '');
    if (css !== '') notes.change('Its CSS is left out, since the page is another one.');
    if (textOf(page['footer_text'])?.trim()) notes.change('Its footer is left out.');
    addPage(draft, thing('status page', id, page['title']), notes, {
      name: textOf(page['title']),
      slug: textOf(page['slug'])?.toLowerCase(),
      domains: (domains.get(id) ?? []).map((row) => textOf(row['domain']) ?? ''),
      description: textOf(page['description']),
      hasPassword: Boolean(textOf(page['password'])),
      isHidden: page['published'] != null && !isOn(page['published']),
      services,
    });
  }
}

const inOrder = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => (numberOf(a['weight']) ?? 0) - (numberOf(b['weight']) ?? 0));

function servicesOf(
  group: Row,
  members: readonly Row[],
  monitors: KumaKeys['monitors'],
  notes: Notes,
): PageService[] {
  const section = textOf(group['name']) || 'Services';
  return inOrder(members).flatMap((row) => {
    const monitor = monitors.get(idOf(row['monitor_id']));
    if (monitor === undefined)
      notes.change('What was left out, and groups of monitors, are not shown on it.');
    return monitor === undefined ? [] : [{ monitor, section }];
  });
}

/** Adds the maintenance windows. */
export function addKumaMaintenance(
  draft: Draft,
  tables: KumaTables,
  { keys, now }: { keys: KumaKeys; now: number },
): void {
  const links = rowsBy(tables.monitor_maintenance, 'maintenance_id');
  for (const row of tables.maintenance) {
    const id = idOf(row['id']);
    const source = thing('maintenance', id, row['title']);
    const named = (links.get(id) ?? []).map((link) => idOf(link['monitor_id']));
    if (row['active'] != null && !isOn(row['active'])) {
      draft.leaveOut(source, 'It is switched off.');
      continue;
    }
    addWindow(draft, {
      source,
      notes: new Notes(),
      name: row['title'],
      description: textOf(row['description']),
      now,
      schedule: scheduleOf(row, tables),
      scope: { monitors: keysOf(named, keys.monitors), groups: keysOf(named, keys.groups) },
    });
  }
}

const keysOf = (ids: readonly string[], keys: ReadonlyMap<string, string>) =>
  ids.flatMap((id) => keys.get(id) ?? []);

/** When a window is, or why it is not to be known. */
function scheduleOf(row: Row, tables: KumaTables): ForeignSchedule | string {
  const timezone = zoneOf(row, tables);
  const [from, until] = [textOf(row['start_date']), textOf(row['end_date'])];
  const strategy = textOf(row['strategy']) ?? 'single';
  if (strategy === 'manual')
    return 'It goes on until somebody ends it: start maintenance by hand when you need it.';
  if (strategy === 'single') {
    const seconds = (Date.parse(utc(until)) - Date.parse(utc(from))) / 1000;
    return { timezone, durationSeconds: seconds, ...(from !== undefined && { once: from }) };
  }
  const recurs = recurrenceOf(strategy, row);
  if (recurs === null) return 'It recurs in a way that a window of Tocsin can not.';
  const between = secondsBetween(row['start_time'], row['end_time']);
  const durationSeconds = (strategy === 'cron' ? numberOf(row['duration']) : between) ?? 0;
  return { timezone, durationSeconds, recurs: { ...recurs, from, until } };
}

const utc = (wall: string | undefined) => `${(wall ?? '').replace(' ', 'T').replace(/Z$/, '')}Z`;

/** That of the window; `SAME_AS_SERVER` is that of the server, as far as it was set. */
function zoneOf(row: Row, { setting }: KumaTables): string {
  const own = textOf(row['timezone']) ?? 'UTC';
  if (own !== 'SAME_AS_SERVER' && own !== '') return own;
  const server = setting.find(({ key }) => key === 'serverTimezone')?.['value'];
  return textOf(jsonIn(server)) ?? 'UTC';
}

function recurrenceOf(strategy: string, row: Row): Recurrence | null {
  if (strategy === 'cron') return recurrenceOfCron(textOf(row['cron']) ?? '');
  const [hour, minute] = (textOf(row['start_time']) ?? '').split(':').map(Number);
  if (hour === undefined || minute === undefined) return null;
  const at = { hours: [hour], minute };
  switch (strategy) {
    case 'recurring-interval':
      return { ...at, everyDays: Math.max(1, Math.round(numberOf(row['interval_day']) ?? 1)) };
    case 'recurring-weekday': {
      const weekdays = listOf(jsonIn(row['weekdays'])).flatMap((day) => numberOf(day) ?? []);
      return isEmpty(weekdays) ? null : { ...at, weekdays: unique(weekdays.map((day) => day % 7)) };
    }
    case 'recurring-day-of-month': {
      const monthDays = listOf(jsonIn(row['days_of_month'])).flatMap((day) => monthDay(day) ?? []);
      return isEmpty(monthDays) ? null : { ...at, monthDays: unique(monthDays) };
    }
    default:
      return null;
  }
}

const isEmpty = (list: readonly number[]) => list.length === 0;
const unique = (list: readonly number[]) => [...new Set(list)].toSorted((a, b) => a - b);

/** A day of the month, or `lastDay1` to `lastDay4` from its end. */
function monthDay(day: unknown): number | undefined {
  const [, fromEnd] = /^lastDay([1-4])$/.exec(textOf(day) ?? '') ?? [];
  return fromEnd === undefined ? numberOf(day) : -Number(fromEnd);
}

/** Seconds between two times of day; the end may be on the next day. */
function secondsBetween(start: unknown, end: unknown): number | undefined {
  const [from, to] = [start, end].map((time) => {
    const [hours, minutes] = (textOf(time) ?? '').split(':').map(Number);
    return hours === undefined || minutes === undefined ? Number.NaN : (hours * 60 + minutes) * 60;
  }) as [number, number];
  const seconds = (to - from + 86_400) % 86_400;
  return Number.isNaN(seconds) ? undefined : seconds;
}
