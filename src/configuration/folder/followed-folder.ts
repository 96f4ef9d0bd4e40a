import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { ConfigurationError } from '../places.ts';
import type { ReadAnswer, ReadRequest } from './program.ts';
import type { FolderWatch } from './watch.ts';

export interface FollowedFolderDependencies {
  folder: string;
  environment: Record<string, string | undefined>;
  read(request: ReadRequest): Promise<ReadAnswer>;
  /** Calls when something may have changed. */
  watch(folder: string, onChange: () => void): FolderWatch;
  /** Operations of configuration sets; reject as those of `resources` do. */
  plan(body: object): Promise<object>;
  apply(body: object, fingerprint: string): Promise<object>;
  isUnavailable(error: unknown): boolean;
  clock: Clock;
  log: Log;
}

/** Changes that are not noticed otherwise, as in network file systems, are found after this time. */
const POLL_MS = 60_000;
/** Editors and git write several times: the folder is read once nothing changed for this time. */
const SETTLE_MS = 1_000;
const MAX_LOGGED = 10;

/** The parts of a plan that are looked at. */
interface Plan {
  name: string;
  fingerprint: string;
  changes: unknown[];
  warnings: string[];
}

/** Keeps a team as the configuration files of a folder say. While they are wrong, all stays as it was. */
export function createFollowedFolder(dependencies: FollowedFolderDependencies) {
  const { folder, environment, read, clock, log } = dependencies;
  /** Of what was applied, or refused, last. */
  let seen: string | null = null;
  let isFailing = false;
  /** What was logged last, so that a fault is logged once. */
  let logged = '';
  let settling: Timer | null = null;
  const watched = dependencies.watch(folder, () => {
    clock.clear(settling);
    settling = clock.after(SETTLE_MS, () => poller.wake());
  });

  async function run(): Promise<void> {
    const signature = await watched.signature();
    // What was refused may be accepted by now: it is tried again with each poll.
    if (signature === seen && !isFailing) return;
    const errors = await readAndApply();
    if (poller.isStopped) return;
    if (errors.length > 0) return fail(errors);
    seen = signature;
    isFailing = false;
    if (logged !== '')
      // Log: The files of CONFIG_DIR were applied, after they had been refused.
      log.info({ file: folder }, 'Configuration files are right again.');
    logged = '';
  }

  /** @returns why nothing was applied. */
  async function readAndApply(): Promise<readonly ConfigurationError[]> {
    const answer = await read({ folder, environment });
    if ('errors' in answer) return answer.errors;
    const { document, prune, maxDeletions } = answer;
    const body = { document, prune, max_deletions: maxDeletions };
    try {
      const plan = (await dependencies.plan(body)) as Plan;
      if (plan.changes.length === 0) return [];
      await dependencies.apply(body, plan.fingerprint);
      const { name: set, changes, warnings } = plan;
      // Log: The audit log says what changed.
      log.info({ set, count: changes.length }, 'Configuration files were applied.');
      for (const reason of warnings.slice(0, MAX_LOGGED))
        // Log: They were applied, but not all is as one may expect, such as a monitor that stays paused.
        log.warn({ set, reason }, 'Applied configuration files have a warning.');
      return [];
    } catch (error) {
      if (dependencies.isUnavailable(error)) throw error;
      return refusalOf(error as Error);
    }
  }

  async function refusalOf(error: Error): Promise<readonly ConfigurationError[]> {
    const { errors: refused = {} } = error as { errors?: Record<string, string[]> };
    const whole = [{ file: folder, line: 1, column: 1, message: error.message }];
    if (Object.keys(refused).length === 0) return whole;
    // Files that changed meanwhile have other places, and are read again anyway.
    const answer = await read({ folder, environment, refused });
    return 'errors' in answer ? answer.errors : whole;
  }

  function fail(errors: readonly ConfigurationError[]): void {
    isFailing = true;
    const text = JSON.stringify(errors);
    if (text === logged) return;
    logged = text;
    for (const { file, line, column, message: reason } of errors.slice(0, MAX_LOGGED))
      // Log: Nothing was changed. Mend the file that is named: it is read again when it changes, and each minute.
      log.error({ file, line, column, reason }, 'Configuration files were refused.');
  }

  const poller = createPoller({
    run,
    clock,
    intervalMs: POLL_MS,
    isUnavailable: dependencies.isUnavailable,
    onFailure(error) {
      if (poller.isStopped) return;
      isFailing = true;
      // Log: It is tried again after a minute.
      log.error({ file: folder, error }, 'Configuration files could not be applied.');
    },
  });

  return {
    /** Whether the files are wrong, or could not be applied. */
    isFailing: () => isFailing,
    start: () => poller.start(),
    /** Never rejects. */
    async stop() {
      watched.stop();
      clock.clear(settling);
      await poller.stop();
    },
  };
}
