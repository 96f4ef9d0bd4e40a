import { DOCUMENTS } from '../facts/urls.ts';
import { dateOf } from '../facts/days.ts';
import type { PageIdentity } from '../facts/model.ts';
import { classNames, type DayRun, type Piece } from './days.ts';
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
  const bar = services.find(({ display }) => display === 'bar');
  const period = [bar && words.days.lastDays(bar.dayCount), view.observed];
  const uncorrected = view.hasCorrections
    ? html`<a href="${DOCUMENTS.uncorrected(view.page.slug)}">${words.days.uncorrectedLink}</a>`
    : NOTHING;
  const legend =
    bar === undefined
      ? NOTHING
      : joined(
          LEGEND.map(
            (dayClass) =>
              html`<span
                >${swatchOf(dayClass)}${dayClass === 'unobserved' ? words.days.unobservedLegend : classNames(words)[dayClass]}</span
              >`,
          ),
        );
  const foot = joined([legend, uncorrected]);
  return html`<section class="card services" aria-labelledby="services" ${daysForScript(view, bar)}>
    <header>
      <h2 id="services">${words.days.services}</h2>
      <span class="faint">${period.filter((text) => text).join(' · ')}</span>
    </header>
    ${view.canSearch ? searchOf(words) : NOTHING}${groups.map((group) => groupOf(group, view))}
    ${foot.text === '' ? foot : html`<p class="legend fact">${foot}</p>`}
  </section> `;
}

/** What browser/live.js needs to say what happened on the day of a bar: its date, and the incidents of the days. */
function daysForScript({ happened }: PageView, bar: ServiceView | undefined): Html {
  if (bar === undefined) return NOTHING;
  const lines = happened.map(
    ({ first, last, services, title }) => `${first} ${last} ${services.join(',')} ${title}`,
  );
  const what = lines.length === 0 ? NOTHING : html` data-what="${lines.join('\n')}"`;
  return html` data-from="${bar.firstDay}" data-days="${bar.dayCount}"${what}`;
}

/** Shown by the script, without which all services are. */
function searchOf({ days }: Words): Html {
  return html`<div class="find" hidden>
    <input type="search" aria-label="${days.find}" placeholder="${days.find}" autocomplete="off" />
    <p role="status" data-none="${days.noMatch}"></p>
  </div> `;
}

function groupOf({ name, summary, isOpen, services }: GroupView, view: PageView): Html {
  const list = html`<ul>
    ${joined(
      services.map((service) => serviceOf(service, view)),
      '\n',
    )}
  </ul>`;
  return name === null
    ? list
    : html`<details class="group" ${isOpen ? html` open` : null}>
        <summary class="grp">
          <h3>${name}</h3>
          <span class="fact ${summary.tone}">${summary.text}</span>
        </summary>
        ${list}
      </details> `;
}

function serviceOf(service: ServiceView, view: PageView): Html {
  const { name, tone, status, display, minutes } = service;
  const ofDays = minutes.length === 0 ? NOTHING : html` data-m="${minutes.join(' ')}"`;
  return html`<li class="svc fact" ${ofDays}>
    <div class="r">
      ${icon(tone)}<span class="name">${name}</span><span class="st ${tone}">${status}</span>
    </div>
    ${display === 'bar' ? daysOf(service, view) : figuresOf(service)}
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
    </p>
    ${display === 'response_time' ? chartOf(service) : NOTHING}`;
}

const CHART_HEIGHT = 48;

/** Response times of the last hours: a curve over a line at 0, below one at the longest. An hour without a result is a gap. */
function chartOf({ chart }: ServiceView): Html {
  if (chart === null) return NOTHING;
  const { times, most, scale, text, from, to } = chart;
  const heights = times.map((time) => time && Math.round(CHART_HEIGHT * (1 - time / most)));
  const points = heights.map((y, index) => {
    if (y === null) return '';
    const before = heights[index - 1] ?? null;
    if (before !== null) return `l1 ${y - before}`;
    // A lone point is a line of no length, which its round ends show.
    return `M${index} ${y}${(heights[index + 1] ?? null) === null ? 'h0' : ''}`;
  });
  return html`<figure class="chart">
    <span class="scale" aria-hidden="true">${scale}</span>
    <svg
      viewBox="0 0 ${times.length - 1} ${CHART_HEIGHT}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d="${points.join('').replaceAll(' -', '-')}" />
    </svg>
    <figcaption class="ends">
      <span>${from}</span><span class="tbl">${text}</span><span>${to}</span>
    </figcaption>
  </figure>`;
}

/** Bar of days over its ends. Opening them shows the same as a table, with a link to each day on which something happened. */
function daysOf(service: ServiceView, { words, page }: PageView): Html {
  const { dayCount, runs, table, hasUpDays, imported } = service;
  const { days } = words;
  const rows = table.map(
    (row) =>
      html`<tr>
        <th>${classNames(words)[row.dayClass]}</th>
        <td>${row.days.map((piece) => pieceOf(piece, page, row.dayClass))}</td>
      </tr>`,
  );
  const others = hasUpDays
    ? html`<tr>
        <th>${words.service.up}</th>
        <td>${table.length === 0 ? days.allDays : days.otherDays}</td>
      </tr>`
    : NOTHING;
  return html`${barOf(runs, dayCount)}
    <details>
      <summary class="ends">
        <span>${words.ago(dayCount, 'day')}</span
        ><span class="tbl">${figuresIn(service)}<span class="vh"> ${days.table}</span></span
        ><span>${words.ago(0, 'day')}</span>
      </summary>
      <table>
        ${rows}${others}
      </table>
      ${chartOf(service)}
    </details>
    ${imported === null ? NOTHING : html`<p class="imported">${imported}</p>`}`;
}

/** Links are for days with a problem: those of planned maintenance would make up half of a large page. */
const LINKED: ReadonlySet<DayClass> = new Set(['down', 'degraded']);

function pieceOf({ text, day }: Piece, { slug, timezone, settings }: PageIdentity, of: DayClass) {
  if (day === undefined || !settings.show_incident_history || !LINKED.has(of)) return html`${text}`;
  const date = new Date(dateOf(day, timezone));
  const document = DOCUMENTS.month(slug, date.toISOString().slice(0, 7));
  return html`<a href="${document}#d${date.getUTCDate()}">${text}</a>`;
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
    const ofClass = runs.filter((run) => run.dayClass === dayClass);
    if (ofClass.length === 0) return NOTHING;
    let end = 0;
    const lines = ofClass.map(({ first, count }, index) => {
      // Relative to the end of the line before, which is shorter to write.
      const move = index === 0 ? `M${first} ${middleOf(dayClass)}` : `m${first - end} 0`;
      end = first + count;
      return `${move}h${count}`;
    });
    return pathOf(dayClass, lines.join(''));
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

const middleOf = (dayClass: DayClass) => HEIGHT - CLASSES[dayClass].height / 2;

function pathOf(dayClass: DayClass, lines: string): Html {
  const { letter, pattern } = CLASSES[dayClass];
  const stroke = pattern === undefined ? null : new Html(` stroke="url(#${pattern})"`);
  return html`<path class="${letter}" ${stroke} d="${lines}" />`;
}

function swatchOf(dayClass: DayClass): Html {
  return html`<svg
    class="bar sw"
    viewBox="0 0 2 ${HEIGHT}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${pathOf(dayClass, `M0 ${middleOf(dayClass)}h2`)}
  </svg>`;
}
