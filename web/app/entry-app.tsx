import { lazy, Suspense, type ReactNode } from 'react';
import { StatusShapes } from '../parts/status.tsx';
import { Boundary } from './boundary.tsx';
import { entryPageAt } from './entry-pages.ts';

const Page = lazy(() => entryPageAt(location.pathname));

/** A page for visitors. It has no stream and no session. */
export function EntryApp(): ReactNode {
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
