import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ConfigurationDocument } from '../document.ts';
import type { Discovered } from './discovered.ts';
import type { FollowedSet } from './followed-set.ts';
import type { Source, SourceConnection } from './source.ts';

export interface DiscoveryDependencies {
  source: Source;
  set: FollowedSet;
  /** The set as it was applied last, by an earlier process; null for none. */
  known(): Promise<ConfigurationDocument | null>;
  apply(document: ConfigurationDocument): Promise<ApplyAnswer>;
  clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'clear'>;
  log: Log;
  /** From 0 to 1, so that many processes do not try again at once. */
  random(): number;
}

export interface ApplyAnswer {
  /** Number of things that were changed. */
  changes: number;
  /** Mistakes by their place in the document, such as `monitors.3.url`; with one, nothing was changed. */
  errors: Readonly<Record<string, readonly string[]>>;
}

/** Events come in bursts: what happens within this time is applied together. */
const GATHER_MS = 2_000;
/** Time after which everything is listed anew, whatever the events said. */
const LIST_EVERY_MS = 600_000;
/** Time in which a source must have answered a list. */
const LIST_WITHIN_MS = 60_000;
/** A connection that ends before has failed, and the next one waits. */
const STABLE_MS = 30_000;
/** The set is looked at again after this time at most, since timers can't be set for months. */
const LOOK_EVERY_MS = 3_600_000;
const BACKOFF = { source: { first: 1_000, most: 60_000 }, apply: { first: 5_000, most: 300_000 } };
/** Warnings of one list that are logged. */
const MAX_LOGGED_WARNINGS = 50;

type Part = keyof typeof BACKOFF;

/** Follows one source, and applies its configuration set whenever that changes. */
export class Discovery {
  readonly #dependencies: DiscoveryDependencies;
  readonly #stopped = new AbortController();
  readonly #failures = new Map<Part, { count: number; since: number; reason: string }>();
  #following: Promise<void> = Promise.resolve();
  #applying: Promise<void> | null = null;
  #applyTimer: Timer | null = null;
  #isAwaited = false;
  #warnings: ReadonlySet<string> = new Set();

  constructor(dependencies: DiscoveryDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#following = this.#follow();
  }

  /** Ends the connection, and waits for what is being applied. Never rejects. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#dependencies.clock.clear(this.#applyTimer);
    await this.#following;
    await this.#applying;
  }

  /** Since when the source can't be read or the set can't be applied, and why; null while both work. */
  failing(): { since: number; reason: string } | null {
    const [first] = [...this.#failures.values()].toSorted((a, b) => a.since - b.since);
    return first === undefined ? null : { since: first.since, reason: first.reason };
  }

  async #follow(): Promise<void> {
    const { clock, set, known } = this.#dependencies;
    while (!this.#isStopped) {
      try {
        const document = await known();
        if (document !== null) set.restore(document, clock.now());
        this.#failures.delete('apply');
        break;
      } catch (error) {
        await this.#pause(this.#failed('apply', error));
      }
    }
    while (!this.#isStopped) {
      const startedAt = clock.monotonic();
      let error: unknown = new Error('The connection ended at once.');
      try {
        await this.#connect();
      } catch (thrown) {
        error = thrown;
      }
      const isStable = clock.monotonic() - startedAt >= STABLE_MS;
      if (!isStable && !this.#isStopped) await this.#pause(this.#failed('source', error));
    }
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Resolves when it is time to list anew; rejects when the connection breaks. */
  async #connect(): Promise<void> {
    const { source, clock } = this.#dependencies;
    const connected = new AbortController();
    const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
    const timers = new Map<'deadline' | 'list' | 'gather', Timer>();
    const setTimer = (name: 'deadline' | 'list' | 'gather', ms: number, call: () => void) => {
      clock.clear(timers.get(name));
      if (!connected.signal.aborted) timers.set(name, clock.after(ms, call));
    };
    const expectList = () =>
      setTimer('deadline', LIST_WITHIN_MS, () =>
        fail(new Error(`${source.name} did not answer for ${LIST_WITHIN_MS / 1_000} s.`)),
      );
    let current: SourceConnection['current'] | null = null;
    let isListing = true;
    let isAskedAgain = false;

    const take = (discovered: Discovered) => {
      if (connected.signal.aborted) return;
      clock.clear(timers.get('deadline'));
      isListing = false;
      this.#take(discovered);
      setTimer('list', this.#untilNextList(), end);
      if (isAskedAgain) onEvent();
    };
    const onEvent = () => {
      isAskedAgain = isListing;
      if (isListing) return;
      isListing = true;
      setTimer('gather', GATHER_MS, () => {
        isAskedAgain = false;
        expectList();
        current?.().then(take, fail);
      });
    };
    this.#stopped.signal.addEventListener('abort', fail);
    try {
      expectList();
      const open = async () => {
        const connection = await source.connect(onEvent, connected.signal);
        ({ current } = connection);
        take(connection.discovered);
        await connection.ended;
      };
      open().then(end, fail);
      await over;
    } finally {
      for (const timer of timers.values()) clock.clear(timer);
      this.#stopped.signal.removeEventListener('abort', fail);
      connected.abort();
    }
  }

  #untilNextList(): number {
    const { set, clock } = this.#dependencies;
    const { confirmAt } = set;
    return confirmAt === null ? LIST_EVERY_MS : Math.max(0, confirmAt - clock.now());
  }

  #take(discovered: Discovered): void {
    const { source, set, clock, log } = this.#dependencies;
    if (this.#isStopped) return;
    this.#failures.delete('source');
    const wasDoubted = set.confirmAt !== null;
    set.observe(discovered, clock.now());
    if (set.confirmAt !== null && !wasDoubted) {
      // Log: More than half of the monitors disappeared at once. They stay as they are until a second list, a minute
      // later, shows the same.
      log.warn({ source: source.name }, 'Most monitors of a source are gone.');
    }
    const warnings = new Set(discovered.warnings);
    const added = [...warnings].filter((warning) => !this.#warnings.has(warning));
    this.#warnings = warnings;
    for (const reason of added.slice(0, MAX_LOGGED_WARNINGS)) {
      // Log: A label or an annotation is wrong: its monitor is left out, or stays as it was. docs/discovery.md lists them.
      log.warn({ source: source.name, reason }, 'A discovered monitor is described wrongly.');
    }
    if (!this.#failures.has('apply')) this.#wake();
  }

  /** Applies what has changed, now or when what is being applied has ended. */
  #wake(): void {
    this.#isAwaited = true;
    if (this.#applying !== null || this.#isStopped) return;
    this.#dependencies.clock.clear(this.#applyTimer);
    this.#applying = this.#applyOnce();
  }

  async #applyOnce(): Promise<void> {
    const waitMs = await this.#applyAll();
    this.#applying = null;
    if (this.#isStopped) return;
    const { clock } = this.#dependencies;
    if (this.#isAwaited && !this.#failures.has('apply')) this.#wake();
    else this.#applyTimer = clock.after(waitMs, () => this.#wake());
  }

  /** @returns milliseconds until there may be something to apply again. */
  async #applyAll(): Promise<number> {
    const { set, clock, apply, log, source } = this.#dependencies;
    while (!this.#isStopped) {
      this.#isAwaited = false;
      const pending = set.next(clock.now());
      if (pending === null) break;
      try {
        const { changes, errors } = await apply(pending.document);
        if (Object.keys(errors).length > 0) {
          this.#refuse(pending.document, errors);
          continue;
        }
        set.applied(pending);
        this.#failures.delete('apply');
        if (changes > 0) {
          // Log: Monitors were created, changed, paused or deleted. The audit log shows each.
          log.info({ source: source.name, count: changes }, 'A discovered set was applied.');
        }
      } catch (error) {
        return this.#failed('apply', error);
      }
    }
    const { changesAt } = set;
    const untilChange = changesAt === null ? Infinity : changesAt - clock.now();
    return Math.min(LOOK_EVERY_MS, Math.max(0, untilChange));
  }

  /** @throws Error when leaving out what is refused does not help. */
  #refuse(document: ConfigurationDocument, errors: ApplyAnswer['errors']): void {
    const { set, clock, log, source } = this.#dependencies;
    const refused = Object.entries(errors).flatMap(([place, [reason = '']]) => {
      const [, section, index] = /\b(monitors|groups)\.(\d+)\b/.exec(place) ?? [];
      if (section !== 'monitors' && section !== 'groups') return [];
      const item = document[section]?.[Number(index)];
      return item === undefined ? [] : [{ section, key: item.key, reason }];
    });
    const keysOf = (of: string) =>
      new Set(refused.filter(({ section }) => section === of).map(({ key }) => key));
    const now = clock.now();
    const help = [set.refuse(keysOf('monitors'), now), set.refuseGroups(keysOf('groups'), now)];
    if (!help.includes(true))
      throw new Error(Object.values(errors).flat()[0] ?? 'The set is refused.');
    for (const { key, reason } of refused) {
      // Log: The API refuses this monitor or group, for the reason. A monitor is left out, or stays as it was, until it is
      // described otherwise or an hour is over; monitors of a group are in none meanwhile.
      log.warn({ source: source.name, item_key: key, reason }, 'A discovered item is refused.');
    }
  }

  /** @returns milliseconds until it is tried again. */
  #failed(part: Part, error: unknown): number {
    const { clock, log, source, random } = this.#dependencies;
    const { count, since } = this.#failures.get(part) ?? { count: 0, since: clock.now() };
    const reason = error instanceof Error ? error.message : String(error);
    this.#failures.set(part, { count: count + 1, since, reason });
    const { first, most } = BACKOFF[part];
    const delay = Math.min(most, first * 2 ** Math.min(count, 20));
    const delayMs = Math.round(delay * (1 - random() / 2));
    const fields = { source: source.name, reason, attempt: count + 1, delay_ms: delayMs };
    if (part === 'source') {
      // Log: Docker or Kubernetes can't be read, for the reason. Monitors stay as they are meanwhile.
      log.warn(fields, 'A source of discovery failed.');
    } else {
      // Log: The set could not be read or applied, for the reason. Monitors stay as they are meanwhile.
      log.warn(fields, 'A discovered set could not be applied.');
    }
    return delayMs;
  }

  /** Waits, or until it is stopped. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isStopped) return;
    const { clock } = this.#dependencies;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.after(milliseconds, resolve);
    const { signal } = this.#stopped;
    const wake = () => resolve();
    signal.addEventListener('abort', wake);
    await promise;
    signal.removeEventListener('abort', wake);
    clock.clear(timer);
  }
}
