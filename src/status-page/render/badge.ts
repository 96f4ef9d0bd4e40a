import type { PageFacts } from '../facts/model.ts';

/** Badge of a page or a service as SVG. */
export function renderBadge(
  _facts: PageFacts,
  _query: { kind: 'status' | 'uptime'; monitorId: number | null },
  _now: number,
): string {
  throw new Error('not rendered yet');
}
