import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { count } from '../lib/format.ts';
import { whenReachable } from '../lib/when-reachable.ts';
import { closeDialog, Confirmations, Dialogs } from '../parts/dialog.tsx';
import { Menus } from '../parts/menu.tsx';
import { Failure, NotFound, pageOpened, Waiting } from '../parts/page.tsx';
import { StatusShapes } from '../parts/status.tsx';
import { Toasts } from '../parts/toast.tsx';
import { queries, useRead } from './api.ts';
import { Boundary } from './boundary.tsx';
import { startLive, stopLive } from './live.ts';
import { BASE, keep, readKept } from './place.ts';
import { PAGES } from './routes.tsx';
import { SessionContext, useSession, type Role, type Session } from './session.ts';
import { Shell } from './shell.tsx';

const NoTeam = lazy(whenReachable(() => import('./no-team.tsx')));

export function showApp(): void {
  if (readKept('team') !== 'unsure') startLive();
  loadPage();
  // The first formatter loads the data of its language. In a task of its own, while the session is read, it delays no frame.
  setTimeout(() => count(0));
  createRoot(document.getElementById('app')!).render(<App />);
}

/** Loads the page of the address while the session is read. A failure shows when the page is rendered. */
function loadPage(): void {
  const path = location.pathname.slice(BASE.length);
  const here = path === '/' ? '/monitors' : path;
  const found = PAGES.find((page) =>
    new RegExp(`^${page.path.replace(':id', '[^/]+')}$`).test(here),
  );
  found?.load().catch(() => {});
}

function App() {
  return (
    <QueryClientProvider client={queries}>
      <StatusShapes />
      <Router base={BASE}>
        <Boundary>
          <Switch>
            <Route path="/">
              <Redirect to="/monitors" replace />
            </Route>
            <Route>
              <SessionProvider>
                <SignedIn />
              </SessionProvider>
            </Route>
          </Switch>
        </Boundary>
        <Menus />
        <Confirmations />
        <Toasts />
      </Router>
    </QueryClientProvider>
  );
}

/** Shows a page from its beginning when it is opened, with the focus on its heading, and without a dialog of the former one. */
function useBeginning(location: string): void {
  const before = useRef(location);
  // Before the effects of the page, whose heading takes the focus.
  useLayoutEffect(() => {
    if (before.current === location) return;
    before.current = location;
    closeDialog();
    scrollTo(0, 0);
    pageOpened();
  }, [location]);
}

/** Pages inside of the shell. */
function SignedIn() {
  const [location] = useLocation();
  const hasTeam = useSession().team !== null;
  useEffect(() => {
    keep('team', hasTeam ? 'known' : 'unsure');
    if (hasTeam) startLive();
    else stopLive();
  }, [hasTeam]);
  useBeginning(location);
  return (
    <Shell>
      <Boundary key={location}>
        <Suspense fallback={<Waiting lines={6} />}>
          {hasTeam || isForAll(location) ? <PageOfAddress /> : <NoTeam />}
        </Suspense>
      </Boundary>
      <Dialogs />
    </Shell>
  );
}

/** Whether a page is of use without a team. */
function isForAll(location: string): boolean {
  return PAGES.some(({ path, menu }) => path === location && menu?.withoutTeam);
}

function PageOfAddress() {
  return (
    <Switch>
      {PAGES.map(({ path, page: Page }) => (
        <Route key={path} path={path}>
          <Page />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

/** Reads who is signed in before it shows anything; a visitor is sent to the sign-in page. */
function SessionProvider({ children }: { children: ReactNode }) {
  const who = useRead('whoAmI');
  const teams = useRead('listTeams');
  const current = teams.data?.data.find(({ is_current }) => is_current) ?? null;
  const team = who.data?.team == null ? null : current;
  const plan = useRead('getPlan', {}, { enabled: team !== null });
  if (who.error) return <Failure error={who.error} retry={() => void who.refetch()} />;
  if (teams.error) return <Failure error={teams.error} retry={() => void teams.refetch()} />;
  if (who.data === undefined || teams.data === undefined) {
    return (
      <div className="page late">
        <Waiting lines={6} />
      </div>
    );
  }
  const rank = team === null ? -1 : ROLES.indexOf(team.role);
  const session: Session = {
    user: who.data.user,
    team,
    needsFactor: who.data.withheld === 'mfa_required',
    teams: teams.data.data,
    plan: plan.data ?? null,
    zone: who.data.user.timezone,
    isAtLeast: (role) => rank >= ROLES.indexOf(role),
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}
