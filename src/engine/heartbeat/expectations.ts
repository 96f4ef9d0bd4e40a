import type { Kysely } from 'kysely';
import type { Heartbeat } from '../../model/heartbeat.ts';
import { findByPingToken, readHeartbeatSettings } from '../../store/engine/heartbeats.ts';
import type { HeartbeatRow } from '../../store/engine/heartbeats.ts';
import type { Schema } from '../../store/database/schema.ts';
import { scheduleOf } from '../../monitor-types/registry.ts';
import type { PingSchedule } from '../../monitor-types/definition.ts';
import type { PingExpectation } from './state.ts';

/** Maximum number of cached expectations, about 1 kB each. */
const MAX_CACHED = 50_000;

/**
 * The monitor of each token, and what its settings expect. Both are kept in memory: a token's monitor never
 * changes, and the settings hold as long as the state, which is read with every ping, has their revision.
 */
export class PingExpectations {
  readonly #ids = new Map<string, number>();
  readonly #expectations = new Map<number, { revision: number; expectation: PingExpectation }>();

  /** Whether this hash is remembered as that of a monitor's token; one that is not may still be. */
  knows(hash: string): boolean {
    return this.#ids.has(hash);
  }

  /** The monitors of these tokens, by hash; unknown ones are missing. */
  async idsOf(db: Kysely<Schema>, hashes: Iterable<string>): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const wanted: string[] = [];
    for (const hash of hashes) {
      const id = this.#ids.get(hash);
      if (id === undefined) wanted.push(hash);
      else found.set(hash, id);
    }
    if (wanted.length === 0) return found;
    for (const row of await findByPingToken(db, wanted)) {
      found.set(row.ping_token_hash!, row.id);
      keep(this.#ids, row.ping_token_hash!, row.id);
      this.#cache(row);
    }
    return found;
  }

  /** The expectations of these jobs, whose states are locked; those of monitors that are gone are missing. */
  async expectationsOf(
    db: Kysely<Schema>,
    states: ReadonlyMap<number, Heartbeat>,
  ): Promise<Map<number, PingExpectation>> {
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
