import type { Region } from '../../app/api.gen.ts';

type Offered = Pick<Region, 'code' | 'is_private'>;

/** Regions that all teams share: what a monitor is checked from unless it names others. */
function sharedOf(offered: readonly Offered[]): string[] {
  return offered.filter((region) => region.is_private !== true).map(({ code }) => code);
}

/** Codes of the regions that are ticked. @param draft as in a draft: empty for all shared regions. */
export function chosenRegions(draft: readonly string[], offered: readonly Offered[]): string[] {
  return draft.length === 0 ? sharedOf(offered) : [...draft];
}

/**
 * Regions of a draft after a tick was changed, in the order in which they are offered; null where none would be left.
 * Exactly the shared ones become all, so that one that is added later takes part.
 */
export function toggledRegions(
  draft: readonly string[],
  offered: readonly Offered[],
  change: { code: string; isOn: boolean },
): string[] | null {
  const chosen = chosenRegions(draft, offered);
  const next = offered
    .map(({ code }) => code)
    .filter((code) => (code === change.code ? change.isOn : chosen.includes(code)));
  if (next.length === 0) return null;
  const shared = sharedOf(offered);
  const isDefault = next.length === shared.length && next.every((code) => shared.includes(code));
  return isDefault ? [] : next;
}
