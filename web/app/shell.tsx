import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { clock } from '../lib/format.ts';
import { whenReachable } from '../lib/when-reachable.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { openMenu, type MenuItem, type MenuRequest } from '../parts/menu.tsx';
import { StatusShape } from '../parts/status.tsx';
import { words } from '../words/index.ts';
import { useRead } from './api.ts';
import { useLive } from './live.ts';
import { navSections, type NavEntry } from './navigation.ts';
import { openPalette, overlay, setOverlay } from './palette-state.ts';
import { useSession, type Session } from './session.ts';
import { useShortcuts } from './shortcuts.ts';
import { useDownInTab } from './tab.ts';

/** Rail with the menu, and the page beside it. On narrow screens a bar above and tabs below. */
export function Shell({ children }: { children: ReactNode }) {
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
            <Lost />
            {children}
          </main>
        </div>
        <TabBar session={session} />
      </div>
      <Overlays />
    </>
  );
}

function Rail({ session }: { session: Session }) {
  const [, navigate] = useLocation();
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
      <footer className="line xs dim">
        <LiveSign />
        <button
          type="button"
          className="line tight xs dim end person"
          title={session.user.name}
          aria-haspopup="menu"
          onClick={openShellMenu(words.nav.account, (menus) => menus.personItems(navigate))}
        >
          <span className="clip">{session.user.name}</span>
          <Icon name="up" />
        </button>
      </footer>
    </aside>
  );
}

const loadMenus = () => import('./shell-menus.ts');

/** Opens a menu whose entries are loaded with the palette, or when the first one is opened. */
function openShellMenu(
  label: string,
  itemsOf: (menus: Awaited<ReturnType<typeof loadMenus>>) => MenuRequest['items'],
) {
  return async ({ currentTarget: anchor }: { currentTarget: HTMLElement }) =>
    openMenu({ label, anchor, items: itemsOf(await whenReachable(loadMenus)()) });
}

/** Pages that are tabs of one in the menu. */
const TABS_OF: Record<string, readonly string[]> = { '/settings': ['/plan', '/installation'] };

function NavLink({ entry: { href, text, icon } }: { entry: NavEntry }) {
  const [location] = useLocation();
  const isHere =
    location === href || location.startsWith(`${href}/`) || TABS_OF[href]?.includes(location);
  return (
    <Link href={href} title={text} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
      {href === '/incidents' && <OpenCount />}
    </Link>
  );
}

function OpenCount() {
  const open = useOpenIncidents();
  if (open === 0) return null;
  return (
    <span className="n" aria-label={words.nav.open(open)}>
      {open}
    </span>
  );
}

/** Whether what is shown is live. */
function LiveSign() {
  const { state, lastNewsAt } = useLive();
  const { team } = useSession();
  if (team === null) return null;
  const { live, connecting, notLive } = words.live;
  return (
    <span className="line live">
      <span className={state === 'live' ? 'pulse' : 'pulse off'} aria-hidden="true" />
      <span className="live-text">
        {state === 'live' ? live : lastNewsAt === null ? connecting : notLive}
      </span>
    </span>
  );
}

/** Says before the page since when nothing is heard of the server. */
function Lost() {
  const { state, lastNewsAt } = useLive();
  const { zone, team } = useSession();
  const isLost = team !== null && state === 'lost' && lastNewsAt !== null;
  return (
    <div role="status" className={isLost ? 'line lost' : ''}>
      {isLost && (
        <>
          <StatusShape displayStatus="unknown" isDecoration />
          <span>{words.live.lost(clock(lastNewsAt, zone, true))}</span>
        </>
      )}
    </div>
  );
}

function TopBar({ session }: { session: Session }) {
  const [, navigate] = useLocation();
  return (
    <header className="top only-narrow">
      <TeamButton session={session} />
      <span className="right">
        <IconButton icon="search" label={words.common.search} onClick={openPalette} />
        {session.isAtLeast('editor') && (
          <IconButton
            icon="plus"
            label={words.nav.newMonitor}
            onClick={() => navigate('/monitors/new')}
          />
        )}
      </span>
    </header>
  );
}

function TabBar({ session }: { session: Session }) {
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
        onClick={openShellMenu(words.common.more, (menus) => [
          ...rest,
          'line',
          ...menus.personItems(navigate),
        ])}
      >
        <Icon name="more" />
        {words.common.more}
      </button>
    </nav>
  );
}

/** Number of open incidents; 0 until it is known. */
function useOpenIncidents(): number {
  const { team } = useSession();
  const { data } = useRead(
    'listIncidents',
    { query: { status: 'open', per_page: 1 } },
    { enabled: team !== null },
  );
  return data?.total ?? 0;
}

const loadPalette = () => import('./palette.tsx');
const Palette = lazy(whenReachable(loadPalette));
const ShortcutHelp = lazy(whenReachable(() => import('./shortcut-help.tsx')));

/** What is loaded ahead, so that it opens at the key. */
const LATE: readonly (() => Promise<unknown>)[] = [
  loadPalette,
  loadMenus,
  () => import('./speaker.ts'),
];
const LATE_AFTER_MS = 1_500;

const close = () => setOverlay(null);

/** The palette and the list of shortcuts, which open over any page. */
function Overlays() {
  useShortcuts();
  useEffect(() => {
    // Before it is asked for, once the page has settled: then it opens at the key.
    // A failure loads nothing again: nobody asked for it.
    const timer = setTimeout(() => {
      for (const load of LATE) load().catch(() => {});
    }, LATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const open = overlay.useValue();
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'shortcuts' && <ShortcutHelp onClose={close} />}
    </Suspense>
  );
}

/** Name of the team: a button that switches, and leads to what is about teams. */
function TeamButton({ session: { team, teams } }: { session: Session }) {
  const [, navigate] = useLocation();
  const name = team?.name ?? 'Tocsin';
  return (
    <button
      type="button"
      className="team"
      title={name}
      aria-haspopup="menu"
      onClick={openShellMenu(words.nav.switchTeam, (menus) => menus.teamItems(teams, navigate))}
    >
      <Logo />
      <span className="clip">{name}</span>
      <Icon name="down" />
    </button>
  );
}

function Logo() {
  return (
    <span className="brand">
      <svg width="15" height="15" viewBox="0 0 16 16" aria-hidden="true">
        <use href="#bell" />
      </svg>
    </span>
  );
}
