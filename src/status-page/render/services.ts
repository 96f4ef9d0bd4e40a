import { DOCUMENTS } from '../facts/urls.ts';
import type { DayRun } from './days.ts';
import { Html, html, joined, NOTHING } from './html.ts';
import { icon } from './assets.ts';
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
  const { dayCount, runs, table, hasUpDays, imported } = service;
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
    </details>
    ${imported === null ? NOTHING : html`<p class="imported">${imported}</p>`}`;
}

/** A day is one unit wide, three quarters of which are drawn: the style sheet has that as a dash pattern. */
const GAP = 0.25;
const HEIGHT = 32;

/**
 * Height of a day, standing on the ground: the second sign of its class beside its colour. Maintenance and unobserved days
 * have patterns too.
 */
const CLASSES: Record<DayClass, { letter: string; height: number; pattern?: string }> = {
  up: { letter: 'u', height: 22 },
  degraded: { letter: 'w', height: 27 },
  down: { letter: 'd', height: 32 },
  maintenance: { letter: 't', height: 22, pattern: 'm' },
  unobserved: { letter: 'n', height: 22, pattern: 'h' },
};

/**
 * Bar of days as SVG: one stroked path for each class, one line for each run of days. The line is as thick as the days are
 * high, and its dashes are the days. Screen readers get the table.
 */
function barOf(runs: readonly DayRun[], dayCount: number): Html {
  const paths = (Object.keys(CLASSES) as DayClass[]).map((dayClass) => {
    const { letter, height, pattern } = CLASSES[dayClass];
    const ofClass = runs.filter((run) => run.dayClass === dayClass);
    if (ofClass.length === 0) return html``;
    const middle = HEIGHT - height / 2;
    let end = 0;
    const lines = ofClass.map(({ first, count }, index) => {
      // Relative to the end of the line before, which is shorter to write.
      const move = index === 0 ? `M${first} ${middle}` : `m${first - end} 0`;
      end = first + count;
      return `${move}h${count}`;
    });
    const stroke = pattern === undefined ? null : new Html(` stroke="url(#${pattern})"`);
    return html`<path class="${letter}" ${stroke} d="${lines.join('')}" />`;
  });
  return html`<svg
    class="bar"
    viewBox="0 0 ${dayCount - GAP} ${HEIGHT}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${paths}
  </svg>`;
}

function swatchOf(dayClass: DayClass): Html {
  const { letter, height, pattern } = CLASSES[dayClass];
  const stroke = pattern === undefined ? null : new Html(` stroke="url(#${pattern})"`);
  return html`<svg
    class="bar sw"
    viewBox="0 0 2 ${HEIGHT}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path class="${letter}" ${stroke} d="M0 ${HEIGHT - height / 2}h2" />
  </svg>`;
}
