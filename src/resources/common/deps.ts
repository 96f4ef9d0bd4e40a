import type { Authenticator } from '../../identity/authenticate.ts';
import type { PasswordQueue } from '../../identity/password.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';

/** Dependencies of services that change people, their roles or their sessions. */
export interface PeopleDeps {
  database: Database;
  clock: Clock;
  /** Drops cached callers, so that their next call reads what is stored. */
  forget: Authenticator['forget'];
  passwords: Pick<PasswordQueue, 'hash'>;
}
