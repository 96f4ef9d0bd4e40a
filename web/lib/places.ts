import type { Region } from '../app/api.gen.ts';

/** A place that is checked from, with the regions that are checked there. */
export interface Place {
  /** The machine that several regions share; null for a region with a place of its own. */
  machine: string | null;
  codes: string[];
}

/** The machine that a region shares with others: what they see is one view. Null for a region with a place of its own. */
export function sharedMachine(code: string, regions: readonly Region[]): string | null {
  const vantage = regions.find((region) => region.code === code)?.vantage ?? null;
  const isShared = regions.some((region) => region.code !== code && region.vantage === vantage);
  return vantage !== null && isShared ? vantage : null;
}

/** The places of these regions, in their order: one for all regions that are checked from one machine. */
export function placesOf(codes: readonly string[], regions: readonly Region[]): Place[] {
  const places = Map.groupBy(codes, (code) => sharedMachine(code, regions) ?? `region ${code}`);
  return [...places.values()].map((of) => ({ machine: sharedMachine(of[0]!, regions), codes: of }));
}

/** What a place says by the letters of its regions, as the overview has them: down when most of those that vote are. */
export function letterOf(
  { codes }: Place,
  letterOfRegion: (code: string) => string,
): 'u' | 'd' | '?' {
  const letters = codes.map(letterOfRegion);
  const down = letters.filter((letter) => letter === 'd').length;
  const voting = down + letters.filter((letter) => letter === 'u').length;
  if (voting === 0) return '?';
  return down * 2 > voting ? 'd' : 'u';
}

/** Number of a check among those that its machine makes in a round, from 1. */
export function numberOf(code: string, regions: readonly Region[]): number {
  const machine = sharedMachine(code, regions);
  const ofMachine = regions.filter((region) => region.vantage === machine);
  return ofMachine.findIndex((region) => region.code === code) + 1;
}
