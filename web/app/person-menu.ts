import type { MenuItem } from '../parts/menu.tsx';
import { words } from '../words/index.ts';
import { LANGUAGE_NAMES, type Language } from '../words/languages.ts';
import { setOverlay } from './palette-state.ts';
import { BASE } from './place.ts';
import { rows, setLanguage, setRows, setTheme, theme } from './preferences.ts';
import { signOut } from './sign-out.ts';

const THEMES = ['system', 'light', 'dark'] as const;

/** Entries about the person and this browser: account, help, look, language, sign-out. */
export function personItems(navigate: (path: string) => void): (MenuItem | 'line')[] {
  const { nav, palette } = words;
  return [
    { text: nav.account, icon: 'person', onSelect: () => navigate('/account') },
    { text: nav.api, icon: 'external', onSelect: () => location.assign(`${BASE}/docs`) },
    { text: palette.shortcuts, icon: 'keyboard', onSelect: () => setOverlay('shortcuts') },
    'line',
    ...THEMES.map((one) => ({
      text: palette[one],
      ...(one === theme() && { icon: 'check' as const }),
      onSelect: () => setTheme(one),
    })),
    {
      text: palette.rows,
      ...(rows() === 'dense' && { icon: 'check' as const }),
      onSelect: () => setRows(rows() === 'dense' ? 'comfortable' : 'dense'),
    },
    ...otherLanguages().map((language) => ({
      text: LANGUAGE_NAMES[language],
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
