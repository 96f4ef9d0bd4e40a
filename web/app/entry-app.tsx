import type { ComponentType, ReactNode } from 'react';
import { StatusShapes } from '../parts/status.tsx';
import { Boundary } from './boundary.tsx';

/** A page for visitors. It has no stream and no session. */
export function EntryApp({ page: Page }: { page: ComponentType }): ReactNode {
  return (
    <>
      <StatusShapes />
      <Boundary>
        <Page />
      </Boundary>
    </>
  );
}
