import { singleLine } from '../../lib/text.ts';
import type { PageFacts, PageIdentity } from '../facts/model.ts';
import { DOCUMENTS } from '../facts/urls.ts';
import { openIncidents, pastList, plannedCards, toneOf, type Place } from './announcements.ts';
import { dateOf } from './calendar.ts';
import { renderDocument } from './document.ts';
import { html, Html, NOTHING } from './html.ts';
import { icon } from './icons.ts';
import type { Tone } from './sentence.ts';
import { servicesCard } from './services.ts';
import { pageView, type PageView } from './view.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';

/**
 * The page as HTML: one document that needs no script.
 *
 * @param isLive whether it keeps itself current; false beside its editor, in a frame without scripts
 */
export function renderPage(facts: PageFacts, now: number, isLive = true): string {
  const view = pageView(facts, now);
  const { page, words, state } = view;
  const place: Place = { page, document: DOCUMENTS.page(page.slug), words, now };
  const past = !page.settings.show_incident_history
    ? NOTHING
    : html`<section class="past">
        <h2>${words.incidents.past}</h2>
        ${view.past.length === 0 ? NOTHING : pastList(view.past, place)}
        <p class="all">
          <a href="${DOCUMENTS.month(page.slug, monthOf(now, page.timezone))}"
            >${words.incidents.history}</a
          >
        </p>
      </section> `;
  return renderDocument({
    page,
    document: place.document,
    title: withoutFullStop(state.sentence),
    description: [state.sentence, state.remark ?? descriptionText(page)]
      .filter(Boolean)
      .join(' · '),
    tone: state.tone,
    tones: tonesOf(view),
    isListed: isLive,
    frame: 'page',
    isLive,
    main: html`${stateBanner(view)}${openIncidents(view.open, place)}${plannedCards(view.planned, place)}${about(view)}${servicesCard(view)}${past}${updates(view)}`,
  });
}

/** First sentence of the page, as its heading. */
function stateBanner({ state, asOf, readAt }: PageView): Html {
  return html`<section class="state fact ${state.tone}">
    ${icon(state.tone)}
    <div>
      <h1>${state.sentence}</h1>
      <p>
        ${state.remark === null ? NOTHING : html`${state.remark} `}<span
          class="asof"
          data-at="${readAt}"
          >${asOf}</span
        >
      </p>
    </div>
  </section> `;
}

/** Description of the page. What is wrong comes before it. */
function about({ page: { description } }: PageView): Html {
  return description === null || description.trim() === ''
    ? NOTHING
    : html`<div class="about">${new Html(markdownToHtml(description))}</div> `;
}

/** Description of the page as plain text in one line. */
function descriptionText({ description }: PageIdentity): string {
  return singleLine(markdownToText(description ?? ''));
}

/** Subscription by mail, where mail is configured, and feeds. */
function updates({ page, words }: PageView): Html {
  const { subscribe } = words;
  const { slug } = page;
  const form = page.canSubscribe
    ? html`<p>
          ${subscribe.explanation}
          <a href="${DOCUMENTS.subscribe(slug)}">${subscribe.chooseServices}</a>
        </p>
        <form class="sub" method="post" action="${DOCUMENTS.subscribe(slug)}">
          <label class="vh" for="email">${subscribe.email}</label
          ><input
            id="email"
            name="email"
            type="email"
            required
            maxlength="254"
            autocomplete="email"
            placeholder="you@example.com"
          /><button class="btn primary" type="submit">${subscribe.submit}</button>
        </form> `
    : NOTHING;
  return html`<section class="card updates" id="updates">
    <h2>${subscribe.title}</h2>
    ${form}
    <p class="feeds">
      ${subscribe.feeds}: <a href="${DOCUMENTS.atom(slug)}">Atom</a>
      <a href="${DOCUMENTS.rss(slug)}">RSS</a> <a href="${DOCUMENTS.jsonFeed(slug)}">JSON</a>
    </p>
  </section>`;
}

/** Shapes that the page uses. */
export function tonesOf(view: PageView): Set<Tone> {
  return new Set<Tone>([
    view.state.tone,
    ...view.groups.flatMap(({ services }) => services.map(({ tone }) => tone)),
    ...view.open.map(toneOf),
    ...(view.planned.length > 0 ? (['maintenance'] as const) : []),
    ...(view.past.some(({ announcements }) =>
      announcements.some(({ kind }) => kind === 'maintenance'),
    )
      ? (['maintenance'] as const)
      : []),
  ]);
}

/** Month of a time in a zone, such as `2030-01`. */
export function monthOf(at: number, zone: string): string {
  return new Date(dateOf(at, zone)).toISOString().slice(0, 7);
}

/** Titles have no full stop. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/[.。]$/, '');
}
