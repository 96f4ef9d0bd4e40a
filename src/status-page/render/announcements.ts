import { cut } from '../../lib/text.ts';
import { dateOf } from '../facts/days.ts';
import type {
  AnnouncementFacts,
  AnnouncementPageFacts,
  MonthFacts,
  PageIdentity,
  UpdateFacts,
} from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';
import { backTo, renderDocument } from './document.ts';
import { calendarDays, calendarOf, calendarTones } from './calendar.ts';
import { Html, html, joined, NOTHING } from './html.ts';
import { icon } from './assets.ts';
import type { Tone } from './sentence.ts';
import { announcementTitle, automaticText, isEnded, stateName } from './titles.ts';
import type { PastDays } from './view.ts';
import { wordsOf, type Words } from './words/index.ts';

/** Newest updates of an open incident that the page shows; the others are on the page of the incident. */
const MAX_UPDATES = 4;
/** Open incidents, and maintenance, that the page shows in full. */
const MAX_FULL = 4;
/** Longer texts are cut on the page, and whole on the page of the incident. */
const MAX_TEXT = 1_000;
const MAX_SUMMARY = 160;

/** Everything that writing an announcement needs to know of its document. */
export interface Place {
  page: PageIdentity;
  document: string;
  words: Words;
  now: number;
}

export function toneOf({ kind, impact, state }: AnnouncementFacts): Tone {
  if (state === 'resolved') return 'up';
  if (kind === 'maintenance') return 'maintenance';
  if (impact === 'none') return 'unknown';
  return impact === 'minor' || state === 'monitoring' ? 'degraded' : 'down';
}

export function openIncidents(open: readonly AnnouncementFacts[], place: Place): Html {
  return cards(open, place, incidentCard);
}

/** The first ones as cards, the others only by their title. */
function cards(
  all: readonly AnnouncementFacts[],
  place: Place,
  card: (one: AnnouncementFacts, place: Place) => Html,
): Html {
  const full = all.slice(0, MAX_FULL).map((one) => card(one, place));
  const others = all.slice(MAX_FULL).map((one) => html`<li>${linkTo(one, place)}</li>`);
  return html`${full}${
    others.length === 0
      ? NOTHING
      : html`<section class="card more">
          <ul>
            ${others}
          </ul>
        </section>`
  }`;
}

function incidentCard(announcement: AnnouncementFacts, place: Place): Html {
  const { words, now } = place;
  const { updates, startedAt, services } = announcement;
  const about = [
    ...(services.length === 0 ? [] : [html`${words.list(services.map(({ name }) => name))}`]),
    html`${words.incidents.lasting(words.duration(Math.max(0, now - startedAt)))}`,
    html`<a href="${hrefOf(announcement, place)}">${words.incidents.link}</a>`,
  ];
  const rest =
    updates.length > MAX_UPDATES
      ? html`<p class="rest">
          <a href="${hrefOf(announcement, place)}">${words.incidents.more}</a>
        </p>`
      : NOTHING;
  return html`<section class="card inc ${toneOf(announcement)}">
    <header>
      <h2>${announcementTitle(announcement, words)}</h2>
      <p class="who">${joined(about, ' · ')}</p>
    </header>
    ${updateList(updates.slice(0, MAX_UPDATES), announcement, place, MAX_TEXT)}${rest}
  </section> `;
}

function updateList(
  updates: readonly UpdateFacts[],
  announcement: AnnouncementFacts,
  place: Place,
  maximum = Infinity,
): Html {
  const items = updates.map((update) => {
    const { words, page } = place;
    const edited = update.editedAt === null ? '' : ` · ${words.incidents.edited}`;
    return html`<li>
      <b>${stateName(update.state, words)}</b>${bodyOf(update, announcement, place, maximum)}
      <p class="at">${timeOf(update.at, words.dateTime(update.at, page.timezone))}${edited}</p>
    </li>`;
  });
  return items.length === 0
    ? NOTHING
    : html`<ol class="upd">
        ${joined(items, '\n')}
      </ol> `;
}

function bodyOf(
  update: UpdateFacts,
  announcement: AnnouncementFacts,
  place: Place,
  maximum: number,
): Html {
  if (update.text === null) return html`<p>${automaticText(update, announcement, place.words)}</p>`;
  if (update.text.length <= maximum)
    return html`<div>${new Html(markdownToHtml(update.text))}</div>`;
  const text = cut(markdownToText(update.text), maximum);
  return html`<p>
    ${text} <a href="${hrefOf(announcement, place)}">${place.words.incidents.more}</a>
  </p>`;
}

export function plannedCards(planned: readonly AnnouncementFacts[], place: Place): Html {
  return cards(planned, place, plannedCard);
}

function plannedCard(one: AnnouncementFacts, place: Place): Html {
  const { words, page } = place;
  const { state, startedAt, plannedUntil, services, updates } = one;
  const time =
    plannedUntil === null
      ? words.dateTime(startedAt, page.timezone)
      : words.range(startedAt, plannedUntil, page.timezone);
  const title = announcementTitle(one, words);
  const about = [
    ...(state === 'in_progress' ? [html`<b>${stateName(state, words)}</b>`] : []),
    html`${time}`,
    ...(services.length === 0 || one.title === null
      ? []
      : [html`${words.list(services.map(({ name }) => name))}`]),
  ];
  // That it has begun is said above.
  const text = summaryOf(
    updates.find((update) => update.text !== null),
    MAX_SUMMARY,
  );
  return html`<section class="card plan">
    ${icon('maintenance')}
    <div>
      <h2>
        <a href="${hrefOf(one, place)}"
          >${state === 'scheduled' ? words.incidents.planned(title) : title}</a
        >
      </h2>
      <p>${joined(about, ' · ')}</p>
      ${text === null ? NOTHING : html`<p>${text}</p>`}
    </div>
  </section> `;
}

/** @param troubles by date, lines about services that stand below what was announced on a day; then days can be linked */
export function pastList(
  past: readonly PastDays[],
  place: Place,
  troubles: ReadonlyMap<number, readonly string[]> | null = null,
) {
  const { words } = place;
  const days = past.map(({ from, to, announcements }) => {
    const day =
      from === to
        ? words.day(to, 'UTC')
        : words.days.span(words.shortDay(from, 'UTC'), words.shortDay(to, 'UTC'));
    const lines = troubles?.get(to) ?? [];
    const items = [
      ...announcements.map((one) => pastItem(one, place)),
      ...(lines.length === 0 ? [] : [html`<p class="ok">${lines.join(' · ')}</p>`]),
    ];
    const anchor = troubles === null ? null : html` id="d${new Date(to).getUTCDate()}"`;
    return html`<div class="${items.length === 0 ? 'day calm' : 'day'}" ${anchor}>
      ${troubles === null ? html`<h3>${day}</h3>` : html`<h2>${day}</h2>`}
      <div>
        ${items.length === 0 ? html`<p class="ok">${words.incidents.none}</p>` : joined(items)}
      </div>
    </div> `;
  });
  return joined(days);
}

/** Duration of an announcement until its end or `now`, without time in which nothing was observed, in milliseconds. */
function lastedMs({ startedAt, endedAt, unobservedMs }: AnnouncementFacts, now: number) {
  return Math.max(0, (endedAt ?? now) - startedAt - unobservedMs);
}

function pastItem(announcement: AnnouncementFacts, place: Place): Html {
  const { words } = place;
  const { endedAt, unobservedMs, updates, kind } = announcement;
  const summary = summaryOf(updates[0], MAX_SUMMARY);
  const duration = endedAt === null ? null : words.duration(lastedMs(announcement, endedAt));
  const shape = kind === 'maintenance' ? icon('maintenance') : NOTHING;
  const facts = [
    ...(isEnded(announcement) ? [] : [stateName(announcement.state, words)]),
    ...(duration === null ? [] : [words.incidents.lasted(duration)]),
    ...(duration === null || unobservedMs === 0
      ? []
      : [`${words.service.notObserved}: ${words.duration(unobservedMs)}`]),
  ].join(' · ');
  return html`<article>
    <p class="t">${shape}${linkTo(announcement, place)}</p>
    ${summary === null ? NOTHING : html`<p>${summary}</p>`}${facts === '' ? NOTHING : html`<p class="ok">${facts}</p>`}
  </article>`;
}

function summaryOf(update: UpdateFacts | undefined, maximum: number): string | null {
  if (update === undefined || update.text === null) return null;
  return cut(markdownToText(update.text).replaceAll(/\s+/g, ' '), maximum);
}

function timeOf(at: number, text: string): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}

function linkTo(announcement: AnnouncementFacts, place: Place): Html {
  return html`<a href="${hrefOf(announcement, place)}"
    >${announcementTitle(announcement, place.words)}</a
  >`;
}

function hrefOf({ id }: AnnouncementFacts, { page, document }: Place): string {
  return linkBetween(document, DOCUMENTS.announcement(page.slug, id));
}

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
    frame: 'page',
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
      }${backTo(page, document)}`,
  });
}

function factList(announcement: AnnouncementFacts, { words, page, now }: Place): Html {
  const { startedAt, endedAt, plannedUntil, services, kind, impact, unobservedMs } = announcement;
  const { incidents } = words;
  const time = (at: number) => timeOf(at, words.dateTime(at, page.timezone));
  const isPlanned = kind === 'maintenance' && endedAt === null;
  const rows: [string, Html | string][] =
    kind === 'incident' ? [[incidents.impact, incidents.impacts[impact]]] : [];
  rows.push([incidents.began, time(startedAt)]);
  if (endedAt !== null) rows.push([incidents.ended, time(endedAt)]);
  else if (plannedUntil !== null) rows.push([incidents.plannedEnd, time(plannedUntil)]);
  if (!isPlanned) rows.push([incidents.duration, words.duration(lastedMs(announcement, now))]);
  if (unobservedMs > 0) rows.push([words.service.notObserved, words.duration(unobservedMs)]);
  if (services.length > 0)
    rows.push([incidents.affected, words.list(services.map(({ name }) => name))]);
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
  const days = calendarDays(facts);
  const troubles = new Map(
    days.flatMap(({ date, troubles: lines }) => (lines.length === 0 ? [] : [[date, lines]])),
  );
  const listed = daysOf(announcements, [...troubles.keys()], page.timezone);
  const tones = new Set<Tone>([
    ...calendarTones(days),
    ...(announcements.some(({ kind }) => kind === 'maintenance') ? (['maintenance'] as const) : []),
  ]);
  return renderDocument({
    page,
    document,
    title,
    description: `${title}, ${page.name}`,
    tone: 'unknown',
    tones,
    isListed: true,
    frame: 'page',
    main: html`<section class="past">
        <h1>${title}</h1>
        <nav class="months" aria-label="${words.incidents.history}">
          ${link(previous, 'prev', words.incidents.earlier)}${link(next, 'next', words.incidents.later)}
        </nav>
        ${calendarOf(facts, days, new Set(listed.map(({ to }) => to)))}${listed.length === 0 ? html`<p class="ok">${words.incidents.noneInMonth}</p>` : pastList(listed, place, troubles)}
      </section>
      ${backTo(page, document)}`,
  });
}

/** Days on which something was announced or a service was not well, the last one first. */
function daysOf(
  announcements: readonly AnnouncementFacts[],
  troubled: readonly number[],
  zone: string,
): PastDays[] {
  const byDay = Map.groupBy(announcements, ({ startedAt }) => dateOf(startedAt, zone));
  return [...new Set([...byDay.keys(), ...troubled])]
    .toSorted((a, b) => b - a)
    .map((date) => ({ from: date, to: date, announcements: byDay.get(date) ?? [] }));
}
