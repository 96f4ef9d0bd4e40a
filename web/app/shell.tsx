import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useLive } from './live.ts';
import { useSession, type Session } from './session.tsx';
import { useOpenIncidents } from './open-incidents.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { StatusShape } from '../parts/status.tsx';
import { openMenu, type MenuItem } from '../parts/menu.tsx';
import { clock } from '../lib/format.ts';
import { words } from '../words/index.ts';
import { navSections, type NavEntry } from './navigation.ts';
import { Overlays } from './overlays.tsx';
import { useDownInTab } from './tab.ts';
import { openPalette } from './palette-state.ts';
import { personItems } from './person-menu.ts';
import { TeamButton } from './team-button.tsx';

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

function Rail({ session }: { session: Session }): ReactNode {
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
      <footer>
        <LiveSign />
        <button
          type="button"
          className="person clip"
          aria-haspopup="menu"
          onClick={({ currentTarget }) =>
            openMenu({
              label: words.nav.account,
              anchor: currentTarget,
              items: personItems(navigate),
            })
          }
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

/** Whether what is shown is live. */
function LiveSign(): ReactNode {
  const { state, lastNewsAt } = useLive();
  const { team } = useSession();
  if (team === null) return null;
  const { live, connecting, notLive } = words.live;
  return (
    <span className="live">
      <span className={state === 'live' ? 'pulse' : 'pulse off'} aria-hidden="true" />
      {state === 'live' ? live : lastNewsAt === null ? connecting : notLive}
    </span>
  );
}

/** Says before the page since when nothing is heard of the server. */
function Lost(): ReactNode {
  const { state, lastNewsAt } = useLive();
  const { zone, team } = useSession();
  const isLost = team !== null && state === 'lost' && lastNewsAt !== null;
  return (
    <div role="status" className={isLost ? 'lost' : ''}>
      {isLost && (
        <>
          <StatusShape standing="unknown" isDecoration />
          <span>{words.live.lost(clock(lastNewsAt, zone, words.time.locale, true))}</span>
        </>
      )}
    </div>
  );
}

function TopBar({ session }: { session: Session }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <header className="top only-narrow">
      <TeamButton session={session} />
      <span className="right">
        <IconButton look="ghost" icon="search" label={words.common.search} onClick={openPalette} />
        {session.isAtLeast('editor') && (
          <IconButton
            look="ghost"
            icon="plus"
            label={words.nav.newMonitor}
            onClick={() => navigate('/monitors/new')}
          />
        )}
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
            items: [...rest, 'line', ...personItems(navigate)],
          })
        }
      >
        <Icon name="more" />
        {words.nav.more}
      </button>
    </nav>
  );
}
