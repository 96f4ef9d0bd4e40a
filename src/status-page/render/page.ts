import { singleLine } from '../../lib/text.ts';
import { monthOf } from '../facts/days.ts';
import type { PageFacts, PageIdentity, ServiceFacts } from '../facts/model.ts';
import type { EmbedVariant } from '../facts/paths.ts';
import { DOCUMENTS, feedsFrom, linkBetween } from '../facts/urls.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';
import { openIncidents, pastList, plannedCards, toneOf, type Place } from './announcements.ts';
import { backTo, renderDocument } from './document.ts';
import { html, Html, NOTHING } from './html.ts';
import { icon } from './assets.ts';
import type { Tone } from './sentence.ts';
import { servicesCard } from './services.ts';
import { observedText, pageView, showsUptime, type PageView } from './view.ts';
import { nameOfWay } from './titles.ts';
import { wordsOf, type Words } from './words/index.ts';

const FULL_STOP = /[.。]$/;
/** Services with a problem that a frame lists. */
const MAX_LISTED = 5;

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
          <a href="${DOCUMENTS.month(page.slug, monthOf(page.timezone, now))}"
            >${words.incidents.history}</a
          >
        </p>
      </section> `;
  return renderDocument({
    page,
    document: place.document,
    title: state.sentence.replace(FULL_STOP, ''),
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

function stateBanner({ state, asOf }: PageView): Html {
  const age = asOf.at === null ? NOTHING : html` data-at="${asOf.at}" data-ago="${asOf.ago}"`;
  return html`<section class="state fact ${state.tone}">
    ${icon(state.tone)}
    <div>
      <h1>${state.sentence}</h1>
      <p>
        ${state.remark === null ? NOTHING : html`${state.remark} `}<span class="asof" ${age}
          >${asOf.text}</span
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

function descriptionText({ description }: PageIdentity): string {
  return singleLine(markdownToText(description ?? ''));
}

/** Subscription by mail, links to the other ways that the page offers, and feeds. */
function updates({ page, words }: PageView): Html {
  const { subscribe } = words;
  const { slug } = page;
  const others = page.subscribeBy.filter((kind) => kind !== 'email');
  const also =
    others.length === 0
      ? NOTHING
      : html`<p class="feeds">
          ${subscribe.also}:
          ${others.map(
            (kind) =>
              html`<a href="${DOCUMENTS.subscribe(slug)}?by=${kind}"
                >${nameOfWay(kind, words)}</a
              > `,
          )}
        </p> `;
  const form = page.subscribeBy.includes('email')
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
    ${form}${also}
    <p class="feeds">
      ${subscribe.feeds}:
      ${feedsFrom(slug, slug).map(({ label, url }) => html`<a href="${url}">${label}</a> `)}
    </p>
  </section>`;
}

function tonesOf(view: PageView): Set<Tone> {
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

/**
 * Summary for frames of other sites. A card has the first sentence, the services with a problem and a link to the page, a strip
 * the sentence that is this link, and a dot the shape of the state.
 */
export function renderEmbed(facts: PageFacts, now: number, variant: EmbedVariant = 'card'): string {
  const view = pageView(facts, now);
  const { page, state, words } = view;
  const document = DOCUMENTS.embed(page.slug);
  const link = linkBetween(document, DOCUMENTS.page(page.slug));
  const affected = view.groups
    .flatMap(({ services }) => services)
    .filter(({ tone }) => tone !== 'up' && tone !== 'paused')
    .slice(0, MAX_LISTED);
  const list =
    affected.length === 0
      ? NOTHING
      : html`<ul>
          ${affected.map(({ name, tone, status }) => html`<li>${icon(tone)}<span class="name">${name}</span><span class="st ${tone}">${status}</span></li>`)}
        </ul> `;
  return renderDocument({
    page,
    document,
    title: state.sentence,
    description: state.sentence,
    tone: state.tone,
    tones: tonesOf(view),
    isListed: false,
    frame: 'none',
    main:
      variant === 'card'
        ? html`<main class="state fact ${state.tone}">
            ${icon(state.tone)}
            <div>
              <h1>${state.sentence}</h1>
              ${list}
              <p>
                <span class="asof">${view.asOf.text}</span> ·
                <a href="${link}" target="_blank" rel="noopener"
                  >${words.incidents.back(page.name)}</a
                >
              </p>
            </div>
          </main>`
        : html`<main class="state fact ${variant} ${state.tone}">
            <h1 class="vh">${page.name}</h1>
            <a href="${link}" target="_blank" rel="noopener" title="${state.sentence}"
              >${icon(state.tone)}<span class="${variant === 'dot' ? 'vh' : 'says'}"
                >${state.sentence}</span
              ></a
            >
          </main>`,
  });
}

/** Uptime with and without corrections, side by side, of the services that show theirs; null without any. */
export function renderUncorrected({ page, groups }: PageFacts): string | null {
  const words = wordsOf(page.language);
  const { uncorrected } = words;
  const document = DOCUMENTS.uncorrected(page.slug);
  const services = groups
    .flatMap((group) => group.services)
    .filter((service) => showsUptime(service, page));
  if (services.length === 0) return null;
  const rows = services.map((service) => {
    const measured = service.uncorrected ?? service;
    return html`<tr>
      <th scope="row">${service.name}</th>
      <td>${figures(service, words)}</td>
      <td>${figures(measured, words)}</td>
    </tr> `;
  });
  return renderDocument({
    page,
    document,
    title: uncorrected.title,
    description: uncorrected.explanation,
    tone: 'unknown',
    isListed: false,
    main: html`<section class="card text">
        <h1>${uncorrected.title}</h1>
        <p>${uncorrected.explanation}</p>
        <div class="scroll" role="region" aria-label="${uncorrected.title}" tabindex="0">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">${uncorrected.service}</th>
                <th scope="col">${uncorrected.corrected}</th>
                <th scope="col">${uncorrected.asMeasured}</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>
        </div>
      </section>
      ${backTo(page, document)}`,
  });
}

function figures(
  { uptimePercent, observedPercent }: Pick<ServiceFacts, 'uptimePercent' | 'observedPercent'>,
  words: Words,
): Html {
  if (uptimePercent === null) return html`${words.days.noFigure}`;
  const observed = observedText(observedPercent, words);
  return html`${words.percent(uptimePercent)}${observed === null ? null : html` <span class="faint">${observed}</span>`}`;
}
