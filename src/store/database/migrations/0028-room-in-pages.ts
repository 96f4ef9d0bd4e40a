import type { Engine } from '../dialect.ts';

/**
 * Each round updates the state of its monitor. With room in its page, the new version needs no entry in any index, and the
 * next update of the page removes the old one without a vacuum. bench/vacuum.ts measures it.
 */
export function roomInPages(engine: Engine): string[] {
  return engine === 'postgres' ? ['alter table monitor_state set (fillfactor = 70)'] : [];
}
