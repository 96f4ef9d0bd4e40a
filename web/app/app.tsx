import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { Confirmations } from '../parts/dialog.tsx';
import { NotFound, Waiting } from '../parts/failure.tsx';
import { Menus } from '../parts/menu.tsx';
import { StatusShapes } from '../parts/status.tsx';
import { Toasts } from '../parts/toast.tsx';
import { queries } from './api.ts';
import { pageOpened } from './arrival.ts';
import { Boundary } from './boundary.tsx';
import { startLive } from './live.ts';
import { BASE } from './place.ts';
import { PAGES } from './routes.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { Shell } from './shell.tsx';
import { whenReachable } from '../lib/when-reachable.ts';

/** Pages that say and change something without a team. */
const WITHOUT_TEAM = ['/account', '/settings'];

const NoTeam = lazy(whenReachable(() => import('./no-team.tsx')));

/** Shows the dashboard. */
export function showApp(): void {
  createRoot(document.getElementById('app')!).render(<App />);
}

function App(): ReactNode {
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

/** Shows a page from its beginning when it is opened, with the focus on its heading. */
function useBeginning(location: string): void {
  const before = useRef(location);
  // Before the effects of the page, whose heading takes the focus.
  useLayoutEffect(() => {
    if (before.current === location) return;
    before.current = location;
    scrollTo(0, 0);
    pageOpened();
  }, [location]);
}

/** Pages inside of the shell. */
function SignedIn(): ReactNode {
  const [location] = useLocation();
  const hasTeam = useSession().team !== null;
  useEffect(() => (hasTeam ? startLive() : undefined), [hasTeam]);
  useBeginning(location);
  return (
    <Shell>
      <Boundary key={location}>
        <Suspense fallback={<Waiting lines={6} />}>
          {hasTeam || WITHOUT_TEAM.includes(location) ? <PageOfAddress /> : <NoTeam />}
        </Suspense>
      </Boundary>
    </Shell>
  );
}

function PageOfAddress(): ReactNode {
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
