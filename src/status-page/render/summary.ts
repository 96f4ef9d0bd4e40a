import type { PageFacts } from '../facts/model.ts';

/** Summary of a page in the shape of `summary.json` of hosted status pages. */
export function renderSummary(_facts: PageFacts, _baseUrl: string, _now: number): object {
  throw new Error('not rendered yet');
}
