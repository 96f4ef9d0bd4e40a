import { isOn, listOf, nameOf, numberOf, textOf, textUpTo } from './common.ts';
import type { Draft } from './draft.ts';
import { idOf, jsonIn, rowsBy, type KumaTables, type Row } from './kuma-tables.ts';
import {
  recurrenceOfCron,
  windowTimes,
  type ForeignSchedule,
  type Recurrence,
} from './maintenance.ts';
import { Notes, quoted, thing } from './notes.ts';

/** Keys by the ids of monitors of Uptime Kuma, of which some are groups. */
export interface KumaKeys {
  monitors: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, string>;
}

/** A new page has such a rule. */
const EMPTY_CSS = /^\s*(?:body\s*\{\s*\}\s*)?$/;

const MAX_SERVICES = 200;
const MAX_PAGE_GROUPS = 50;
const MAX_LISTED = 500;

/** Adds the status pages with what they show. */
export function addKumaPages(draft: Draft, tables: KumaTables, { monitors }: KumaKeys): void {
  const slugs = new Set<string>();
  const groupsOf = rowsBy(tables.group, 'status_page_id');
  const members = rowsBy(tables.monitor_group, 'group_id');
  for (const page of tables.status_page) {
    const notes = new Notes();
    const id = idOf(page['id']);
    const source = thing('status page', id, textOf(page['title']) ?? null);
    const placed = new Set<string>();
    const groups = inOrder(groupsOf.get(id) ?? [])
      .filter((row) => row['public'] == null || isOn(row['public']))
      .map((row) => ({
        name: nameOf(row['name'], 60, 'Services', notes),
        monitors: servicesOf(members.get(idOf(row['id'])) ?? [], monitors, { placed, notes }),
      }))
      .filter((group) => group.monitors.length > 0);
    if (groups.length > MAX_PAGE_GROUPS)
      notes.change(`Only its first ${MAX_PAGE_GROUPS} groups have headings.`);
    const css = (textOf(page['custom_css']) ?? '').replace(EMPTY_CSS, '');
    if (css !== '') notes.change('Its CSS is left out, since the page is another one.');
    if (textOf(page['footer_text'])?.trim()) notes.change('Its footer is left out.');
    if (textOf(page['password']))
      notes.change('It has no password here, as only its hash is known.');
    const isHidden = page['published'] != null && !isOn(page['published']);
    const isProtected = isHidden || Boolean(textOf(page['password']));
    if (isProtected) notes.change('Only members of the team see it until you open it.');
    draft.add('status_pages', {
      source,
      notes,
      fields: {
        name: nameOf(page['title'], 100, 'Status', notes),
        slug: slugOf(page['slug'], slugs),
        description: textUpTo(page['description'], { maximum: 500, what: 'description' }, notes),
        custom_domain: domainOf(tables, id, notes),
        access: isProtected ? { type: 'members' } : undefined,
        monitors: [...placed].map((key) => ({ id: key })),
        groups: groups.slice(0, MAX_PAGE_GROUPS),
      },
    });
  }
}

const inOrder = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => (numberOf(a['weight']) ?? 0) - (numberOf(b['weight']) ?? 0));

/** @param placed keys of those that the page shows already: it shows each once. */
function servicesOf(
  members: readonly Row[],
  monitors: KumaKeys['monitors'],
  { placed, notes }: { placed: Set<string>; notes: Notes },
): string[] {
  return inOrder(members).flatMap((row) => {
    const key = monitors.get(idOf(row['monitor_id']));
    if (key === undefined) {
      notes.change('What was left out, and groups of monitors, are not shown on it.');
      return [];
    }
    if (placed.has(key))
      notes.change('A monitor that was in several of its groups is in the first.');
    else if (placed.size >= MAX_SERVICES)
      notes.change(`Only its first ${MAX_SERVICES} monitors are shown.`);
    else {
      placed.add(key);
      return [key];
    }
    return [];
  });
}

/** The slug where it is free and sound: it is made of the name otherwise. */
function slugOf(given: unknown, taken: Set<string>): string | undefined {
  const slug = (textOf(given) ?? '').toLowerCase();
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(slug) || taken.has(slug)) return undefined;
  taken.add(slug);
  return slug;
}

function domainOf(tables: KumaTables, page: string, notes: Notes): string | undefined {
  const names = tables.status_page_cname
    .filter((row) => idOf(row['status_page_id']) === page)
    .map((row) => (textOf(row['domain']) ?? '').trim().toLowerCase())
    .filter((name) => /^(?=.{1,245}$)(?:[a-z0-9_-]{1,63}\.)+(?!\d+$)[a-z0-9-]{1,63}$/.test(name));
  const [domain, ...others] = names;
  if (others.length > 0)
    notes.change(`It is not served under ${others.map(quoted).join(', ')}: a page has one domain.`);
  if (domain !== undefined) notes.remark(`${quoted(domain)} is served once you have verified it.`);
  return domain;
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
    const source = thing('maintenance', id, textOf(row['title']) ?? null);
    const notes = new Notes();
    const named = (links.get(id) ?? []).map((link) => idOf(link['monitor_id']));
    const monitors = keysOf(named, keys.monitors);
    const groups = keysOf(named, keys.groups);
    const schedule = scheduleOf(row, tables);
    const times = typeof schedule === 'string' ? schedule : windowTimes(schedule, now);
    if (row['active'] != null && !isOn(row['active']))
      draft.leaveOut(source, 'It is switched off.');
    else if (typeof times === 'string') draft.leaveOut(source, times);
    else if (monitors.length + groups.length === 0)
      draft.leaveOut(source, 'It is for no monitor that was taken over.');
    else
      draft.add('maintenance_windows', {
        source,
        notes,
        fields: {
          name: nameOf(row['title'], 100, 'Maintenance', notes),
          ...times,
          ...(monitors.length > 0 && { monitors }),
          ...(groups.length > 0 && { groups }),
        },
      });
  }
}

const keysOf = (ids: readonly string[], keys: ReadonlyMap<string, string>) =>
  [...new Set(ids.flatMap((id) => keys.get(id) ?? []))].slice(0, MAX_LISTED);

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
