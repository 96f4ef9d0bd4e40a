import type { AnnouncementFacts, PageIdentity, UpdateFacts } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';
import { cut } from '../../lib/text.ts';
import { Html, html, joined, NOTHING } from './html.ts';
import { icon } from './icons.ts';
import type { Tone } from './sentence.ts';
import { announcementTitle, automaticText, isEnded, stateName } from './titles.ts';
import type { PastDays } from './view.ts';
import type { Words } from './words/index.ts';

/** Newest updates of an open incident that the page shows; the others are on the page of the incident. */
const MAX_UPDATES = 4;
/** Open incidents that the page shows with their updates; the others only with their title. */
const MAX_FULL = 4;
/** Longer texts are cut on the page, and whole on the page of the incident. */
const MAX_TEXT = 1_000;
const MAX_SUMMARY = 160;

/** Everything that writing an announcement needs to know of its document. */
export interface Place {
  page: PageIdentity;
  /** Path of the document below `/status/`. */
  document: string;
  words: Words;
  now: number;
}

/** Tone of an announcement. */
export function toneOf(announcement: AnnouncementFacts): Tone {
  const { kind, impact, state } = announcement;
  if (state === 'resolved') return 'up';
  if (kind === 'maintenance') return 'maintenance';
  if (impact === 'none') return 'unknown';
  return impact === 'minor' || state === 'monitoring' ? 'degraded' : 'down';
}

/** Open incidents, newest first, each with its newest updates. */
export function openIncidents(open: readonly AnnouncementFacts[], place: Place): Html {
  const full = open.slice(0, MAX_FULL).map((one) => incidentCard(one, place));
  const others = open.slice(MAX_FULL).map((one) => html`<li>${linkTo(one, place)}</li>`);
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

/** Updates of an announcement, newest first. */
export function updateList(
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

/** Maintenance that is in progress or to come. */
export function plannedCards(planned: readonly AnnouncementFacts[], place: Place): Html {
  const { words, page } = place;
  const cards = planned.slice(0, MAX_FULL).map((one) => {
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
    const text = summaryOf(updates[0], MAX_SUMMARY);
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
  });
  const others = planned.slice(MAX_FULL).map((one) => html`<li>${linkTo(one, place)}</li>`);
  return html`${cards}${
    others.length === 0
      ? NOTHING
      : html`<section class="card more">
          <ul>
            ${others}
          </ul>
        </section>`
  }`;
}

/** Days with what ended on them. */
export function pastList(
  past: readonly PastDays[],
  place: Place,
  heading: 'h2' | 'h3' = 'h3',
): Html {
  const { words } = place;
  const days = past.map(({ from, to, announcements }) => {
    const day =
      from === to
        ? words.day(to, 'UTC')
        : words.days.span(words.shortDay(from, 'UTC'), words.shortDay(to, 'UTC'));
    const items =
      announcements.length === 0
        ? html`<p class="ok">${words.incidents.none}</p>`
        : joined(announcements.map((one) => pastItem(one, place)));
    return html`<div class="day">
      ${headingOf(heading, day)}
      <div>${items}</div>
    </div> `;
  });
  return joined(days);
}

function headingOf(level: 'h2' | 'h3', text: string): Html {
  return level === 'h2' ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`;
}

/** Duration of an announcement until its end or `now`, without time in which nothing was observed, in milliseconds. */
export function lastedMs(
  { startedAt, endedAt, unobservedMs }: AnnouncementFacts,
  now: number,
): number {
  return Math.max(0, (endedAt ?? now) - startedAt - unobservedMs);
}

/** Title of an announcement that has ended, with its newest text and duration. */
export function pastItem(announcement: AnnouncementFacts, place: Place): Html {
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
      : [`${words.days.classes.unobserved}: ${words.duration(unobservedMs)}`]),
  ].join(' · ');
  return html`<article>
    <p class="t">${shape}${linkTo(announcement, place)}</p>
    ${summary === null ? NOTHING : html`<p>${summary}</p>`}${facts === '' ? NOTHING : html`<p class="ok">${facts}</p>`}
  </article>`;
}

/** First words of an update that a person wrote. */
function summaryOf(update: UpdateFacts | undefined, maximum: number): string | null {
  if (update === undefined || update.text === null) return null;
  return cut(markdownToText(update.text).replaceAll(/\s+/g, ' '), maximum);
}

/** Time for people and programs. */
export function timeOf(at: number, text: string): Html {
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
