import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BRAND } from '../../lib/brand.ts';
import { FONT_FILES, ROOTS } from './brand.ts';
import { Html, html } from './html.ts';
import type { Tone } from './sentence.ts';

/**
 * Shapes of states on a grid of 16: each has a form of its own, so that colour is the second sign. `currentColor` fills,
 * the class `k` is what is cut out.
 */
const SHAPES: Record<Tone, string> = {
  up: '<circle cx="8" cy="8" r="7" fill="currentColor"/><path class="k" d="M5 8.3l2.1 2.1L11.2 6"/>',
  down: '<rect x="1" y="1" width="14" height="14" rx="3.2" fill="currentColor"/><path class="k" d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2"/>',
  degraded:
    '<path d="M6.7 1.9a1.5 1.5 0 0 1 2.6 0l5.9 10.4a1.5 1.5 0 0 1-1.3 2.2H2.1a1.5 1.5 0 0 1-1.3-2.2z" fill="currentColor"/><path class="k" d="M8 5.6v3.6M8 11.8v.1"/>',
  maintenance:
    '<rect x="2.6" y="2.6" width="10.8" height="10.8" rx="2.4" transform="rotate(45 8 8)" fill="currentColor"/><path class="k" d="M5.8 8h4.4"/>',
  unknown:
    '<g fill="none" stroke="currentColor" stroke-linecap="round"><circle cx="8" cy="8" r="6.2" stroke-width="1.6" stroke-dasharray="2.6 2.27"/><path stroke-width="1.5" d="M8 9.2c0-1.4 1.6-1.3 1.6-2.6a1.6 1.6 0 0 0-3.2 0M8 11.2v.1"/></g>',
  paused:
    '<g fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><circle cx="8" cy="8" r="6.2"/><path d="M6.4 5.8v4.4M9.6 5.8v4.4"/></g>',
};

/** Colours of the tab's icon, which no style sheet reaches: at least 3:1 on white and on black. */
const TAB_COLORS: Record<Tone, string> = {
  up: '#05a579',
  down: '#ec2f45',
  degraded: '#d98500',
  maintenance: '#8474de',
  unknown: '#82868d',
  paused: '#82868d',
};

export interface Asset {
  /** Below `/status/`, such as `_/2Jmj7l5rSw0yVb_v/style.css`: the hash is that of all files, so that they never change. */
  path: string;
  type: string;
  bytes: Buffer;
}

/** A file as it is sent: without comments and indentation, of which there are none in its strings. */
const textOf = (file: URL) =>
  readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '')
    .replaceAll(/\n\s*/g, '\n');

/** Further colors, as in BRAND: of the box and the edge of a state, and of what has none. */
const COLORS = {
  'surface-3': ['#f7f8f9', '#181a1d'],
  'up-soft': ['#edf7f2', '#182121'],
  'up-line': ['#add0c3', '#305248'],
  'down-soft': ['#fef0ef', '#231a1d'],
  'down-line': ['#eaafae', '#643639'],
  'warn-soft': ['#fef4e9', '#27241f'],
  'warn-line': ['#e7cdb0', '#61513a'],
  'maint-soft': ['#f4f3fd', '#1c1d26'],
  'maint-line': ['#bfbee5', '#464564'],
  'none-fill': ['#8f939a', '#767a81'],
  'on-fill': ['#ffffff', '#131518'],
  shadow: ['0 1px 2px rgb(20 23 29 / 5%)', '0 1px 2px rgb(0 0 0 / 30%)'],
} as const;

/** Custom properties of all colors in a scheme: old browsers of visitors know no `light-dark()`. */
const colorsOf = (scheme: 0 | 1) =>
  `${ROOTS}{${Object.entries({ ...BRAND, ...COLORS })
    .map(([name, pair]) => `--${name}:${pair[scheme]}`)
    .join(';')}}`;

const FILES = [
  {
    name: 'style.css',
    type: 'text/css; charset=utf-8',
    // Paper is light.
    text: `${colorsOf(0)}
@media screen and (prefers-color-scheme:dark){${colorsOf(1)}}
${textOf(new URL('./style.css', import.meta.url))}`,
  },
  {
    name: 'live.js',
    type: 'text/javascript; charset=utf-8',
    text: textOf(new URL('./browser/live.js', import.meta.url)),
  },
  // Icons of the browser's tab.
  ...(Object.keys(SHAPES) as Tone[]).map((tone) => ({
    name: `${tone}.svg`,
    type: 'image/svg+xml',
    text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="${TAB_COLORS[tone]}"><style>.k{fill:none;stroke:#fff;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}</style>${SHAPES[tone]}</svg>\n`,
  })),
];

const HASH = createHash('sha256')
  .update(FILES.map(({ name, text }) => `${name}\0${text.length}\0${text}`).join(''))
  .digest('base64url')
  .slice(0, 16);

export const ASSETS: readonly Asset[] = [
  ...FILES.map(({ name, type, text }) => ({ name, type, bytes: Buffer.from(text) })),
  ...FONT_FILES.map((file) => ({ ...file, type: 'font/woff2' })),
].map(({ name, ...file }) => ({ ...file, path: assetPath(name) }));

export function assetPath(name: string): string {
  return `_/${HASH}/${name}`;
}

/** Definitions of the shapes that a document uses, at its beginning. */
export function sprite(tones: ReadonlySet<Tone>): Html {
  const symbols = [...tones].map(
    (tone) => new Html(`<symbol id="i-${tone}" viewBox="0 0 16 16">${SHAPES[tone]}</symbol>`),
  );
  return html`<svg class="sprite" width="0" height="0" aria-hidden="true">
    <defs>
      ${symbols}
      <pattern
        id="h"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="scale(.25 1) rotate(45)"
      >
        <rect class="hb" width="5" height="5" />
        <path class="h" d="M0 0V5" />
      </pattern>
      <pattern id="m" width="6" height="6" patternUnits="userSpaceOnUse">
        <path class="m" d="M0 2H6" />
      </pattern>
    </defs>
  </svg>`;
}

/** Shape of a state. The word for it stands beside, so that it says nothing to screen readers. */
export function icon(tone: Tone): Html {
  return html`<svg class="g ${tone}" aria-hidden="true"><use href="#i-${tone}" /></svg>`;
}
