import { expect, test } from 'vitest';
import {
  daysOf,
  incidentFacts,
  PAGE_NOW as NOW,
  pageIdentity,
  serviceFacts,
  type Happened,
} from '../../../test/support/page-facts.ts';
import { PAGE_LANGUAGES, type MonthFacts, type PageLanguage } from '../facts/model.ts';
import { monthBeside } from '../facts/days.ts';
import { renderMonth } from './announcements.ts';
import { calendarDays } from './calendar.ts';
import { wordsOf } from './words/index.ts';

const MINUTE = 60_000;
const DAY = 24 * 3_600_000;

/** November until the 22nd, with a service for each of what happened, by how many days ago. */
function november(happened: readonly Happened[], changes: Partial<MonthFacts> = {}): MonthFacts {
  const services = happened.map((ofService, index) =>
    serviceFacts('ABC'[index]!, { days: daysOf({ count: 22, happened: ofService }) }),
  );
  return {
    page: pageIdentity(),
    month: '2026-11',
    previous: '2026-10',
    next: null,
    announcements: [],
    services,
    ...changes,
  };
}

test('a day has the class of its worst service, and names those that were not well, worst first [42.61]', () => {
  const facts = november([
    { 0: { downMs: 3 * MINUTE }, 1: { degradedMs: MINUTE }, 2: { unobservedMs: DAY } },
    { 0: { downMs: 9 * MINUTE, degradedMs: MINUTE }, 3: { excludedMs: MINUTE } },
  ]);
  const days = calendarDays(facts).slice(-4);
  expect(days.map(({ dayClass, troubles }) => [dayClass, troubles])).toEqual([
    ['maintenance', []],
    // Half of what there was to see was seen.
    ['up', []],
    ['degraded', ['A: Degraded 1 min']],
    ['down', ['B: Down 9 min, Degraded 1 min', 'A: Down 3 min']],
  ]);
});

test('days lead to what happened on them, and what an announcement says is not said again [42.61]', () => {
  const facts = november([{ 0: { downMs: MINUTE }, 2: { downMs: MINUTE } }, {}]);
  const { monitorId, name } = facts.services[0]!;
  const announcements = [
    incidentFacts({ startedAt: NOW - MINUTE, services: [{ monitorId, name }] }),
  ];
  const html = renderMonth({ ...facts, announcements }, NOW).replaceAll(/\s+/g, ' ');
  expect([...html.matchAll(/href="(#d\d+)"/g)].map(([, link]) => link)).toEqual(['#d20', '#d22']);
  expect([...html.matchAll(/class="day" id="(d\d+)"/g)].map(([, id]) => id)).toEqual([
    'd22',
    'd20',
  ]);
  expect(html.match(/A: Down/g)).toHaveLength(1);
  expect(html).toMatch(/rel="prev" href="[^"]*2026-10"/);
  expect(html).not.toContain('rel="next"');
});

test('a month of which nothing is known has no calendar [42.61]', () => {
  const unknown = Object.fromEntries(
    Array.from({ length: 22 }, (_, ago) => [ago, { unobservedMs: DAY }]),
  );
  expect(renderMonth(november([unknown]), NOW)).not.toContain('<table');
  expect(renderMonth(november([]), NOW)).not.toContain('<table');
});

test.each<[PageLanguage, first: string, place: number]>([
  ['en', 'Monday', 6],
  ['pt', 'domingo', 0],
  ['ja', '日曜日', 0],
  ['zh-CN', '星期一', 6],
])('weeks in %s begin with %s [42.35]', (language, first, place) => {
  const words = wordsOf(language);
  expect([words.weekdays[0]!.long, words.placeInWeek(Date.UTC(2026, 10, 1))]).toEqual([
    first,
    place,
  ]);
});

test.each(PAGE_LANGUAGES)('every day of a month in %s has a cell [42.61]', (language) => {
  const html = renderMonth(november([{}], { page: pageIdentity({ language }) }), NOW);
  expect(html.match(/<td[ >]/g)!.length % 7).toBe(0);
  expect(html).toContain('<td class="faint">30</td>');
});

test('months beside one [42.8]', () => {
  expect([monthBeside('2030-01', -1), monthBeside('2030-12', 1)]).toEqual(['2029-12', '2031-01']);
});
