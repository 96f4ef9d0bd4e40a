import { Html, html } from './html.ts';
import type { DayRun } from './days.ts';
import type { DayClass } from './words/index.ts';

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
export function barOf(runs: readonly DayRun[], dayCount: number): Html {
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

/** One day of a class, for the legend. */
export function swatchOf(dayClass: DayClass): Html {
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
