import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { Database } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { createPageChanges } from './page-changes.ts';

const INTERVAL_MS = 500;

export interface ChangeWatcherDeps {
  database: Database;
  clock: Clock;
  log: Log;
  /** Runs once, before the first changes are reported; repeated while it rejects. */
  onStart(): Promise<void>;
  /** Handles changed pages, by id. When it rejects, they are reported again. */
  onChange(pageIds: ReadonlySet<number>): Promise<void>;
}

/** Reports pages that changed, whichever process changed them. */
export interface ChangeWatcher {
  start(): void;
  /** Looks for changes now. */
  wake(): void;
  stop(): Promise<void>;
}

export function createChangeWatcher(deps: ChangeWatcherDeps): ChangeWatcher {
  const { database, clock, log, onStart, onChange } = deps;
  const changes = createPageChanges(database, clock);

  async function run(): Promise<void> {
    if (!changes.hasBegun) await changes.begin(onStart);
    await changes.read(onChange);
  }

  return createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: They are read again; until then pages may be a minute old.
    onFailure: (error) => log.error({ error }, 'Changes of status pages could not be read.'),
  });
}
