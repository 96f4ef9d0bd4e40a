import { useEffect } from 'react';
import { queries, readAhead } from './api.ts';
import { call, type MonitorOverview } from './client.ts';
import { keyOf } from './read-key.ts';
import { concerned, type LiveEvent } from './live-changes.ts';
import { applyToOverview } from './live-overview.ts';
import { API, BASE } from './place.ts';
import { readAgain, readAllAgain } from './read-again.ts';
import { createStore } from './store.ts';

export interface LiveState {
  state: 'connecting' | 'live' | 'lost';
  /** Time of the last news, in milliseconds; null before the first. */
  lastNewsAt: number | null;
}

const KINDS = [
  'hello',
  'status',
  'incident',
  'monitor',
  'settings',
  'result',
  'ping',
  'reset',
  'alive',
];
/** The stream sends `alive` every 15 seconds; a silent connection is given up after this time. */
const SILENCE_MS = 20_000;
/** How exact the time of the last news is. */
const NEWS_STEP_MS = 1_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];
/** Changes within this time are read again at once. */
const GATHER_MS = 150;
/** Time from one reading again to the next: a storm of changes is not one of requests. */
const READ_AGAIN_MS = 1_000;
/** The same for the first few of changes that follow each other: they are no storm yet. */
const READ_FIRST_MS = 300;
const FIRST_READS = 5;
const OVERVIEW = keyOf('getMonitorOverview');
/** Name of what the tabs of one installation share. */
const SHARED = `tocsin-live${BASE}`;

/** Message between the tabs of a browser, which share one stream. */
type Shared =
  | { type: 'event'; event: LiveEvent; lastEventId: string }
  | { type: 'state'; state: LiveState; lastEventId: string }
  | { type: 'watch'; tab: string; monitors: number[] }
  | { type: 'bye'; tab: string }
  | { type: 'team' }
  | { type: 'who' };

const tab = Math.random().toString(36).slice(2);
const handlers = new Set<(event: LiveEvent) => void>();
const watchedHere = new Map<symbol, number>();
/** Monitors that other tabs have open, by tab. */
const watchedElsewhere = new Map<string, number[]>();

const live = createStore<LiveState>({ state: 'connecting', lastNewsAt: null });
let channel: BroadcastChannel | null = null;
let isLeader = false;
let source: EventSource | null = null;
let sourceMonitors = '';
/** Id of the newest event, also of one from the stream of another tab: a tab that takes the stream over resumes from it. */
let lastEventId = '';
let failures = 0;
let silence: ReturnType<typeof setTimeout> | null = null;
let retry: ReturnType<typeof setTimeout> | null = null;
/** Keys of the data to read again. */
const pending = new Set<string>();
/** Reads again that follow each other; 0 when the next change is read at once. */
let reads = 0;

/** Whether there is a team whose stream can be opened; until the session is known, it is assumed. */
let hasTeam = true;

/**
 * Opens the stream, or shares that of another tab. Best before the page reads anything: what it reads after the stream began
 * is not read again.
 */
export function startLive(): void {
  if (channel !== null) return;
  channel = new BroadcastChannel(SHARED);
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => receive(data));
  addEventListener('pagehide', () => post({ type: 'bye', tab }));
  addEventListener('online', () => isLeader && open());
  addEventListener('offline', () => isLeader && lost());
  post({ type: 'who' });
  // Locks need HTTPS; without them each tab opens a stream of its own.
  if (navigator.locks === undefined) return lead();
  void navigator.locks.request(SHARED, () => {
    lead();
    return new Promise(() => {});
  });
}

/** Ends the stream of a person without a team. */
export function stopLive(): void {
  hasTeam = false;
  close();
}

/** State of the connection. */
export const useLive = live.useValue;

/** Asks for the results and pings of a monitor while the component is shown. */
export function useWatched(monitorId: number): void {
  useEffect(() => {
    const key = Symbol('watched');
    watchedHere.set(key, monitorId);
    watchChanged();
    return () => {
      watchedHere.delete(key);
      watchChanged();
    };
  }, [monitorId]);
}

/** Calls a function for each event of the stream. */
export function useLiveEvents(handle: (event: LiveEvent) => void): void {
  useEffect(() => {
    handlers.add(handle);
    return () => {
      handlers.delete(handle);
    };
  }, [handle]);
}

/**
 * Lets the other tabs of this browser begin anew: the team belongs to the session, so that what they read from now on is of
 * another team than what they show.
 */
export function postTeamChanged(): void {
  post({ type: 'team' });
}

function lead(): void {
  isLeader = true;
  post({ type: 'who' });
  open();
}

function receive(message: Shared): void {
  switch (message.type) {
    case 'event':
      if (isLeader) return;
      lastEventId = message.lastEventId;
      return deliver(message.event);
    case 'state':
      if (isLeader) return;
      lastEventId = message.lastEventId;
      return live.set(message.state);
    case 'watch':
      watchedElsewhere.set(message.tab, message.monitors);
      return void (isLeader && reopenIfNeeded());
    case 'bye':
      watchedElsewhere.delete(message.tab);
      return;
    case 'team':
      return location.assign(`${BASE}/monitors`);
    case 'who':
      post({ type: 'watch', tab, monitors: [...watchedHere.values()] });
      if (isLeader) post({ type: 'state', state: live.read(), lastEventId });
  }
}

function watchChanged(): void {
  post({ type: 'watch', tab, monitors: [...watchedHere.values()] });
  if (isLeader) reopenIfNeeded();
}

/** At most five monitors can be watched: the newest of this tab come first. */
function monitorsToWatch(): string {
  const ids = [...watchedHere.values(), ...[...watchedElsewhere.values()].flat()];
  return [...new Set(ids)]
    .slice(0, 5)
    .toSorted((a, b) => a - b)
    .join(',');
}

function reopenIfNeeded(): void {
  if (monitorsToWatch() !== sourceMonitors) open();
}

function open(): void {
  close();
  if (!hasTeam) return;
  sourceMonitors = monitorsToWatch();
  const query = new URLSearchParams();
  if (sourceMonitors !== '') query.set('monitor', sourceMonitors);
  if (lastEventId !== '') query.set('last_event_id', lastEventId);
  const text = query.toString();
  source = new EventSource(`${API}/events${text === '' ? '' : `?${text}`}`);
  source.addEventListener('open', () => {
    failures = 0;
    news();
  });
  source.addEventListener('error', () => {
    // A refusal ends the stream for good, a broken connection does not: after a 401 this leads to the sign-in page.
    if (source?.readyState === EventSource.CLOSED) void call('whoAmI').catch(() => {});
    lost();
  });
  for (const kind of KINDS) {
    source.addEventListener(kind, (event) => {
      if (event.lastEventId !== '') lastEventId = event.lastEventId;
      const parsed = kind === 'alive' ? null : parse(kind, event.data as string);
      if (parsed !== null) {
        deliver(parsed);
        post({ type: 'event', event: parsed, lastEventId });
      }
      news();
    });
  }
}

function parse(kind: string, text: string): LiveEvent | null {
  try {
    return { kind, data: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return null;
  }
}

function close(): void {
  source?.close();
  source = null;
  for (const timer of [silence, retry]) if (timer !== null) clearTimeout(timer);
}

/** The browser would try again by itself, but not after every error, and without saying when. */
function lost(): void {
  close();
  publish({ ...live.read(), state: 'lost' });
  const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!;
  failures += 1;
  retry = setTimeout(open, wait);
}

function news(): void {
  const { state, lastNewsAt } = live.read();
  // Each change of the time renders what shows it: a thousand events a second must not.
  if (state !== 'live' || Date.now() - (lastNewsAt ?? 0) > NEWS_STEP_MS)
    publish({ state: 'live', lastNewsAt: Date.now() });
  if (silence !== null) clearTimeout(silence);
  silence = setTimeout(lost, SILENCE_MS);
}

function deliver(event: LiveEvent): void {
  for (const handle of handlers) handle(event);
  // Of changes that follow each other closely, the list is read as a whole.
  if (reads === 0) showInOverview(event);
  const keys = concerned(event);
  if (keys === null) {
    void readAllAgain(queries);
    // What is read from now on is not read again: the list need not wait until it is rendered.
    if (location.pathname === `${BASE}/monitors`) void readAhead('getMonitorOverview');
    return;
  }
  for (const key of keys) readSoon(key);
}

function readSoon(key: readonly unknown[]): void {
  pending.add(JSON.stringify(key));
  if (reads > 0) return;
  reads = 1;
  setTimeout(() => void readPending(), GATHER_MS);
}

/** Only a change is set: data that is set counts as read, also when it was to be read again. */
function showInOverview(event: LiveEvent): void {
  const before = queries.getQueryData<MonitorOverview>(OVERVIEW);
  if (before === undefined) return;
  const after = applyToOverview(before, event);
  if (after !== before) queries.setQueryData(OVERVIEW, after);
}

/**
 * Reads what changed again, once however often it changed. What changes meanwhile waits until this is read, as a request that
 * is started again and again never ends.
 */
async function readPending(): Promise<void> {
  const keys = [...pending];
  pending.clear();
  const begunAt = performance.now();
  await Promise.all(
    keys.map((key) => readAgain(queries, { queryKey: JSON.parse(key) as unknown[] })),
  );
  const wait = reads > FIRST_READS ? READ_AGAIN_MS : READ_FIRST_MS;
  const rest = wait - (performance.now() - begunAt);
  setTimeout(
    () => {
      if (pending.size === 0) return void (reads = 0);
      reads += 1;
      void readPending();
    },
    Math.max(0, rest),
  );
}

function publish(next: LiveState): void {
  live.set(next);
  post({ type: 'state', state: next, lastEventId });
}

function post(message: Shared): void {
  channel?.postMessage(message);
}
