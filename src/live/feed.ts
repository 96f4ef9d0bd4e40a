import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller, type Poller } from '../lib/poller.ts';
import type { Database } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import {
  newestPings,
  readRecentPings,
  readRecentRounds,
  type Since,
} from '../store/engine/recent-rounds.ts';
import { isKnownMark, readChanges, readMark } from '../store/resources/live-changes.ts';
import { changesText, MAX_KNOWN, readPosition, type Position } from './position.ts';
import { readEvents } from './events.ts';
import {
  LiveStream,
  OVERLAP_MS,
  piecesOf,
  placeEvents,
  type Progress,
  type PlacedEvent,
} from './stream.ts';

/** Time between two reads of the log while a stream is open. */
const INTERVAL_MS = 250;
const PAGE = 2_000;
/** A client that missed more changes reads everything again, which is quicker. */
const MAX_MISSED = 5_000;
/** Time for which changes are kept at least (engine/history/retention.ts). */
const LIVE_CHANGE_MS = 3_600_000;
/** Oldest position that can be resumed; clocks of processes differ, and so do times of changes and their commits. */
const MAX_AGE_MS = LIVE_CHANGE_MS - 600_000;

export interface StreamRequest {
  teamId: number;
  audience: string;
  hides: LiveStream['hides'];
  monitors: readonly { id: number; isPush: boolean }[];
  /** Last-Event-ID of a client that resumes; null for a new one. */
  lastEventId: string | null;
}

/** Hands the changes of teams to open streams, whichever process made them. */
export type LiveFeed = ReturnType<typeof createLiveFeed>;

/** One time in which the log is read, from the first open stream to the last. */
interface Reading {
  poller: Poller;
  /** Null before the first read. */
  progress: Progress | null;
  /** Calls that wait for a read that begins after them. */
  waiting: PromiseWithResolvers<void>[];
}

export function createLiveFeed({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}) {
  const streams = new Map<number, Set<LiveStream>>();
  let open = 0;
  let opening = 0;
  let sent = 0;
  let reading: Reading | null = null;
  let stopping: Promise<unknown> = Promise.resolve();

  function startReading(): Reading {
    const poller = createPoller({
      run: () => runFor(started),
      clock,
      intervalMs: INTERVAL_MS,
      isUnavailable,
      // Log: They are read again in a moment; no event is lost.
      onFailure: (error) => log.error({ error }, 'Changes for event streams could not be read.'),
    });
    const started: Reading = { poller, progress: null, waiting: [] };
    return started;
  }

  function stopIfUnused(): void {
    if (open > 0 || opening > 0 || reading === null) return;
    stopping = Promise.all([stopping, reading.poller.stop()]);
    reading = null;
  }

  /** Resolves after a read of the log that begins after this call. */
  async function afterNextRead(): Promise<Reading> {
    const done = Promise.withResolvers<void>();
    const isNew = reading === null;
    const current = (reading ??= startReading());
    current.waiting.push(done);
    if (isNew) current.poller.start();
    else current.poller.wake();
    await done.promise;
    return current;
  }

  async function runFor(current: Reading): Promise<void> {
    const waiters = current.waiting.splice(0);
    try {
      if (current === reading) await readLog(current);
      for (const { resolve } of waiters) resolve();
    } catch (error) {
      for (const { reject } of waiters) reject(error);
      throw error;
    }
  }

  async function readLog(current: Reading): Promise<void> {
    const mark = await readMark(database);
    // What happened while nobody listened concerns nobody.
    current.progress ??= { after: mark, known: [] };
    if (!isKnownMark(database, current.progress.after, mark)) return startOver(current, mark);
    // After a failure the read that was begun is completed first.
    for (const until of new Set([current.progress.known[0]?.until ?? mark, mark]))
      await readUntil(current, until);
    await readWatched();
  }

  async function readUntil(current: Reading, until: string): Promise<void> {
    for (let isWhole = false; !isWhole;) {
      const from = current.progress!;
      const teamIds = [...streams.keys()];
      const changes = await readChanges(database, { ...from, until, teamIds, limit: PAGE });
      const now = clock.now();
      const byTeam = await readEvents(database, changes, now);
      if (current !== reading) return;
      isWhole = changes.length < PAGE;
      const to: Progress = isWhole
        ? { after: until, known: [] }
        : { after: from.after, known: [{ until, id: changes.at(-1)!.id }] };
      for (const [teamId, events] of byTeam)
        fanOut(teamId, placeEvents(events, { at: now, from, until, to }));
      current.progress = to;
    }
  }

  /** The database lost changes, as after a failover to a replica that was behind. */
  function startOver(current: Reading, mark: string): void {
    current.progress = { after: mark, known: [] };
    for (const stream of [...streams.values()].flatMap((ofTeam) => [...ofTeam])) {
      stream.moveTo(placeOf(current.progress));
      stream.write('reset', {});
    }
  }

  function fanOut(teamId: number, events: readonly PlacedEvent[]): void {
    const shared = new Map<string, { events: PlacedEvent[]; pieces: string[] | null }>();
    for (const stream of streams.get(teamId) ?? []) {
      let visible = shared.get(stream.audience);
      if (visible === undefined) {
        visible = { events: events.filter((event) => !stream.hides(event)), pieces: null };
        shared.set(stream.audience, visible);
      }
      const its = visible;
      stream.push(its.events, () => (its.pieces ??= piecesOf(its.events)));
    }
  }

  /** Reads the results and pings of monitors that streams name, in one statement each. */
  async function readWatched(): Promise<void> {
    const watching = [...streams.values()].flatMap((ofTeam) =>
      [...ofTeam].filter(({ watched }) => watched.size > 0),
    );
    if (watching.length === 0) return;
    const rounds = await readRecentRounds(database, earliest(watching, false), clock.now());
    const pings = await readRecentPings(database, earliest(watching, true));
    for (const stream of watching) {
      stream.pushRounds(rounds);
      stream.pushPings(pings);
    }
  }

  const placeOf = ({ after, known }: Progress) => changesText({ at: clock.now(), after, known });

  function resumable(text: string | null, current: Progress): Position | null {
    const position = text === null ? null : readPosition(text);
    if (position === null) return null;
    const now = clock.now();
    const marks = [position.after, ...position.known.map(({ until }) => until)];
    const isKnown = marks.every((mark) => isKnownMark(database, mark, current.after));
    const isRecent = position.at > now - MAX_AGE_MS && position.at < now + MAX_AGE_MS;
    return isKnown && isRecent && position.known.length < MAX_KNOWN ? position : null;
  }

  /** Sends what a client missed since its position, or `reset` when that is too much. */
  async function catchUp(stream: LiveStream, position: Position, current: Progress): Promise<void> {
    const now = clock.now();
    const until = current.after;
    const { after, known } = position;
    const changes = await readChanges(database, {
      after,
      known,
      until,
      teamIds: [stream.teamId],
      limit: MAX_MISSED + 1,
    });
    const isTooMuch = changes.length > MAX_MISSED;
    const events = isTooMuch
      ? []
      : ((await readEvents(database, changes, now)).get(stream.teamId) ?? []);
    const placed = placeEvents(events, { at: now, from: position, until, to: current });
    const visible = placed.filter((event) => !stream.hides(event));
    const [rounds, pings] = await Promise.all([
      readRecentRounds(database, stream.wanted(false), now),
      readRecentPings(database, stream.wanted(true)),
    ]);
    stream.start(() => {
      stream.write('hello', helloOf(!isTooMuch));
      stream.push(visible, () => piecesOf(visible));
      stream.moveTo(placeOf(current));
      if (isTooMuch) stream.write('reset', {});
      stream.pushRounds(rounds);
      stream.pushPings(pings);
    });
  }

  async function beginAnew(stream: LiveStream, isReset: boolean): Promise<void> {
    const now = clock.now();
    const pull = stream
      .wanted(false)
      .map(({ monitorId }) => ({ monitorId, after: now - OVERLAP_MS }));
    stream.skipRounds(await readRecentRounds(database, pull, now));
    stream.start(() => {
      stream.write('hello', helloOf(false));
      if (isReset) stream.write('reset', {});
    });
  }

  const helloOf = (isResumed: boolean) => ({
    time: new Date(clock.now()).toISOString(),
    resumed: isResumed,
  });

  async function watch(
    { watched }: LiveStream,
    monitors: StreamRequest['monitors'],
    seen: ReadonlyMap<number, number>,
  ): Promise<void> {
    const pushed = monitors.filter(({ isPush }) => isPush).map(({ id }) => id);
    const newest = pushed.length === 0 ? null : await newestPings(database, pushed);
    const now = clock.now();
    for (const { id, isPush } of monitors) {
      // Of a position that can be resumed, all older rounds were sent, whatever it says.
      const from = isPush
        ? (seen.get(id) ?? newest?.get(id) ?? 0)
        : Math.max(seen.get(id) ?? now - OVERLAP_MS, now - LIVE_CHANGE_MS);
      watched.set(id, { isPush, newest: from, floor: isPush ? 0 : from, sent: new Set() });
    }
  }

  function add(stream: LiveStream): void {
    const ofTeam = streams.get(stream.teamId) ?? new Set();
    streams.set(stream.teamId, ofTeam.add(stream));
    open += 1;
  }

  function remove(stream: LiveStream): void {
    const ofTeam = streams.get(stream.teamId);
    if (ofTeam?.delete(stream) !== true) return;
    if (ofTeam.size === 0) streams.delete(stream.teamId);
    open -= 1;
    stopIfUnused();
  }

  function countSent(events: number): void {
    sent += events;
  }

  async function openStream(request: StreamRequest): Promise<LiveStream> {
    const { lastEventId, monitors } = request;
    const current = (await afterNextRead()).progress!;
    // Nothing is read between here and the registration.
    const position = resumable(lastEventId, current);
    const place = position === null ? placeOf(current) : changesText(position);
    const stream = new LiveStream({ ...request, place, onClose: remove, onSent: countSent });
    add(stream);
    try {
      await watch(stream, monitors, position?.seen ?? new Map());
      if (position === null) await beginAnew(stream, lastEventId !== null);
      else await catchUp(stream, position, current);
    } catch (error) {
      remove(stream);
      throw error;
    }
    return stream;
  }

  return {
    /** Opens a stream. Rejects when the database is unavailable. */
    async open(request: StreamRequest) {
      opening += 1;
      try {
        return await openStream(request);
      } finally {
        opening -= 1;
        stopIfUnused();
      }
    },
    keepAlive(stream: LiveStream) {
      if (reading?.progress) stream.keepAlive(placeOf(reading.progress));
    },
    wake: () => reading?.poller.wake(),
    async stop() {
      await Promise.all([stopping, reading?.poller.stop()]);
    },
    get sent() {
      return sent;
    },
    get openStreams() {
      return open;
    },
  };
}

/** From where the monitors that streams name are read: each from the first place that one of them needs. */
function earliest(streams: readonly LiveStream[], isPush: boolean): Since[] {
  const after = new Map<number, number>();
  for (const one of streams.flatMap((stream) => stream.wanted(isPush)))
    after.set(one.monitorId, Math.min(one.after, after.get(one.monitorId) ?? Infinity));
  return [...after].map(([monitorId, from]) => ({ monitorId, after: from }));
}
