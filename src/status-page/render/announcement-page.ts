import type { AnnouncementFacts, AnnouncementPageFacts, MonthFacts } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { markdownToHtml } from '../text/markdown.ts';
import { lastedMs, pastList, timeOf, toneOf, updateList, type Place } from './announcements.ts';
import { dateOf } from './calendar.ts';
import { renderDocument } from './document.ts';
import { Html, html, joined, NOTHING } from './html.ts';
import { icon } from './icons.ts';
import type { Tone } from './sentence.ts';
import { announcementTitle, automaticText, stateName } from './titles.ts';
import type { PastDays } from './view.ts';
import { wordsOf } from './words/index.ts';

/** One incident or maintenance, with all updates and its post-mortem. */
export function renderAnnouncement(facts: AnnouncementPageFacts, now: number): string {
  const { page, announcement } = facts;
  const words = wordsOf(page.language);
  const document = DOCUMENTS.announcement(page.slug, announcement.id);
  const place: Place = { page, document, words, now };
  const tone = toneOf(announcement);
  const title = announcementTitle(announcement, words);
  const { updates, postMortem } = announcement;
  const newest = updates[0];
  const text =
    newest === undefined
      ? ''
      : (newest.text ?? automaticText(newest, announcement, words)).slice(0, 200);
  return renderDocument({
    page,
    document,
    title,
    description: `${stateName(announcement.state, words)}. ${text}`.replaceAll(/\s+/g, ' ').trim(),
    tone,
    tones: new Set([tone]),
    isListed: true,
    isLive: true,
    main: html`<section class="state fact ${tone}">
        ${icon(tone)}
        <div>
          <h1>${title}</h1>
          <p>${stateName(announcement.state, words)}</p>
        </div>
      </section>
      ${factList(announcement, place)}
      ${
        postMortem === null
          ? NOTHING
          : html`<section class="card text">
              <h2>${words.incidents.postMortem}</h2>
              <p class="at">
                ${timeOf(postMortem.at, words.dateTime(postMortem.at, page.timezone))}
              </p>
              ${new Html(markdownToHtml(postMortem.text))}
            </section> `
      }${
        updates.length === 0
          ? NOTHING
          : html`<section class="card inc ${tone}">
              <header><h2>${words.incidents.updates}</h2></header>
              ${updateList(updates, announcement, place)}
            </section> `
      }${back(place)}`,
  });
}

function factList(announcement: AnnouncementFacts, { words, page, now }: Place): Html {
  const { startedAt, endedAt, plannedUntil, services, kind, impact, unobservedMs } = announcement;
  const { incidents } = words;
  const time = (at: number) => timeOf(at, words.dateTime(at, page.timezone));
  const rows: [string, Html][] = [
    [incidents.began, time(startedAt)],
    ...(endedAt === null ? [] : ([[incidents.ended, time(endedAt)]] as [string, Html][])),
    ...(plannedUntil === null || endedAt !== null
      ? []
      : ([[incidents.plannedEnd, time(plannedUntil)]] as [string, Html][])),
    ...(kind === 'maintenance' && endedAt === null
      ? []
      : ([[incidents.duration, html`${words.duration(lastedMs(announcement, now))}`]] as [
          string,
          Html,
        ][])),
    ...(unobservedMs === 0
      ? []
      : ([[words.days.classes.unobserved, html`${words.duration(unobservedMs)}`]] as [
          string,
          Html,
        ][])),
    ...(services.length === 0
      ? []
      : ([[incidents.affected, html`${words.list(services.map(({ name }) => name))}`]] as [
          string,
          Html,
        ][])),
    ...(kind === 'maintenance'
      ? []
      : ([[incidents.impact, html`${incidents.impacts[impact]}`]] as [string, Html][])),
  ];
  return html`<dl class="facts">
    ${joined(
      rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      ),
    )}
  </dl>`;
}

/** A month of announcements, with links to its neighbors. */
export function renderMonth(facts: MonthFacts, now: number): string {
  const { page, month, previous, next, announcements } = facts;
  const words = wordsOf(page.language);
  const document = DOCUMENTS.month(page.slug, month);
  const place: Place = { page, document, words, now };
  const title = words.incidents.historyOf(words.month(month));
  const link = (other: string | null, rel: 'prev' | 'next', label: string) =>
    other === null
      ? html`<span></span>`
      : html`<a
          class="btn"
          rel="${rel}"
          href="${linkBetween(document, DOCUMENTS.month(page.slug, other))}"
          ><span class="vh">${label}: </span>${words.month(other)}</a
        >`;
  const days = daysOf(announcements, page.timezone);
  const tones = new Set<Tone>(
    announcements.some(({ kind }) => kind === 'maintenance') ? ['maintenance'] : [],
  );
  return renderDocument({
    page,
    document,
    title,
    description: `${title}, ${page.name}`,
    tone: 'unknown',
    tones,
    isListed: true,
    main: html`<section class="past">
        <h1>${title}</h1>
        ${days.length === 0 ? html`<p class="ok">${words.incidents.noneInMonth}</p>` : pastList(days, place, 'h2')}
        <nav class="months" aria-label="${words.incidents.history}">
          ${link(previous, 'prev', words.incidents.earlier)}${link(next, 'next', words.incidents.later)}
        </nav>
      </section>
      ${back(place)}`,
  });
}

/** Announcements by the day on which they began, newest first. */
function daysOf(announcements: readonly AnnouncementFacts[], zone: string): PastDays[] {
  const byDay = Map.groupBy(announcements, ({ startedAt }) => dateOf(startedAt, zone));
  return [...byDay]
    .toSorted(([a], [b]) => b - a)
    .map(([date, ofDay]) => ({ from: date, to: date, announcements: ofDay }));
}

function back({ page, document, words }: Place): Html {
  return html`<p class="back">
    <a href="${linkBetween(document, DOCUMENTS.page(page.slug))}"
      >${words.incidents.back(page.name)}</a
    >
  </p>`;
}
