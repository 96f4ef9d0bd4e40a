import type { Clock, Timer } from '../../lib/clock.ts';
import { Closed, Dropped, GroupCommit, LOCKED } from '../../lib/group-commit.ts';
import type { Heartbeat, Ping, PingWindow, RecordedPing } from '../../model/heartbeat.ts';
import type { Database } from '../../store/database/contract.ts';
import { isAway, isBusy } from '../../store/database/errors.ts';
import { lockFreeHeartbeats, writeHeartbeats } from '../../store/engine/heartbeats.ts';
import { pingChanges } from '../../store/engine/pings.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { noteAliasUse } from '../../store/resources/ping-aliases.ts';
import { applyIncidentChanges, decideInOrder, type Decision } from '../record/record.ts';
import { PingExpectations, PingTokens } from './expectations.ts';
import { evaluatePing, type PingExpectation } from './state.ts';

/** A ping as the edge hands it over. */
export interface IncomingPing extends Omit<Ping, 'at'> {
  /** SHA-256 of the token in hex, or of the address of another service. */
  tokenHash: string;
  /** When its head arrived, epoch milliseconds: its body may have taken its time. Now unless given. */
  receivedAt?: number;
}

export type PingOutcome =
  /** The ping is on disk, with everything that follows from it. */
  | { kind: 'recorded'; allowance: PingAllowance }
  /** The monitor is paused. */
  | { kind: 'ignored'; allowance: PingAllowance }
  /** No monitor has that token. */
  | { kind: 'unknown' }
  /** Too many in this minute: nothing was recorded. */
  | { kind: 'limited'; allowance: PingAllowance }
  /** Too many calls of that client wait, with unknown tokens: nothing was recorded. */
  | { kind: 'crowded' }
  /**
   * The database does not answer, too much waits for it, or another session of it holds this monitor: nobody knows
   * whether it was recorded.
   */
  | { kind: 'unavailable'; allowance: PingAllowance };

export type PingIngest = ReturnType<typeof createIngest>;

interface Received extends Ping {
  tokenHash: string;
  /** When it was complete, epoch milliseconds. */
  takenAt: number;
  /** Called when another session holds its monitor. */
  heldUp(): void;
}

const CAPACITY = 20_000;
/**
 * Maximum number of waiting pings whose token is not known to exist, since made-up tokens cost their sender nothing. A
 * ping refused for that does not count as a failure of this service, or any client could keep silence from being
 * evaluated.
 */
const MAX_UNKNOWN_TOKENS = 10_000;
const MAX_UNKNOWN_TOKENS_OF_CLIENT = 2_000;
const MAX_BATCH = 1_000;
/** A caller whose monitor another session has locked is answered after this; its ping is kept in memory and stored later. */
const HELD_UP_ANSWER_MS = 5_000;

export function createIngest(dependencies: {
  database: Database;
  clock: Clock;
  /** Pings per minute and token; null for no limit. */
  limit: number | null;
  /** Shown as the limit where there is none. */
  shownLimit?: number;
  /** Called for pings that had to be refused because the database is away, and when they were received (epoch ms). */
  onRefused?: (receivedAt: number) => void;
  /** The client that an address belongs to; the address itself by default. */
  clientOf?: (address: string) => string;
  /** Pings that may wait for the database. */
  capacity?: number;
  /** Pings in one commit, at most. */
  maxBatch?: number;
}) {
  const { database, clock, limit, onRefused } = dependencies;
  const { capacity = CAPACITY, maxBatch = MAX_BATCH } = dependencies;
  const shownLimit = limit ?? dependencies.shownLimit ?? 120;
  const expectations = new PingExpectations();
  const clientOf = dependencies.clientOf ?? ((address: string) => address);
  const exhausted = new ExhaustedTokens();
  const places = new AdmissionLimit();
  /** Pings that are not on disk yet, and those of which only the head is here; those that are done are gone. */
  const waiting = new Set<{ at: number }>();
  /** Pings of monitors that another session holds, and those monitors. */
  const heldUp = new Map<Received, number>();
  const counters = {
    pings_recorded: 0,
    pings_ignored: 0,
    pings_unknown: 0,
    pings_limited: 0,
    pings_crowded: 0,
    pings_unavailable: 0,
  };
  const full = (at: number): PingAllowance => ({
    limit: shownLimit,
    remaining: shownLimit,
    resetAt: at + WINDOW_MS,
  });

  const commits = new GroupCommit<Received, PingOutcome>({
    flush: (pings) => flush(pings),
    clock,
    maxBatch,
    delayMs: 0,
    capacity,
    isUnavailable: () => false,
    isBusy,
    keyOf: ({ tokenHash }) => tokenHash,
  });

  /** Callers do not wait for a database that is away: they are answered at once, and can try again. */
  async function flush(pings: readonly Received[]): Promise<(PingOutcome | typeof LOCKED)[]> {
    let tokens = new PingTokens();
    try {
      return await database.transaction(async (tx) => {
        tokens = await expectations.find(tx, new Set(pings.map((ping) => ping.tokenHash)));
        const { states, heldIds } = await lockFreeHeartbeats(tx, tokens.monitorIds);
        const moved = await expectations.refresh(tx, tokens, { states, heldIds });
        if (moved.length > 0) {
          const more = await lockFreeHeartbeats(tx, moved);
          for (const [id, state] of more.states) states.set(id, state);
          for (const id of more.heldIds) heldIds.add(id);
        }
        const monitorOf = (ping: Received) => tokens.monitorOf(ping);
        const isHeld = (ping: Received) => heldIds.has(monitorOf(ping)!);
        for (const ping of pings) if (isHeld(ping)) noteHeldUp(ping, monitorOf(ping)!);
        const known = await expectations.expectationsOf(tx, states);
        const free = pings.filter((ping) => !isHeld(ping));
        const decided = decideInOrder(states, free, {
          monitorOf,
          decide: (state, ping) => decidePing(state, known, ping),
        });
        const recorded = decided.results.flatMap((result) => result.recorded ?? []);
        await pingChanges(tx).insert(recorded);
        await applyIncidentChanges(tx, decided.incidents, clock.now());
        await changeSpans(tx, decided.spans);
        await writeHeartbeats(tx, decided.changes);
        const used = tokens.takeUsedAliases(states, clock.now());
        if (used.length > 0) await noteAliasUse(tx, used, clock.now());
        const outcomes = decided.results.values().map(({ outcome }) => outcome);
        return pings.map((ping) => (isHeld(ping) ? LOCKED : outcomes.next().value!));
      });
    } catch (error) {
      // Of a single monitor: it is its rows that another session holds.
      const [monitorId, another] = tokens.monitorIds;
      if (isBusy(error) && monitorId !== undefined && another === undefined)
        for (const ping of pings) noteHeldUp(ping, monitorId);
      if (!isAway(error)) throw error;
      return pings.map((ping) => ({ kind: 'unavailable', allowance: full(ping.takenAt) }));
    }
  }

  function decidePing(
    state: Heartbeat | undefined,
    known: ReadonlyMap<number, PingExpectation>,
    ping: Received,
  ): Decision<Heartbeat, PingResult> {
    const expectation = state && known.get(state.monitorId);
    if (state === undefined || expectation === undefined) {
      return { outcome: null, result: { outcome: { kind: 'unknown' }, recorded: null } };
    }
    const { isAllowed, window, remaining, resetAt } = count(state.window, ping.takenAt);
    const allowance = { limit: shownLimit, remaining, resetAt };
    if (!isAllowed) {
      return { outcome: null, result: { outcome: { kind: 'limited', allowance }, recorded: null } };
    }
    const decision = evaluatePing({ ...state, window }, expectation, ping, clock.now());
    const kind = decision.ping === null ? 'ignored' : 'recorded';
    return {
      outcome: decision,
      result: { outcome: { kind, allowance }, recorded: decision.ping },
    };
  }

  function count(window: PingWindow | null, at: number): Counted {
    if (limit !== null) return countPing(window, at, limit);
    return { isAllowed: true, window, remaining: shownLimit, resetAt: at + WINDOW_MS };
  }

  /** The ping no longer keeps the silence of other jobs from being evaluated. */
  function noteHeldUp(ping: Received, id: number): void {
    if (!waiting.delete(ping)) return;
    heldUp.set(ping, id);
    ping.heldUp();
  }

  async function admit(ping: Received): Promise<PingOutcome> {
    const { tokenHash, takenAt } = ping;
    const known = exhausted.find(tokenHash, takenAt);
    if (known !== null) return { kind: 'limited', allowance: known };
    const isKnown = expectations.knows(tokenHash, takenAt);
    // More of a token at once than fit into a window are too many, whenever it begins.
    const claims = isKnown
      ? [{ holder: tokenHash, limit: limit ?? Infinity }]
      : [
          { holder: `client ${clientOf(ping.sourceAddress)}`, limit: MAX_UNKNOWN_TOKENS_OF_CLIENT },
          { holder: 'unknown tokens', limit: MAX_UNKNOWN_TOKENS },
        ];
    if (!places.take(claims)) {
      return isKnown
        ? { kind: 'limited', allowance: { ...full(takenAt), remaining: 0 } }
        : { kind: 'crowded' };
    }
    waiting.add(ping);
    try {
      const outcome = await commits.submit(ping);
      if (outcome.kind === 'unavailable') onRefused?.(ping.at);
      else if (outcome.kind === 'limited') exhausted.add(tokenHash, outcome.allowance);
      return outcome;
    } catch (error) {
      // Any other is a fault of one job's rows, which must not postpone the deadlines of all others.
      if (!(error instanceof Dropped || error instanceof Closed)) throw error;
      onRefused?.(ping.at);
      return { kind: 'unavailable', allowance: full(takenAt) };
    } finally {
      waiting.delete(ping);
      heldUp.delete(ping);
      places.release(claims);
    }
  }

  return {
    /** Settles once the ping is on disk. Rejects only for a fault of ours. */
    async take(incoming: IncomingPing) {
      const takenAt = clock.now();
      const { receivedAt: at = takenAt, ...ping } = incoming;
      const answer = Promise.withResolvers<PingOutcome>();
      const giveUp = () => answer.resolve({ kind: 'unavailable', allowance: full(takenAt) });
      let timer: Timer | null = null;
      const stored = admit({
        ...ping,
        at,
        takenAt,
        heldUp: () => (timer ??= clock.after(HELD_UP_ANSWER_MS, giveUp)),
      });
      stored.then(answer.resolve, answer.reject);
      const outcome = await answer.promise;
      clock.clear(timer);
      counters[`pings_${outcome.kind}`]++;
      return outcome;
    },
    /**
     * The head of a ping arrived at `receivedAt` (epoch ms), and its body is still on its way: silence is not evaluated
     * beyond that. To be called back once it was taken, or never will be.
     */
    announce(tokenHash: string, receivedAt: number) {
      // A made-up token costs nothing: it must not keep the silence of others from being evaluated.
      if (!expectations.knows(tokenHash, clock.now())) return () => {};
      const arriving = { at: receivedAt };
      waiting.add(arriving);
      return () => void waiting.delete(arriving);
    },
    /** When the oldest ping was received that is not on disk yet, without those that are held up; null when there is none. */
    oldestWaitingAt() {
      let oldest: number | null = null;
      for (const { at } of waiting) if (oldest === null || at < oldest) oldest = at;
      return oldest;
    },
    /** The same of the pings of one monitor that are held up, because another session holds the monitor. */
    heldUpSince(monitorId: number) {
      let oldest: number | null = null;
      for (const [{ at }, id] of heldUp)
        if (id === monitorId && (oldest === null || at < oldest)) oldest = at;
      return oldest;
    },
    counters,
    /** Stores what was taken, as far as the database answers. Never rejects. */
    close: () => commits.close(),
  };
}

interface PingResult {
  outcome: PingOutcome;
  recorded: RecordedPing | null;
}

/** The ping limit counts in windows of a minute that begin with a token's first ping (contract 5.10, 5.13). */
export const WINDOW_MS = 60_000;

interface Counted {
  isAllowed: boolean;
  /** The same one when nothing was counted: a refused ping costs nothing. */
  window: PingWindow | null;
  remaining: number;
  resetAt: number;
}

/** Counts a ping at `at` (epoch ms). A window from the future, written before a clock was set back, is over. */
export function countPing(window: PingWindow | null, at: number, limit: number): Counted {
  const holds = window !== null && window.from <= at && at < window.from + WINDOW_MS;
  const from = holds ? window.from : at;
  const count = holds ? window.count : 0;
  const resetAt = from + WINDOW_MS;
  if (count >= limit) return { isAllowed: false, window, remaining: 0, resetAt };
  const counted = { from, count: count + 1 };
  return { isAllowed: true, window: counted, remaining: limit - counted.count, resetAt };
}

export interface PingAllowance {
  limit: number;
  remaining: number;
  resetAt: number;
}

const MAX_EXHAUSTED_TOKENS = 10_000;

/** Tokens whose window is used up: further pings of theirs are refused without asking the database. */
class ExhaustedTokens {
  readonly #tokens = new Map<string, PingAllowance>();

  find(tokenHash: string, now: number): PingAllowance | null {
    const known = this.#tokens.get(tokenHash);
    if (known === undefined) return null;
    // One that lies further ahead was written before the clock was set back.
    if (now < known.resetAt && known.resetAt <= now + WINDOW_MS) return known;
    this.#tokens.delete(tokenHash);
    return null;
  }

  add(tokenHash: string, allowance: PingAllowance): void {
    this.#tokens.set(tokenHash, allowance);
    if (this.#tokens.size > MAX_EXHAUSTED_TOKENS) {
      this.#tokens.delete(this.#tokens.keys().next().value!);
    }
  }
}

/** A place that a holder takes, and the number of places that it may hold at once. */
interface Claim {
  holder: string;
  limit: number;
}

/** Bounds the pings that wait for the database, by holder: a single caller must not push out all others. */
export class AdmissionLimit {
  readonly #held = new Map<string, number>();

  /** Takes a place of each holder. Returns false, without taking any, when one of them has none left. */
  take(claims: readonly Claim[]): boolean {
    if (claims.some(({ holder, limit }) => (this.#held.get(holder) ?? 0) >= limit)) return false;
    for (const { holder } of claims) this.#add(holder, 1);
    return true;
  }

  release(claims: readonly Claim[]): void {
    for (const { holder } of claims) this.#add(holder, -1);
  }

  #add(holder: string, places: 1 | -1): void {
    const held = (this.#held.get(holder) ?? 0) + places;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }
}
