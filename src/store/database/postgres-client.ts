import pg from 'pg';
import { COMPLETION_UNKNOWN, READ_ONLY } from './errors.ts';

/**
 * A connection that handles notices and parameters of a replicated Postgres. The pool creates it, and calls
 * `assertPrimary` when it is connected.
 */
export class PostgresClient extends pg.Client {
  #isStandby = false;
  #isUnreplicated = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on(
      'parameterStatus',
      (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby')
          this.#isStandby = status.parameterValue === 'on';
      },
    );
    this.on('notice', ({ routine }) => {
      if (routine === SYNCHRONOUS_WAIT) this.#isUnreplicated = true;
    });
  }

  /** @throws if the server is a standby: it takes no writes, and what it answers may be outdated. */
  assertPrimary(): void {
    if (this.#isStandby) throw failure(READ_ONLY, 'the server is a standby');
  }

  /**
   * Called after a commit. With synchronous replication, the server acknowledges one whose wait for the standby was ended by
   * the time limit of statements, with a warning: it would be lost in a failover.
   *
   * @throws if that has happened since the last call.
   */
  assertReplicated(): void {
    if (!this.#isUnreplicated) return;
    this.#isUnreplicated = false;
    throw failure(COMPLETION_UNKNOWN, 'no synchronous standby acknowledged the commit in time');
  }
}

/** The function of the server that warns (`src/backend/replication/syncrep.c`). The text of the warning is translated. */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN';

const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });
