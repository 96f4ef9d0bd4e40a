import type { Heartbeat } from '../../model/heartbeat.ts';
import {
  findByPingToken,
  readHeartbeatSettings,
  type HeartbeatRow,
} from '../../store/engine/heartbeats.ts';
import type { Db } from '../../store/database/contract.ts';
import { scheduleOf } from '../../monitor-types/registry.ts';
import type { PingSchedule } from '../../monitor-types/definition.ts';
import type { PingExpectation } from './state.ts';

/** Maximum number of cached expectations, about 1 kB each. */
const MAX_CACHED = 50_000;

interface PingToken {
  monitorId: number;
  /** Revision of the monitor when it was read; a later one may have made the token invalid. */
  revision: number;
  expiresAt: number | null;
  /** Set for an address of another service: when it was last noted as called (epoch ms). */
  alias: { id: number; usedAt: number | null } | null;
}

/** How exactly it is known when an address of another service was last called. */
const ALIAS_USE_MS = 3_600_000;

/**
 * The monitor of each token, and what its settings expect. Both are kept in memory: they hold as long as the state, which
 * is read with every ping, has their revision.
 */
export class PingExpectations {
  readonly #tokens = new Map<string, PingToken>();
  readonly #expectations = new Map<number, { revision: number; expectation: PingExpectation }>();

  /** Whether this hash is remembered as that of a monitor's token at `now` (epoch ms); one that is not may still be. */
  knows(hash: string, now: number): boolean {
    const token = this.#tokens.get(hash);
    return token !== undefined && isValid(token, now);
  }

  /** Finds the monitors of these tokens; `refresh` must follow once their states are locked. Unknown tokens are missing. */
  async find(db: Db, hashes: Iterable<string>): Promise<PingTokens> {
    const found = new PingTokens();
    const wanted: string[] = [];
    for (const hash of hashes) {
      const token = this.#tokens.get(hash);
      if (token === undefined) wanted.push(hash);
      else found.tokens.set(hash, token);
    }
    await this.#read(db, found, wanted);
    return found;
  }

  /**
   * Reads the tokens again whose monitors changed or went since, now that their states are locked: a new ping URL ends former
   * ones.
   *
   * @param locked the states, and the monitors that another session holds.
   * @returns monitors that are not among the states: an address of another service may have moved there.
   */
  async refresh(
    db: Db,
    found: PingTokens,
    { states, heldIds }: { states: ReadonlyMap<number, Heartbeat>; heldIds: ReadonlySet<number> },
  ): Promise<number[]> {
    const outdated: string[] = [];
    for (const [hash, { monitorId, revision }] of found.tokens) {
      const state = states.get(monitorId);
      const isCurrent = state === undefined ? heldIds.has(monitorId) : state.revision === revision;
      if (!isCurrent) outdated.push(hash);
    }
    for (const hash of outdated) {
      found.tokens.delete(hash);
      this.#tokens.delete(hash);
    }
    await this.#read(db, found, outdated);
    const ids = outdated.flatMap((hash) => found.tokens.get(hash)?.monitorId ?? []);
    return ids.filter((id) => !states.has(id));
  }

  async #read(db: Db, found: PingTokens, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    for (const row of await findByPingToken(db, hashes)) {
      const { id: monitorId, revision, expires_at: expiresAt, token_hash: hash } = row;
      const alias = row.alias_id === null ? null : { id: row.alias_id, usedAt: row.alias_used_at };
      const token = { monitorId, revision, expiresAt, alias };
      found.tokens.set(hash, token);
      keep(this.#tokens, hash, token);
      this.#cache(row);
    }
  }

  /** The expectations of these jobs, whose states are locked; those of monitors that are gone are missing. */
  async expectationsOf(db: Db, states: ReadonlyMap<number, Heartbeat>) {
    const found = new Map<number, PingExpectation>();
    const wanted: number[] = [];
    for (const [id, { revision }] of states) {
      const kept = this.#expectations.get(id);
      if (kept?.revision === revision) found.set(id, kept.expectation);
      else wanted.push(id);
    }
    if (wanted.length === 0) return found;
    for (const row of await readHeartbeatSettings(db, wanted)) {
      found.set(row.id, this.#cache(row));
    }
    return found;
  }

  #cache(row: HeartbeatRow): PingExpectation {
    const expectation = expectationOf(row);
    keep(this.#expectations, row.id, { revision: row.revision, expectation });
    return expectation;
  }
}

export class PingTokens {
  readonly tokens = new Map<string, PingToken>();

  /** All monitors, those of expired tokens too. */
  get monitorIds(): number[] {
    return [...new Set(this.tokens.values().map(({ monitorId }) => monitorId))];
  }

  /** Ids of the addresses of other services whose call is to be noted at `now` (epoch ms), once an hour each. */
  takeUsedAliases(states: ReadonlyMap<number, Heartbeat>, now: number): number[] {
    const ids: number[] = [];
    for (const { alias, monitorId } of this.tokens.values()) {
      if (alias === null || !states.has(monitorId)) continue;
      if (alias.usedAt !== null && Math.abs(now - alias.usedAt) < ALIAS_USE_MS) continue;
      alias.usedAt = now;
      ids.push(alias.id);
    }
    return ids;
  }

  /** The monitor of a ping that arrived then (epoch ms); undefined where its token was not valid. */
  monitorOf({ tokenHash, at }: { tokenHash: string; at: number }): number | undefined {
    const token = this.tokens.get(tokenHash);
    return token !== undefined && isValid(token, at) ? token.monitorId : undefined;
  }
}

function isValid({ expiresAt }: PingToken, at: number): boolean {
  return expiresAt === null || at < expiresAt;
}

/** Throws on settings that no push monitor has. */
export function expectationOf(row: HeartbeatRow): PingExpectation {
  const { heartbeat_grace: grace, heartbeat_max_runtime: maxRuntime } = row;
  return {
    schedule: scheduleIn(row),
    graceMs: (grace ?? 60) * 1_000,
    waitsForFirstPing: row.heartbeat_wait_for_first_ping === 1,
    maxRuntimeMs: maxRuntime === null ? null : maxRuntime * 1_000,
  };
}

function scheduleIn(row: HeartbeatRow): PingSchedule {
  try {
    return scheduleOf(row.type, row);
  } catch (cause) {
    throw new Error(`The schedule of monitor ${row.id} can't be read: ${String(cause)}`, { cause });
  }
}

/** The oldest goes when there is no room. */
function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_CACHED) map.delete(map.keys().next().value!);
}
