import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { BASE } from './place.ts';
import { useLive } from './live.ts';
import { signOut } from './sign-out.ts';
import { useSession, type Session } from './session.tsx';
import { useOpenIncidents } from './open-incidents.ts';
import { switchTeam } from '../client/sdk.gen.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { openMenu, type MenuItem } from '../parts/menu.tsx';
import { sayError } from '../parts/toast.tsx';
import { clock } from '../lib/format.ts';
import { LANGUAGE_NAMES, words, type Language } from '../words/index.ts';
import { navSections, type NavEntry } from './navigation.ts';
import { Overlays } from './overlays.tsx';
import { openPalette, setOverlay } from './palette-state.ts';
import { useDownInTab } from './tab.ts';
import { rows, setLanguage, setRows, setTheme, theme } from './preferences.ts';

/** Rail with the menu, and the page beside it. On narrow screens a bar above and tabs below. */
export function Shell({ children }: { children: ReactNode }): ReactNode {
  const session = useSession();
  useDownInTab();
  return (
    <>
      <a className="skip" href="#content">
        {words.nav.skip}
      </a>
      <div className="shell">
        <Rail session={session} />
        <div>
          <TopBar session={session} />
          <main className="page" id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
        <TabBar session={session} />
      </div>
      <Overlays />
    </>
  );
}

function Rail({ session }: { session: Session }): ReactNode {
  return (
    <aside className="rail">
      <TeamButton session={session} />
      <nav className="nav" aria-label={words.nav.main}>
        {navSections(session).map(({ title, entries }) => (
          <div key={title ?? ''}>
            {title !== null && <h3>{title}</h3>}
            {entries.map((entry) => (
              <NavLink key={entry.href} entry={entry} />
            ))}
          </div>
        ))}
      </nav>
      <footer>
        <LiveSign />
        <button
          type="button"
          className="person clip"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openPersonMenu(currentTarget)}
        >
          {session.user.name}
        </button>
      </footer>
    </aside>
  );
}

function NavLink({ entry: { href, text, icon } }: { entry: NavEntry }): ReactNode {
  const [location] = useLocation();
  const isHere = location === href || location.startsWith(`${href}/`);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
      {href === '/incidents' && <OpenCount />}
    </Link>
  );
}

function OpenCount(): ReactNode {
  const open = useOpenIncidents();
  if (open === 0) return null;
  return (
    <span className="n" aria-label={words.nav.open(open)}>
      {open}
    </span>
  );
}

function Logo(): ReactNode {
  return (
    <span className="logo">
      <svg width="15" height="15" viewBox="0 0 16 16" aria-hidden="true">
        <use href="#bell" />
      </svg>
    </span>
  );
}

function TeamButton({ session: { team, teams } }: { session: Session }): ReactNode {
  const others = teams.filter(({ is_current }) => !is_current);
  const name = team?.name ?? 'Tocsin';
  if (others.length === 0) {
    return (
      <Link className="team" href="/monitors">
        <Logo />
        <span className="clip">{name}</span>
      </Link>
    );
  }
  return (
    <button
      type="button"
      className="team"
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        openMenu({
          label: words.nav.switchTeam,
          anchor: currentTarget,
          items: teams.map(({ id, name: text, is_current }) => ({
            text,
            ...(is_current && { icon: 'check' as const }),
            onSelect: () => void changeTeam(id),
          })),
        })
      }
    >
      <Logo />
      <span className="clip">{name}</span>
      <Icon name="down" />
    </button>
  );
}

/** All data belongs to the team: the page is loaded again. */
async function changeTeam(id: number): Promise<void> {
  const { error } = await switchTeam({ path: { id } });
  if (error === undefined) location.assign(`${BASE}/monitors`);
  else sayError(error);
}

function openPersonMenu(anchor: HTMLElement): void {
  openMenu({ label: words.nav.account, anchor, items: personItems() });
}

const THEMES = ['system', 'light', 'dark'] as const;

function otherLanguages(): Language[] {
  const here = document.documentElement.lang;
  return (Object.keys(LANGUAGE_NAMES) as Language[]).filter((language) => language !== here);
}

const go = (path: string) => () => location.assign(`${BASE}${path}`);

function personItems(): (MenuItem | 'line')[] {
  return [
    { text: words.nav.account, icon: 'person', onSelect: go('/account') },
    { text: words.nav.api, icon: 'external', onSelect: go('/docs') },
    { text: words.palette.shortcuts, icon: 'key', onSelect: () => setOverlay('shortcuts') },
    'line',
    ...THEMES.filter((one) => one !== theme()).map((one) => ({
      text: words.palette[one],
      onSelect: () => setTheme(one),
    })),
    {
      text: words.palette.rows,
      onSelect: () => setRows(rows() === 'dense' ? 'comfortable' : 'dense'),
    },
    ...otherLanguages().map((language) => ({
      text: LANGUAGE_NAMES[language],
      onSelect: () => setLanguage(language),
    })),
    'line',
    { text: words.nav.signOut, icon: 'out', onSelect: () => void signOut() },
  ];
}

/** Whether what is shown is live, and since when not. */
function LiveSign(): ReactNode {
  const { state, lastNewsAt } = useLive();
  const { zone } = useSession();
  const text =
    state === 'live'
      ? words.live.live
      : lastNewsAt === null
        ? words.live.connecting
        : words.live.lost(clock(lastNewsAt, zone, words.time.locale, true));
  return (
    <span className="live" role="status">
      <span className={state === 'live' ? 'pulse' : 'pulse off'} aria-hidden="true" />
      {text}
    </span>
  );
}

function TopBar({ session: { team } }: { session: Session }): ReactNode {
  const [, navigate] = useLocation();
  const { state } = useLive();
  return (
    <header className="top only-narrow">
      <Logo />
      <span className="clip">{team?.name ?? 'Tocsin'}</span>
      {state === 'lost' && <LiveSign />}
      <span className="right">
        <IconButton look="ghost" icon="search" label={words.common.search} onClick={openPalette} />
        <IconButton
          look="ghost"
          icon="plus"
          label={words.nav.newMonitor}
          onClick={() => navigate('/monitors/new')}
        />
      </span>
    </header>
  );
}

function TabBar({ session }: { session: Session }): ReactNode {
  const [, navigate] = useLocation();
  const all = navSections(session).flatMap(({ entries }) => entries);
  const shown = all.slice(0, 3);
  const rest: (MenuItem | 'line')[] = all
    .slice(3)
    .map(({ href, text, icon }) => ({ text, icon, onSelect: () => navigate(href) }));
  return (
    <nav className="tabbar" aria-label={words.nav.main}>
      {shown.map((entry) => (
        <NavLink key={entry.href} entry={entry} />
      ))}
      <button
        type="button"
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu({
            label: words.nav.more,
            anchor: currentTarget,
            items: [...rest, 'line', ...personItems()],
          })
        }
      >
        <Icon name="more" />
        {words.nav.more}
      </button>
    </nav>
  );
}
