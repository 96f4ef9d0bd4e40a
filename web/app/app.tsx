import { QueryClientProvider } from '@tanstack/react-query';
import { Component, Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { Confirmations } from '../parts/dialog.tsx';
import { Button } from '../parts/button.tsx';
import { NotFound, Waiting } from '../parts/failure.tsx';
import { Menus } from '../parts/menu.tsx';
import { StatusShapes } from '../parts/status.tsx';
import { Toasts } from '../parts/toast.tsx';
import { words } from '../words/index.ts';
import { queries } from './api.ts';
import { pageOpened } from './arrival.ts';
import { startLive } from './live.ts';
import { BASE } from './place.ts';
import { ENTRY_PAGES, PAGES } from './routes.tsx';
import { NoTeam, needsNoTeam } from './no-team.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { Shell } from './shell.tsx';

/** The dashboard. */
export function App(): ReactNode {
  return (
    <QueryClientProvider client={queries}>
      <StatusShapes />
      <Router base={BASE}>
        <Boundary>
          <Switch>
            {ENTRY_PAGES.map(({ path, page: Page }) => (
              <Route key={path} path={path}>
                <Suspense>
                  <Page />
                </Suspense>
              </Route>
            ))}
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
          {hasTeam || needsNoTeam(location) ? <PageOfAddress /> : <NoTeam />}
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

/** Shows a sentence instead of an empty screen when a page fails. After an update of the server its files have other names. */
class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="empty" role="alert">
        <p>{words.errors.broken}</p>
        <Button onClick={() => location.reload()}>{words.errors.reload}</Button>
      </div>
    );
  }
}
