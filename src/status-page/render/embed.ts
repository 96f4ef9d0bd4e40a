import type { PageFacts } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { renderDocument } from './document.ts';
import { html, NOTHING } from './html.ts';
import { icon } from './icons.ts';
import { tonesOf } from './page.ts';
import { pageView } from './view.ts';

/** Services with a problem that a frame lists. */
const MAX_LISTED = 5;

/** Summary for frames of other sites: the first sentence, the services with a problem, and a link to the page. */
export function renderEmbed(facts: PageFacts, now: number): string {
  const view = pageView(facts, now);
  const { page, state, words } = view;
  const document = DOCUMENTS.embed(page.slug);
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
    main: html`<main class="state fact ${state.tone}">
      ${icon(state.tone)}
      <div>
        <h1>${state.sentence}</h1>
        ${list}
        <p>
          <span class="asof">${view.asOf}</span> ·
          <a
            href="${linkBetween(document, DOCUMENTS.page(page.slug))}"
            target="_blank"
            rel="noopener"
            >${words.incidents.back(page.name)}</a
          >
        </p>
      </div>
    </main>`,
  });
}
