import { dateOf, monthBounds } from '../facts/days.ts';
import type { DayFacts, MonthFacts } from '../facts/model.ts';
import { icon } from './assets.ts';
import { classNames, classOf, sumOfDays } from './days.ts';
import { html, NOTHING, type Html } from './html.ts';
import type { Tone } from './sentence.ts';
import { wordsOf, type DayClass } from './words/index.ts';

const DAY_MS = 86_400_000;
/** Services of a day that are named; of more, the worst. */
const MAX_NAMED = 8;

const TONES: Record<DayClass, Tone> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  unobserved: 'unknown',
};

export type CalendarDay = ReturnType<typeof calendarDays>[number];

/**
 * Days of a month until today, by their date, each with its class and the services that were not well on it, worst first;
 * without those that an announcement of that day is about.
 */
export function calendarDays({ page, services, announcements }: MonthFacts) {
  const words = wordsOf(page.language);
  return (services[0]?.days ?? []).map(({ from }, index) => {
    const date = dateOf(from, page.timezone);
    const days = services.map(({ name, monitorId, days: own }) => ({
      name,
      monitorId,
      day: own[index]!,
    }));
    const isAnnounced = (monitorId: number) =>
      announcements.some(
        ({ startedAt, services: affected }) =>
          dateOf(startedAt, page.timezone) === date &&
          affected.some((service) => service.monitorId === monitorId),
      );
    const troubled = days
      .filter(({ day, monitorId }) => day.downMs + day.degradedMs > 0 && !isAnnounced(monitorId))
      .toSorted((a, b) => b.day.downMs - a.day.downMs || b.day.degradedMs - a.day.degradedMs);
    return {
      date,
      dayClass: classOf(sumOfDays(days.map(({ day }) => day))),
      troubles: troubled.slice(0, MAX_NAMED).map(({ name, day }) => `${name}: ${partsOf(day)}`),
    };
  });

  function partsOf({ downMs, degradedMs }: DayFacts): string {
    const { classes } = words.days;
    return [
      ...(downMs > 0 ? [`${classes.down} ${words.duration(downMs)}`] : []),
      ...(degradedMs > 0 ? [`${classes.degraded} ${words.duration(degradedMs)}`] : []),
    ].join(', ');
  }
}

/** Tones whose shapes the calendar shows. */
export const calendarTones = (days: readonly CalendarDay[]) =>
  days.map(({ dayClass }) => TONES[dayClass]);

/**
 * A month as a table of weeks: each day that is over has the shape of its class. A day on which something happened leads to
 * it, further down in the same document.
 *
 * @param happened dates with an entry below the calendar
 */
export function calendarOf(
  { page, month }: MonthFacts,
  days: readonly CalendarDay[],
  happened: ReadonlySet<number>,
): Html {
  // A month of which nothing is known is no calendar.
  if (days.every(({ dayClass }) => dayClass === 'unobserved')) return NOTHING;
  const words = wordsOf(page.language);
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const end = dateOf(monthBounds(page.timezone, month)!.to, page.timezone);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const cells: Html[] = [];
  for (let date = first; date < end; date += DAY_MS)
    cells.push(cellOf(date, byDate.get(date), happened.has(date)));
  const lead = Array.from({ length: words.placeInWeek(first) }, () => html`<td></td>`);
  const rest = (7 - ((lead.length + cells.length) % 7)) % 7;
  const all = [...lead, ...cells, ...Array.from({ length: rest }, () => html`<td></td>`)];
  const weeks = Array.from({ length: Math.ceil(all.length / 7) }, (_, week) =>
    all.slice(week * 7, week * 7 + 7),
  );
  return html`<table class="calendar fact">
    <caption class="vh">
      ${words.month(month)}
    </caption>
    <thead>
      <tr>
        ${words.weekdays.map(({ short, long }) => html`<th scope="col" abbr="${long}">${short}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week}
          </tr> `,
      )}
    </tbody>
  </table> `;

  function cellOf(date: number, day: CalendarDay | undefined, isLink: boolean): Html {
    const number = new Date(date).getUTCDate();
    if (day === undefined) return html`<td class="faint">${number}</td>`;
    const inside = html`${number}${icon(TONES[day.dayClass])}<span class="vh">
        ${classNames(words)[day.dayClass]}</span
      >`;
    return isLink
      ? html`<td><a href="#d${number}">${inside}</a></td>`
      : html`<td id="d${number}"><span>${inside}</span></td>`;
  }
}
