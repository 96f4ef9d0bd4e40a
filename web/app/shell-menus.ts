import type { MenuItem } from '../parts/menu.tsx';
import { words } from '../words/index.ts';
import { LANGUAGE_NAMES, type Language } from '../words/languages.ts';
import { changeTeam } from './change-team.ts';
import { setOverlay } from './palette-state.ts';
import { BASE } from './place.ts';
import { rows, setLanguage, setRows, setTheme, theme } from './preferences.ts';
import type { Session } from './session.ts';
import { signOut } from './sign-out.ts';

type Items = (MenuItem | 'line')[];
type Navigate = (path: string) => void;

const THEMES = ['system', 'light', 'dark'] as const;

/** Entries about the person and this browser: account, help, look, language, sign-out. */
export function personItems(navigate: Navigate): Items {
  const { nav } = words;
  return [
    { text: nav.account, icon: 'person', onSelect: () => navigate('/account') },
    { text: nav.api, icon: 'external', onSelect: () => location.assign(`${BASE}/docs`) },
    { text: nav.shortcuts, icon: 'keyboard', onSelect: () => setOverlay('shortcuts') },
    'line',
    ...THEMES.map((one) => ({
      text: nav[one],
      icon: one,
      isChosen: one === theme(),
      onSelect: () => setTheme(one),
    })),
    'line',
    {
      text: nav.denseRows,
      icon: 'menu',
      isChosen: rows() === 'dense',
      onSelect: () => setRows(rows() === 'dense' ? 'comfortable' : 'dense'),
    },
    ...otherLanguages().map((language) => ({
      text: LANGUAGE_NAMES[language],
      icon: 'globe' as const,
      onSelect: () => setLanguage(language),
    })),
    'line',
    { text: nav.signOut, icon: 'out', onSelect: () => void signOut() },
  ];
}

function otherLanguages(): Language[] {
  const here = document.documentElement.lang;
  return (Object.keys(LANGUAGE_NAMES) as Language[]).filter((language) => language !== here);
}

/** The teams of the person, and what there is to do with them. */
export function teamItems(teams: Session['teams'], navigate: Navigate): Items {
  return [
    ...teams
      .toSorted((one, other) => one.name.localeCompare(other.name, words.time.locale))
      .map(({ id, name: text, is_current }) => ({
        text,
        isChosen: is_current,
        onSelect: () => (is_current ? navigate('/monitors') : void changeTeam(id)),
      })),
    'line',
    { text: words.nav.newTeam, icon: 'plus', onSelect: () => navigate('/settings?create') },
    { text: words.nav.settings, icon: 'settings', onSelect: () => navigate('/settings') },
  ];
}
