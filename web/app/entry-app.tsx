import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { whenReachable } from '../lib/when-reachable.ts';
import { StatusShapes } from '../parts/status.tsx';
import { Boundary } from './boundary.tsx';
import { entryPageAt } from './entry-pages.ts';

const Page = lazy(whenReachable(() => entryPageAt(location.pathname)));

/** Shows the page for visitors at the address. It has no stream and no session. */
export function showEntryApp(): void {
  createRoot(document.getElementById('app')!).render(<EntryApp />);
}

function EntryApp() {
  return (
    <>
      <StatusShapes />
      <Boundary>
        <Suspense>
          <Page />
        </Suspense>
      </Boundary>
    </>
  );
}
