import { call, type MaintenanceWindow } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useTeamNames } from '../../app/names.ts';
import { useSession } from '../../app/session.ts';
import { duration } from '../../lib/format.ts';
import { toWallMinute } from '../../lib/wall-time.ts';
import { confirm } from '../../parts/dialog.tsx';
import { scopeText } from '../../parts/scope.ts';
import { at } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { DAY_CODES, positionOf, recurrenceOf, weekdayOf, type DayCode } from './recurrence.ts';

const { maintenance } = words;

/** How monitors are shown depends on their windows. */
export const windowCollection = collection('MaintenanceWindow', {
  concerns: ['monitors'],
});

/** Asks, then ends what is active. */
export function askToEnd({ id, name }: MaintenanceWindow): void {
  confirm({
    title: maintenance.endTitle(name),
    text: maintenance.endText,
    action: maintenance.end,
    onConfirm: async () => {
      await call('endMaintenance', { path: { id } });
      showToast(maintenance.ended(name));
      await windowCollection.reread();
    },
  });
}

/** What a window covers, how long it lasts, and how it recurs, in one line. */
export function WindowFacts({ window }: { window: MaintenanceWindow }) {
  const names = useTeamNames();
  const { monitors_covered: covered, good_rounds: rounds, rrule } = window;
  const facts = [
    scopeText(window, names),
    covered === 0 ? maintenance.coversNothing : words.terms.monitorCount(covered),
    duration(at(window.ends_at) - at(window.starts_at)),
    ...(rrule === null ? [] : [recurrenceText(window)]),
    ...(rounds === null ? [] : [maintenance.endsEarly(rounds)]),
    ...(window.announce ? [] : [words.terms.notAnnounced]),
  ];
  return <>{facts.join(' · ')}</>;
}

/** End of the active occurrence, beginning and end of the next one, or end of a window that is over; in the zone of the person. */
export function WindowTime({ window }: { window: MaintenanceWindow }) {
  const { zone } = useSession();
  const { status, active_until: until, next_starts_at: next } = window;
  const text = (time: string) => wallText(toWallMinute(at(time), zone));
  if (until !== null) {
    return (
      <>
        {words.labels.until} <time dateTime={until}>{text(until)}</time>
      </>
    );
  }
  if (status === 'over' || next === null) {
    return <time dateTime={window.ends_at}>{text(window.ends_at)}</time>;
  }
  // Each occurrence is as long as the first, also across changes of daylight saving time.
  const end = new Date(at(next) + at(window.ends_at) - at(window.starts_at)).toISOString();
  const [from, to] = [next, end].map((time) => toWallMinute(at(time), zone));
  const isSameDay = from!.slice(0, 10) === to!.slice(0, 10);
  return (
    <>
      <time dateTime={next}>{text(next)}</time> –{' '}
      <time dateTime={end}>{isSameDay ? to!.slice(11) : text(end)}</time>
    </>
  );
}

/** 1 January 2029 was a Monday. */
function dayName(code: DayCode, style: 'long' | 'short'): string {
  const format = new Intl.DateTimeFormat(words.time.locale, { weekday: style, timeZone: 'UTC' });
  return format.format(Date.UTC(2029, 0, 1 + DAY_CODES.indexOf(code)));
}

export function shortDay(code: DayCode): string {
  return dayName(code, 'short');
}

/** Days such as "Tue, Sun", or "Mon–Fri" for three and more in a row. */
function daysText(days: readonly DayCode[]): string {
  const first = DAY_CODES.indexOf(days[0]!);
  const isRun = days.length > 2 && days.every((day, index) => day === DAY_CODES[first + index]);
  return isRun
    ? `${shortDay(days[0]!)}\u2060–\u2060${shortDay(days.at(-1)!)}`
    : days.map(shortDay).join(', ');
}

/** A wall time such as "Sun 13 Jan, 02:00". */
export function wallText(wall: string): string {
  const time = Date.parse(`${wall}Z`);
  if (Number.isNaN(time)) return '';
  const format = new Intl.DateTimeFormat(words.time.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return format.format(time);
}

/** How a window recurs, such as "every week on Tue, Sun"; the rule itself when it is none of the choices. */
function recurrenceText({ rrule, starts_at, timezone }: MaintenanceWindow): string {
  const start = toWallMinute(Date.parse(starts_at), timezone);
  const { repeat, interval, days, rule } = recurrenceOf(rrule, start);
  const monthly = maintenance.every(maintenance.units.monthly, interval);
  switch (repeat) {
    case 'none':
      return '';
    case 'daily':
      return maintenance.every(maintenance.units.daily, interval);
    case 'weekly':
      return `${maintenance.every(maintenance.units.weekly, interval)} ${maintenance.on(daysText(days))}`;
    case 'monthday':
      return `${monthly} ${maintenance.onDay(Number(start.slice(8, 10)))}`;
    case 'weekday':
    case 'last': {
      const position = repeat === 'last' ? -1 : positionOf(start);
      return `${monthly} ${maintenance.nth(position, dayName(weekdayOf(start), 'long'))}`;
    }
    case 'custom':
      return rule;
  }
}
