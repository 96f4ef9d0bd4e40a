/** DisplayStatus of a slot of time: up, degraded (w), down, maintenance, paused, not observed (?), before creation (-). */
export type Slot = 'u' | 'w' | 'd' | 'm' | 'p' | '?' | '-';

/** Class of each displayStatus, and where its stroke begins on a height of 20: the height is the second sign. */
const STROKES: Record<Exclude<Slot, '-'>, { name: string; top: number }> = {
  u: { name: 'u', top: 6 },
  w: { name: 'w', top: 3 },
  d: { name: 'd', top: 0 },
  m: { name: 't', top: 6 },
  p: { name: 'p', top: 18 },
  '?': { name: 'n', top: 6 },
};

export const BAR_HEIGHT = 20;
const STEP = 4.33;
/** Width of a stroke; the rest of a step is the gap. */
export const BAR_STROKE = 3.13;

/** Width of a bar with this number of slots, in units of its view box. */
export function barWidth(slots: number): number {
  return slots === 0 ? 0 : round((slots - 1) * STEP + BAR_STROKE);
}

interface BarPath {
  name: string;
  path: string;
}

/** Paths by slots: most bars of a list are the same ones. */
const drawn = new Map<string, BarPath[]>();
const MAX_DRAWN = 500;

/** One path for each displayStatus that occurs: 90 slots are about a kilobyte. */
export function barPaths(slots: string): BarPath[] {
  const known = drawn.get(slots);
  if (known !== undefined) return known;
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  const paths = draw(slots);
  drawn.set(slots, paths);
  return paths;
}

function draw(slots: string): BarPath[] {
  const paths = new Map<string, string>();
  for (const [index, slot] of [...slots].entries()) {
    const stroke = STROKES[slot as Exclude<Slot, '-'>];
    if (stroke === undefined) continue;
    const x = round(index * STEP + BAR_STROKE / 2);
    paths.set(stroke.name, `${paths.get(stroke.name) ?? ''}M${x} ${stroke.top}V${BAR_HEIGHT}`);
  }
  return [...paths].map(([name, path]) => ({ name, path }));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
