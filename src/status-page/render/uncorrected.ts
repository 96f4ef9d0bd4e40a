import type { PageFacts } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { renderDocument } from './document.ts';
import { html, type Html } from './html.ts';
import { observedText, showsUptime } from './view.ts';
import { wordsOf, type Words } from './words/index.ts';

/** Uptime with and without corrections, side by side, of the services that show theirs; null without any. */
export function renderUncorrected(facts: PageFacts, _now: number): string | null {
  const { page, groups } = facts;
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
      <p class="back">
        <a href="${linkBetween(document, DOCUMENTS.page(page.slug))}"
          >${words.incidents.back(page.name)}</a
        >
      </p>`,
  });
}

function figures(
  {
    uptimePercent,
    observedPercent,
  }: {
    uptimePercent: number | null;
    observedPercent: number | null;
  },
  words: Words,
): Html {
  if (uptimePercent === null) return html`${words.days.noFigure}`;
  const observed = observedText(observedPercent, words);
  return html`${words.percent(uptimePercent)}${observed === null ? null : html` <span class="faint">${observed}</span>`}`;
}
