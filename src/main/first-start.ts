import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { firstStartText, readFirstStartText, type FirstSecrets } from '../identity/bootstrap.ts';
import { pendingSetupUntil, setupTokenState } from '../identity/setup-token.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { createFolder } from '../lib/create-folder.js';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { claimSetting } from '../store/database/settings.ts';

/** File in DATA_DIR with the secrets of the first start, until set-up is complete or its link has ended. */
export const FIRST_START_FILE = 'first-start.txt';
/** Setting that exists once a start has announced the secrets. */
const ANNOUNCED_SETTING = 'first_start_announced';

/** The secrets of the first start can't be stored. The message says what to do. */
export class FirstStartFileError extends Error {
  override readonly name = 'FirstStartFileError';
}

interface FirstStartDeps {
  dataDir: string;
  database: Database;
  clock: Clock;
  log: Log;
  /** Where to show secrets; null without a terminal. */
  terminal: Pick<NodeJS.WriteStream, 'write'> | null;
}

/** The terminal of this process: where a person reads, and nothing is kept as logs are. */
export function terminalOf(
  streams: readonly Pick<NodeJS.WriteStream, 'isTTY' | 'write'>[],
): FirstStartDeps['terminal'] {
  return streams.find(({ isTTY }) => isTTY) ?? null;
}

/**
 * Keeps the secrets of the first start in a file that only its owner can read, and shows them once, on a terminal, when
 * everything has started: a start that fails shows nothing and loses nothing. Logs name the file.
 */
export class FirstStart {
  readonly #deps: FirstStartDeps;
  readonly #file: string;
  #ending: Timer | null = null;

  constructor(deps: FirstStartDeps) {
    this.#deps = deps;
    this.#file = path.resolve(deps.dataDir, FIRST_START_FILE);
  }

  /** Stores the secrets. Throws FirstStartFileError. */
  async keep(secrets: FirstSecrets, baseUrl: string): Promise<void> {
    const draft = `${this.#file}.draft`;
    try {
      createFolder(path.dirname(this.#file));
      await rm(draft, { force: true });
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(firstStartText(secrets, baseUrl).trimStart());
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, this.#file);
    } catch (error) {
      throw new FirstStartFileError(
        `the set-up link and the API token of the first start can't be stored in ${this.#file} (${(error as Error).message}). ` +
          'Make DATA_DIR a folder that this user may write, or set ADMIN_PASSWORD.',
        { cause: error },
      );
    }
  }

  /** Announces the secrets of the first start, or says how set-up goes on. Call it when everything has started. */
  async announce(baseUrl: string): Promise<void> {
    const { database, clock, log, terminal } = this.#deps;
    const now = clock.now();
    const expiresAt = await pendingSetupUntil(database.read);
    const kept = expiresAt === null ? null : await this.#readKept();
    if (expiresAt === null) return this.remove();
    if (kept === null || expiresAt <= now) {
      // With another link than the current one, the file still holds an API token that may never have been shown.
      if (expiresAt <= now) await this.remove();
      else this.#removeAt(expiresAt);
      // Log: The set-up link has ended after 24 hours, or is not stored on this machine.
      log.warn({}, 'Set-up is not complete: npm run tocsin -- setup link creates a new link.');
      return;
    }
    const secrets = { ...kept, expiresAt };
    // The port may be another one than at the last start.
    await this.keep(secrets, baseUrl).catch((error: unknown) =>
      // Log: It may name a former port. The secrets in it are valid.
      log.warn({ error, file: this.#file }, 'The file of the first start could not be written.'),
    );
    this.#removeAt(expiresAt);
    const isFirst = await database.transaction((tx) => claimSetting(tx, ANNOUNCED_SETTING, '1'));
    if (isFirst) terminal?.write(firstStartText(secrets, baseUrl));
    // Log: The file has the secrets of the first start, and is removed once set-up is complete or
    // the link has ended.
    log.info(
      { file: this.#file, ends_at: new Date(expiresAt).toISOString() },
      'Set-up is not complete: the set-up link and the API token are in a file.',
    );
  }

  /** Removes the file: set-up is complete, or its link has ended. Never rejects. */
  async remove(): Promise<void> {
    this.stop();
    try {
      await rm(this.#file, { force: true });
    } catch (error) {
      // Log: Remove it yourself: it holds an API token.
      this.#deps.log.warn(
        { error, file: this.#file },
        'The file of the first start could not be removed.',
      );
    }
  }

  #removeAt(time: number): void {
    const { clock } = this.#deps;
    this.#ending = clock.after(time - clock.now(), () => void this.remove());
  }

  stop(): void {
    this.#deps.clock.clear(this.#ending);
    this.#ending = null;
  }

  /** The stored secrets; null without a file, or when its link is not the current one. */
  async #readKept(): Promise<Pick<FirstSecrets, 'token' | 'setupToken'> | null> {
    const { database, clock } = this.#deps;
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const kept = readFirstStartText(text);
    if (kept === null) return null;
    const state = await setupTokenState(database.read, kept.setupToken, clock.now());
    return state === 'good' || state === 'expired' ? kept : null;
  }
}
