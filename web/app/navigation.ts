import type { IconName } from '../parts/icon.tsx';
import { words } from '../words/index.ts';
import { PAGES, type NavName } from './routes.tsx';
import type { Session } from './session.ts';

export interface NavEntry {
  href: string;
  text: string;
  icon: IconName;
}

interface NavSection {
  title: string | null;
  entries: NavEntry[];
}

/** Entries of the menu, those that the person may use. */
export function navSections(session: Session): NavSection[] {
  const { alerting, team } = words.nav;
  return [
    { title: null, entries: entriesOf('main', session) },
    { title: alerting, entries: entriesOf('alerting', session) },
    { title: session.team === null ? null : team, entries: entriesOf('team', session) },
  ].filter(({ entries }) => entries.length > 0);
}

/** Pages that the menu does not list, those that the person may use. */
export const furtherPages = (session: Session): NavEntry[] => entriesOf('further', session);

function entriesOf(wanted: string, { team, isAtLeast }: Session): NavEntry[] {
  return PAGES.flatMap(({ path, menu }) => {
    if (menu?.in !== wanted) return [];
    const name = path.slice(1).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const { icon = name as IconName, least = 'viewer', withoutTeam = false } = menu;
    const isOfUse = team === null ? withoutTeam : isAtLeast(least);
    return isOfUse ? [{ href: path, text: words.nav[name as NavName], icon }] : [];
  });
}
