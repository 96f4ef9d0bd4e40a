import { words } from '../words/index.ts';

/** Name of a region; its code where the words have none, and nothing for a check without a region. */
export function regionName(code: string | null): string {
  return code === null ? '' : ((words.regions as Record<string, string>)[code] ?? code);
}
