import { Html, html } from './html.ts';
import type { DayRun } from './days.ts';
import type { DayClass } from './words/index.ts';

/** Units of one day: three are drawn, one is left free. The style sheet has the same numbers as a dash pattern. */
const DAY_UNITS = 4;
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
 * high, and its dashes are the days.
 */
export function barOf(runs: readonly DayRun[], dayCount: number, label: string): Html {
  const width = dayCount * DAY_UNITS - 1;
  const paths = (Object.keys(CLASSES) as DayClass[]).map((dayClass) => {
    const { letter, height, pattern } = CLASSES[dayClass];
    const ofClass = runs.filter((run) => run.dayClass === dayClass);
    if (ofClass.length === 0) return html``;
    const middle = HEIGHT - height / 2;
    const lines = ofClass.map(
      ({ first, count }) => `M${first * DAY_UNITS} ${middle}h${count * DAY_UNITS - 1}`,
    );
    const stroke = pattern === undefined ? null : new Html(` stroke="url(#${pattern})"`);
    return html`<path class="${letter}" ${stroke} d="${lines.join('')}" />`;
  });
  return html`<svg
    class="bar"
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
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
    viewBox="0 0 8 ${HEIGHT}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <path class="${letter}" ${stroke} d="M0 ${HEIGHT - height / 2}h8" />
  </svg>`;
}
