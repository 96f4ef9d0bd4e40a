import { sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { createSharedRuns, type SharedRuns } from '../../lib/shared-runs.ts';
import { createTextIndex, type TextEntry, type TextIndex } from '../../lib/text-index.ts';
import type { Database, Db } from '../database/contract.ts';
import { lowerCase, engineOf, folded, lookedUp, rowTable } from '../database/dialect.ts';
import { readEdits, EDITS } from './monitor-stamps.ts';
import type { MonitorFilter } from './monitors.ts';

type WantedTexts = Pick<MonitorFilter, 'search' | 'q'>;

export interface TextMatches {
  /** In the order of creation. */
  ids: readonly number[];
  /** Number of edits so far, of all monitors, at which they match. */
  edits: number;
}

/** The texts of a team's monitors, without deleted ones. */
interface TeamTexts {
  /** Some may be newer than the versions. */
  index: TextIndex;
  /** Versions of all shards at which they were read, and their sum. */
  versions: ReadonlyMap<number, number>;
  edits: number;
  /** When they were last compared with the database, epoch milliseconds. */
  comparedAt: number;
  comparisons: SharedRuns<Comparison>;
}

/** `busy`: monitors are edited faster than they can be read. `outdated`: it is cheaper to read all texts again. */
type Comparison = 'current' | 'busy' | 'outdated';

/** Maximum bytes of all teams: those that were searched last are kept. 100,000 monitors have about 16 MiB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Monitors of one read: with more of them, taking them over would block the event loop. */
const PAGE = 500;
/** Maximum number of edited monitors that are read anew. */
const MAX_EDITED = 2_000;
/** Edited monitors that are taken over without letting the event loop run. */
const AT_ONCE = 100;
const MAX_ATTEMPTS = 4;
/** Deleted monitors are read as edited until retention removes them, after a day. */
const MAX_AGE_MS = 12 * 3_600_000;

/** Finds monitors by parts of their texts, in memory. Reads the texts of a team when it is searched for the first time. */
export function createMonitorSearch(deps: {
  database: Pick<Database, 'read'>;
  clock: Pick<Clock, 'now'>;
  maxBytes?: number;
}) {
  const { database, clock, maxBytes = MAX_BYTES } = deps;
  /** By team, the one that was searched last at the end. */
  const teams = new Map<number, TeamTexts>();
  /** Teams with too many texts, and when that was found out. */
  const tooLarge = new Map<number, number>();
  let isReading = false;

  async function readTeam(teamId: number): Promise<void> {
    const comparedAt = clock.now();
    const versions = await monitorTexts(database.read).shardVersions();
    const index = createTextIndex();
    let after: Pick<MonitorTexts, 'id' | 'created_at'> = { id: 0, created_at: 0 };
    for (;;) {
      // Scans, which go on meanwhile, would hold up each page.
      const rows = await monitorTexts(database.read).read(teamId, after, PAGE);
      index.apply(rows.map(entryOf));
      if (index.bytes > maxBytes) return void tooLarge.set(teamId, comparedAt);
      if (rows.length < PAGE) break;
      after = rows.at(-1)!;
      await eventLoop();
    }
    const comparisons = createSharedRuns<Comparison>();
    teams.set(teamId, { index, versions, edits: sum(versions), comparedAt, comparisons });
    trim();
  }

  /** Reads the texts of a team unless those of another one are being read. */
  async function startReading(teamId: number): Promise<void> {
    if (isReading || isRecent(tooLarge.get(teamId))) return;
    isReading = true;
    try {
      await readTeam(teamId);
    } catch {
      // The next search tries again, and meets the same error itself.
    } finally {
      isReading = false;
    }
  }

  const isRecent = (at = -Infinity) => Math.abs(clock.now() - at) < MAX_AGE_MS;

  function use(teamId: number, texts: TeamTexts): void {
    if (teams.delete(teamId)) teams.set(teamId, texts);
  }

  function trim(): void {
    let bytes = 0;
    for (const { index } of teams.values()) bytes += index.bytes;
    for (const [teamId, { index }] of teams) {
      if (bytes <= maxBytes) return;
      teams.delete(teamId);
      bytes -= index.bytes;
    }
  }

  /** Takes over what was edited since the last comparison. */
  async function compare(teamId: number, texts: TeamTexts): Promise<Comparison> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const now = clock.now();
      if ((await readEdits(database)) !== texts.edits) {
        if (!isRecent(texts.comparedAt)) return 'outdated';
        const versions = await monitorTexts(database.read).shardVersions();
        const since = changedSince(texts.versions, versions);
        if (since === null) return 'outdated';
        const edited = await monitorTexts(database.read).readEdited(teamId, since, MAX_EDITED + 1);
        if (edited.length > MAX_EDITED) return 'outdated';
        await takeOver(texts.index, edited.map(entryOf));
        texts.versions = versions;
        texts.edits = sum(versions);
        // Else they are from after the versions, and may have half of a transaction that edited several monitors.
        if (edited.some(({ edits }) => edits !== texts.edits)) continue;
      }
      texts.comparedAt = now;
      return 'current';
    }
    return 'busy';
  }

  return {
    /**
     * The monitors that match a search for texts, as they are in the database during the call. Null if the team's texts are
     * not in memory, or not yet: the search has to read them.
     */
    async find(teamId: number, filter: WantedTexts) {
      const texts = teams.get(teamId);
      const comparison = texts && (await texts.comparisons.run('', () => compare(teamId, texts)));
      if (texts === undefined || comparison === 'outdated') {
        if (teams.get(teamId) === texts) teams.delete(teamId);
        void startReading(teamId);
        return null;
      }
      if (comparison === 'busy') return null;
      use(teamId, texts);
      trim();
      return matchesIn(texts, filter);
    },
    /** As above, but as they were when they were last compared with the database: compare `edits` before you use them. */
    async recall(teamId: number, filter: WantedTexts) {
      const texts = teams.get(teamId);
      if (texts === undefined) return null;
      use(teamId, texts);
      return matchesIn(texts, filter);
    },
  };
}

async function matchesIn(
  { index, edits }: TeamTexts,
  { search, q }: WantedTexts,
): Promise<TextMatches> {
  // Both begin now, so that they find in the same texts.
  const [byUrl, byAny] = await Promise.all([
    search === null ? null : index.find(lowerCase(search), 'first'),
    q === null ? null : index.find(lowerCase(q), 'any'),
  ]);
  return { ids: inBoth(byUrl, byAny), edits };
}

function entryOf(monitor: MonitorTexts): TextEntry {
  const { id, created_at: position, deleted_at: deletedAt, url, friendly_name: name } = monitor;
  if (deletedAt !== null) return { id, position, texts: null };
  return { id, position, texts: [url, name ?? '', ...(JSON.parse(monitor.tags) as string[])] };
}

/** Lets the event loop run once. */
const eventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function takeOver(index: TextIndex, changes: readonly TextEntry[]): Promise<void> {
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    if (from > 0) await eventLoop();
    index.apply(changes.slice(from, from + AT_ONCE));
  }
}

/** The shards that have another version now, with the earlier one; null if they were edited less often than before. */
function changedSince(
  earlier: ReadonlyMap<number, number>,
  now: ReadonlyMap<number, number>,
): [shard: number, version: number][] | null {
  const changed: [number, number][] = [];
  for (const [shard, version] of now) {
    const known = earlier.get(shard);
    // As in another database, such as a restored one.
    if (known === undefined || version < known) return null;
    if (version > known) changed.push([shard, known]);
  }
  return changed;
}

function sum(versions: ReadonlyMap<number, number>): number {
  let total = 0;
  for (const version of versions.values()) total += version;
  return total;
}

function inBoth(one: number[] | null, other: number[] | null): number[] {
  if (one === null || other === null) return one ?? other ?? [];
  const wanted = new Set(other);
  return one.filter((id) => wanted.has(id));
}

/** Texts of a monitor that searches look at, as `contains` compares them. */
interface MonitorTexts {
  id: number;
  /** Epoch milliseconds. */
  created_at: number;
  deleted_at: number | null;
  url: string;
  friendly_name: string | null;
  /** JSON. */
  tags: string;
}

/** Texts of monitors that a search goes through. */
function monitorTexts(db: Db) {
  return {
    /** Reads the texts of a team's monitors in the order of their creation, deleted ones not. */
    async read(teamId: number, after: Pick<MonitorTexts, 'id' | 'created_at'>, limit: number) {
      const { rows } = await sql<MonitorTexts>`
    select ${columnsOf(db)} from monitor where team_id = ${teamId} and deleted_at is null
      and (created_at, id) > (${after.created_at}, ${after.id})
    order by deleted_at, created_at, id limit ${limit}`.execute(db);
      return rows;
    },

    /** Reads the texts of monitors that were edited since the version of their shard, deleted ones included. */
    async readEdited(
      teamId: number,
      since: readonly (readonly [shard: number, version: number])[],
      limit: number,
    ): Promise<EditedTexts[]> {
      const shards = rowTable(db, since, { number: 'integer', version: 'integer' });
      const isEdited = sql`monitor.shard = known.number and monitor.version > known.version`;
      const { rows } = await sql<EditedTexts>`
    select ${columnsOf(db)}, ${EDITS} as edits from ${shards} as known
    cross join ${lookedUp(engineOf(db), 'monitor', isEdited)} where ${isEdited} and +team_id = ${teamId}
    limit ${limit}`.execute(db);
      return rows;
    },

    /** Versions of all shards. */
    async shardVersions(): Promise<Map<number, number>> {
      const { rows } = await sql<{ shard: number; version: number }>`
    select shard, version from shard`.execute(db);
      return new Map(rows.map(({ shard, version }) => [shard, version]));
    },
  };
}

/** The texts of an edited monitor, and the number of edits so far, of all monitors, at which they were read. */
type EditedTexts = MonitorTexts & { edits: number };

function columnsOf(db: Db) {
  const engine = engineOf(db);
  return sql`id, created_at, deleted_at, ${folded(engine, sql.ref('url'))} as url,
    ${folded(engine, sql.ref('friendly_name'))} as friendly_name, ${folded(engine, sql.ref('tags'))} as tags`;
}
