import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Role } from '../app/session-context.ts';
import { words } from '../words/index.ts';

/** Says that the person may not change something, which takes a role of at least `least`, and where to find who may. */
export function NeedsRole({ least }: { least: Role }): ReactNode {
  return (
    <>
      {words.errors.needsRole(words.roles[least])}{' '}
      <Link className="link" href="/members">
        {words.nav.members}
      </Link>
    </>
  );
}
