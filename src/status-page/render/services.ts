import { DOCUMENTS } from '../facts/urls.ts';
import { barOf, swatchOf } from './bar.ts';
import { html, joined, NOTHING, type Html } from './html.ts';
import { icon } from './icons.ts';
import type { GroupView, PageView, ServiceView } from './view.ts';
import type { DayClass, Words } from './words/index.ts';

const LEGEND: readonly DayClass[] = ['up', 'degraded', 'down', 'maintenance', 'unobserved'];

/** The services of a page, by group. Custom CSS does not reach elements of the class `fact`. */
export function servicesCard(view: PageView): Html {
  const { words, groups } = view;
  const services = groups.flatMap((group) => group.services);
  if (services.length === 0) return NOTHING;
  const bars = services.filter(({ display }) => display === 'bar');
  const period =
    bars.length === 0
      ? NOTHING
      : html`<span class="faint">${words.days.lastDays(bars[0]!.dayCount)}</span>`;
  const uncorrected = view.hasCorrections
    ? html`<a href="${DOCUMENTS.uncorrected(view.page.slug)}">${words.days.uncorrectedLink}</a>`
    : NOTHING;
  const legend =
    bars.length === 0
      ? NOTHING
      : joined(
          LEGEND.map(
            (dayClass) =>
              html`<span
                >${swatchOf(dayClass)}${dayClass === 'unobserved' ? words.days.unobservedLegend : words.days.classes[dayClass]}</span
              >`,
          ),
        );
  const foot = joined([legend, uncorrected]);
  // For browser/live.js, which names the day of a bar under the pointer.
  const span =
    bars.length === 0
      ? NOTHING
      : html` data-from="${bars[0]!.firstDay}" data-days="${bars[0]!.dayCount}"`;
  return html`<section class="card services" aria-labelledby="services" ${span}>
    <header>
      <h2 id="services">${words.days.services}</h2>
      ${period}
    </header>
    ${groups.map((group) => groupOf(group, words))}
    ${foot.text === '' ? foot : html`<p class="legend fact">${foot}</p>`}
  </section> `;
}

function groupOf(group: GroupView, words: Words): Html {
  const heading =
    group.name === null
      ? NOTHING
      : html`<div class="grp">
          <h3>${group.name}</h3>
          <span class="fact ${group.summary.tone}">${group.summary.text}</span>
        </div> `;
  return html`${heading}
    <ul>
      ${joined(
        group.services.map((service) => serviceOf(service, words)),
        '\n',
      )}
    </ul>`;
}

function serviceOf(service: ServiceView, words: Words): Html {
  const { name, tone, status, display } = service;
  return html`<li class="svc fact">
    <div class="r">
      ${icon(tone)}<span class="name">${name}</span><span class="st ${tone}">${status}</span>
    </div>
    ${display === 'bar' ? daysOf(service, words) : figuresOf(service)}
  </li>`;
}

/** Figures in words: uptime, observed share, response time. Lines break between them only. */
function figuresIn({ uptime, observed, responseTime }: ServiceView): string {
  return [uptime, observed, responseTime]
    .filter((text) => text !== null)
    .map((text) => text.replaceAll(' ', '\u00A0'))
    .join(' · ');
}

function figuresOf(service: ServiceView): Html {
  const { display, uptime, observed, responseTime } = service;
  const [main, ...others] =
    display === 'response_time'
      ? [responseTime, uptime, observed]
      : [uptime, observed, responseTime];
  const rest = others.filter((text) => text !== null && text !== undefined).join(' · ');
  if (main === null && rest === '') return NOTHING;
  return html`<p class="fig">
    <b>${main ?? null}</b>${main !== null && rest !== '' ? ' · ' : ''}${rest}
  </p>`;
}

/** Bar of days over its ends. Opening them shows the same as a table. */
function daysOf(service: ServiceView, words: Words): Html {
  const { dayCount, runs, table, hasUpDays } = service;
  const { days } = words;
  const rows = table.map(
    (row) =>
      html`<tr>
        <th>${days.classes[row.dayClass]}</th>
        <td>${row.days}</td>
      </tr>`,
  );
  const others = hasUpDays
    ? html`<tr>
        <th>${days.classes.up}</th>
        <td>${table.length === 0 ? days.allDays : days.otherDays}</td>
      </tr>`
    : NOTHING;
  return html`${barOf(runs, dayCount)}
    <details>
      <summary class="ends">
        <span>${days.daysAgo(dayCount)}</span
        ><span class="tbl">${figuresIn(service)}<span class="vh"> ${days.table}</span></span
        ><span>${days.today}</span>
      </summary>
      <table>
        ${rows}${others}
      </table>
    </details>`;
}
