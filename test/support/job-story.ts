import { expect } from 'vitest';
import { expectedAfter } from '../../src/engine/heartbeat/ping-schedule.ts';
import {
  nextDeadline,
  evaluatePing,
  evaluateSilence,
  type PingExpectation,
} from '../../src/engine/heartbeat/state.ts';
import type { Confirmations } from '../../src/model/condition.ts';
import type { Heartbeat, Ping, PingKind, ServiceGap } from '../../src/model/heartbeat.ts';
import type { IncidentChange, SpanChange } from '../../src/model/incident.ts';
import { closeIncident, reopenIncident, statusOf } from '../../src/engine/record/confirmations.ts';
import { newHeartbeat, planFor, type JobSettings } from './jobs.ts';

/** Midnight UTC; times in stories are seconds after it. */
export const START = Date.UTC(2030, 0, 1);
export const at = (seconds: number) => START + seconds * 1_000;
export const secondsOf = (time: number) => (time - START) / 1_000;

export const KINDS: Record<string, PingKind> = {
  ok: 'success',
  fail: 'failure',
  start: 'start',
  log: 'log',
};

/** The outcome of a story. */
export interface Played {
  /** Time of the last event. */
  now: number;
  state: Heartbeat;
  plan: PingExpectation;
  incidents: IncidentChange[];
  spans: SpanChange[];
  durations: (number | null)[];
  /** How often its incident was reopened. */
  reopenings: number;
}

/**
 * Runs a story such as `'0 ok, 5 start:a, 370 look, 400-410 away'`: pings (of the run `a`), sweeps (`look`), gaps of
 * the service (`away`), and actions of people. The monitor was created at 0. `'10+8 ok'` is a ping that began to arrive
 * at 10 and was complete 8 seconds later; `'900-400 away'` means that the clock was set back meanwhile.
 */
export function play(story: string, settings: JobSettings = {}): Played {
  const plan = planFor(settings);
  const gaps: ServiceGap[] = [];
  const played: Played = {
    now: START,
    state: newHeartbeat(plan, START),
    plan,
    incidents: [],
    spans: [],
    durations: [],
    reopenings: 0,
  };
  for (const word of story.split(', ').filter((one) => one !== '')) {
    const [when, what] = word.split(' ') as [string, string];
    if (what === 'away') {
      const [begin, end] = when.split('-').map(Number) as [number, number];
      gaps.push({ from: at(begin), to: at(end) });
    } else {
      const [began, tookSeconds = 0] = when.split('+').map(Number) as [number, number?];
      take(played, at(began + tookSeconds), what, gaps, at(began));
    }
  }
  return played;
}

export function take(
  played: Played,
  now: number,
  what: string,
  gaps: ServiceGap[],
  receivedAt = now,
): void {
  const { state, plan } = played;
  played.now = now;
  const [name, runId = null] = what.split(':') as [string, string?];
  if (name in BY_HAND) {
    if (name === 'reopen' && (played.reopenings += 1) && played.incidents.length === 0) return;
    played.state = BY_HAND[name]!(state, plan, now);
    return;
  }
  const kind = KINDS[name];
  const decision =
    kind === undefined
      ? evaluateSilence(state, plan, { now, heardUntil: now, gaps })
      : evaluatePing(state, plan, pingAt(receivedAt, kind, runId), now);
  played.state = decision.state;
  played.incidents.push(...decision.incidents);
  played.spans.push(...decision.spans);
  if ('ping' in decision) played.durations.push((decision.ping as Ping & Duration)?.durationMs);
}

interface Duration {
  durationMs: number | null;
}

export function pingAt(time: number, kind: PingKind, runId: string | null = null): Ping {
  const sender = { sourceAddress: '192.0.2.1', userAgent: null, body: null, isBodyCut: false };
  return { at: time, kind, runId, exitCode: null, ...sender };
}

const INCIDENT = { id: 1, startedAt: 0 };

/** Changes of the state as the service and the store make them. */
const BY_HAND: Record<string, (state: Heartbeat, plan: PingExpectation, now: number) => Heartbeat> =
  {
    close: (state, _, now) =>
      withConfirmations(state, closeIncident(state.confirmations, 'heartbeat', INCIDENT), now),
    reopen: (state, _, now) =>
      withConfirmations(state, reopenIncident(state.confirmations, 'heartbeat', INCIDENT.id), now),
    pause: (state, _, now) => ({
      ...state,
      isPaused: true,
      dueAt: null,
      observedUntil: state.observedUntil === null ? null : Math.min(state.observedUntil, now),
    }),
    resume: (state, plan, now) => ({
      ...expectedAnew(state, plan, now),
      isPaused: false,
      runs: [],
    }),
    reschedule: (state, plan, now) => expectedAnew(state, plan, now),
  };

function withConfirmations(state: Heartbeat, confirmations: Confirmations, now: number): Heartbeat {
  return confirmations === state.confirmations ? state : { ...state, confirmations, dueAt: now };
}

function expectedAnew(state: Heartbeat, plan: PingExpectation, now: number): Heartbeat {
  const expectedAt = expectedAfter(plan.schedule, now);
  return { ...state, expectedAt, armedAt: now, isMissed: false, isPostponed: false, dueAt: now };
}

/** The changes of incidents as `open 360`, in seconds. */
export const told = ({ incidents }: Played) =>
  incidents.map(({ kind, at: time }) => `${kind} ${secondsOf(time)}`).join(', ');

/** The final state as `offline, expected 300`. */
export const end = ({ state }: Played) =>
  `${state.status}, expected ${secondsOf(state.expectedAt)}`;

/** Asserts the invariants of any story. */
export function expectSound({ now, state, plan, incidents, spans, reopenings }: Played): void {
  if (state.status === 'pending') expect([state.confirmations, incidents]).toEqual([{}, []]);
  else expect(state.status).toBe(statusOf(state.confirmations));
  expectAlternating(incidents, reopenings);
  spans.forEach((span, index) => {
    expect(span.status).not.toBe(spans[index - 1]?.status);
  });
  const deadline = nextDeadline(state, plan);
  // The sweep is due at the deadline at the latest, or at once.
  if (deadline !== null)
    expect(state.dueAt ?? Infinity).toBeLessThanOrEqual(Math.max(deadline, now));
}

/** Asserts that incidents open and resolve in turn. One may have been closed or reopened by hand in between. */
function expectAlternating(incidents: IncidentChange[], reopenings: number): void {
  let reopened = reopenings;
  let isOpen = false;
  for (const { kind, status } of incidents) {
    if (kind !== 'open' && !isOpen) expect(reopened--).toBeGreaterThan(0);
    isOpen = kind !== 'resolve';
    expect(status.current).toBe(isOpen ? 'offline' : 'online');
  }
}
