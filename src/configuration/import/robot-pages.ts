import type { Draft } from './draft.ts';
import type { ForeignSchedule, Recurrence } from './maintenance.ts';
import { Notes, thing } from './notes.ts';
import { addPage } from './status-pages.ts';
import type { Robot } from './robot-contacts.ts';
import { addWindow } from './windows.ts';
import { listOf, numberOf, objectOf, textOf } from './values.ts';

/** Things that monitors of UptimeRobot carry with them, each once, with the keys of the monitors that have it. */
function carried(
  monitors: readonly Robot[],
  names: readonly string[],
  keys: ReadonlyMap<string, string>,
): { id: string; one: Robot; monitors: string[] }[] {
  const found = new Map<string, { id: string; one: Robot; monitors: Set<string> }>();
  for (const robot of monitors) {
    const key = keys.get(textOf(robot['id']) ?? '');
    for (const value of names.flatMap((name) => listOf(robot[name]))) {
      const one = objectOf(value);
      const id = textOf(one['id']);
      if (id === undefined) continue;
      const known = found.get(id) ?? { id, one, monitors: new Set() };
      found.set(id, known);
      if (key !== undefined) known.monitors.add(key);
    }
  }
  return [...found.values()].map((one) => ({ ...one, monitors: [...one.monitors] }));
}

/** Adds the status pages of version 3, which its monitors name. */
export function addRobotPages(
  draft: Draft,
  robots: readonly Robot[],
  keys: ReadonlyMap<string, string>,
): void {
  for (const { id, one, monitors } of carried(robots, ['psps'], keys)) {
    const name = textOf(one['friendlyName']) ?? textOf(one['friendly_name']) ?? null;
    const source = thing('status page', id, name);
    const ids = listOf(one['monitorIds']).flatMap((other) => keys.get(textOf(other) ?? '') ?? []);
    const features = objectOf(objectOf(one['customSettings'])['features']);
    const showsUptime = textOf(features['showUptimePercentage']) !== 'false';
    addPage(draft, source, new Notes(), {
      name: name ?? undefined,
      domains: [textOf(one['customDomain']) ?? ''],
      settings: showsUptime ? undefined : { show_uptime_percentage: false },
      hasPassword: one['isPasswordSet'] === true,
      services: [...new Set(ids.length > 0 ? ids : monitors)].map((monitor) => ({ monitor })),
    });
  }
}

/** Adds the maintenance windows that monitors name. Their times are in the time zone of the account, which the file does not hold. */
export function addRobotWindows(
  draft: Draft,
  robots: readonly Robot[],
  { keys, now }: { keys: ReadonlyMap<string, string>; now: number },
): void {
  const windows = carried(robots, ['mwindows', 'maintenance_windows'], keys);
  for (const { id, one, monitors } of windows) {
    const name = textOf(one['friendly_name']) ?? textOf(one['name']) ?? null;
    const source = thing('maintenance window', id, name);
    const notes = new Notes();
    if (/^(0|paused)$/.test(textOf(one['status']) ?? '')) {
      draft.leaveOut(source, 'It is switched off.');
      continue;
    }
    const schedule = scheduleOf(one);
    if (typeof schedule !== 'string')
      notes.change(
        'Its times are read as UTC: set the time zone of your account if that was another one.',
      );
    addWindow(draft, { source, notes, name, now, schedule, scope: { monitors } });
  }
}

/** Types by their number in version 2. */
const INTERVALS = ['', 'once', 'daily', 'weekly', 'monthly'];

function scheduleOf(one: Robot): ForeignSchedule | string {
  const given = textOf(one['interval']) ?? INTERVALS[numberOf(one['type']) ?? 0] ?? '';
  const schedule = { timezone: 'UTC', durationSeconds: (numberOf(one['duration']) ?? 0) * 60 };
  const start = textOf(one['start_time']) ?? '';
  if (given === 'once') {
    const at = numberOf(one['start_time']);
    const isTime = at !== undefined && at > 0 && at < 10_000_000_000;
    const date = textOf(one['date'])?.slice(0, 10);
    const once = isTime ? new Date(at * 1000).toISOString() : `${date}T${textOf(one['time'])}`;
    return { ...schedule, once };
  }
  const [hour, minute] = (textOf(one['time']) ?? start).split(':').map(Number);
  if (hour === undefined || minute === undefined) return 'It has no time of day.';
  const listed =
    listOf(one['days']).length > 0 ? listOf(one['days']) : (textOf(one['value']) ?? '').split('-');
  const days = [...new Set(listed.flatMap((day) => numberOf(day) ?? []))].toSorted((a, b) => a - b);
  const at: Recurrence = { hours: [hour], minute, from: textOf(one['date'])?.slice(0, 10) };
  if (given === 'daily') return { ...schedule, recurs: at };
  if (days.length === 0 || days.length > 31) return 'It names no days.';
  // 1 is Monday, and 7 Sunday.
  if (given === 'weekly')
    return { ...schedule, recurs: { ...at, weekdays: days.map((day) => day % 7) } };
  if (given === 'monthly') return { ...schedule, recurs: { ...at, monthDays: days } };
  return 'It recurs in a way that a window of Tocsin can not.';
}
