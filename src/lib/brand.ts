/** A color on light paper and on dark paper, as `#rrggbb`. */
type Pair = readonly [light: string, dark: string];

/**
 * Colors of Tocsin, by the names that style sheets use. Color means status and nothing else: the rest is ink on paper. The
 * dashboard, public pages, mails and PDF files take them from here; `npm run generate` writes them into the style of the dashboard.
 */
export const BRAND = {
  // Ink and paper.
  bg: ['#f8f9fa', '#0b0d0f'],
  surface: ['#ffffff', '#131518'],
  'surface-2': ['#f2f4f6', '#1b1d21'],
  line: ['#e2e4e6', '#24272b'],
  'line-2': ['#c9ccd1', '#3b3f44'],
  text: ['#14171d', '#f0f1f3'],
  'text-2': ['#4b4f56', '#afb3b8'],
  'text-3': ['#656971', '#8b9096'],
  accent: ['#1f60d4', '#77abf7'],
  inverse: ['#181c22', '#eff0f2'],
  'on-inverse': ['#ffffff', '#101215'],
  // Status: `-fill` for shapes (3:1 on the surface), `-text` for words (4.5:1). Lightness differs as well as hue.
  'up-fill': ['#05a579', '#2ab88b'],
  'up-text': ['#026d4f', '#51d6a7'],
  'down-fill': ['#de1837', '#f64252'],
  'down-text': ['#c4042c', '#fe878b'],
  'warn-fill': ['#eb9708', '#f7b53d'],
  'warn-text': ['#955609', '#f9c261'],
  'maint-fill': ['#7e6cd9', '#988bef'],
  'maint-text': ['#6048b9', '#b7b0fa'],
} as const satisfies Record<string, Pair>;

/** Further colors, of graphics that the dashboard and PDF files show. */
export const CHART_COLORS = {
  // Time without a status.
  'none-fill': ['#bbbec2', '#4a4d53'],
  // Series of charts: never a color of a status; lightness and dash differ, too.
  c1: ['#265bc5', '#6ba5fb'],
  c2: ['#0095ca', '#7ad5f8'],
  c3: ['#9e49b7', '#d28ae8'],
  c4: ['#435163', '#7a8798'],
  // Phases of a request, in their order.
  'p-dns': ['#a4c0e4', '#384e6e'],
  'p-tcp': ['#78a0d9', '#486ca2'],
  'p-tls': ['#4c7fd0', '#6090d8'],
  'p-ttfb': ['#2253b5', '#90bdfa'],
} as const satisfies Record<string, Pair>;
