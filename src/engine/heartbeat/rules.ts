import type { PingKind } from '../../model/heartbeat.ts';
import type { SpanRuleName } from '../record/outcome.ts';

/** Where a job stands before something happens. */
export type Phase =
  | 'paused'
  /** Waits for the first ping, without a deadline. */
  | 'unarmed'
  /** A ping is expected, or is late within its grace. */
  | 'expecting'
  /** A ping was missed, and that is recorded; the next ping ends it. */
  | 'missed';

/** Input of the table of rules: a ping of a kind, or a time that has passed. */
type Signal =
  | PingKind
  /** A ping whose body took so long that a success that came later was recorded before it. */
  | 'overtaken'
  /** The expected time and its grace have passed. */
  | 'deadline'
  /** The deadline passed, and we did not listen all the time: the ping may have been sent. */
  | 'deadline_unheard'
  /** A run has taken more than its time. */
  | 'run_over'
  | 'run_over_unheard'
  /** The wait began at a time that is still to come: the clock was set back. */
  | 'clock_set_back'
  /** A person closed the incident while the job was silent. */
  | 'incident_closed';

export interface Row {
  when: Phase | 'any';
  happens: Signal;
  /** Whether the next ping is expected anew, from then on. */
  expects: 'anew' | 'as_before';
  /** Its meaning for the job: good or bad moves condition, status and incident (engine/record/condition.ts). */
  says: 'good' | 'bad' | 'nothing';
  becomes?: Phase;
}

/**
 * The whole rule of push monitors, one row per case; the first that fits holds. A paused one has none: nothing happens to
 * it. Completions, section 8: "Success computes the next expected time and resolves an open heartbeat incident. Expected
 * time plus grace passed: incident and offline; the expected time stays until the next ping. A failure: incident at once;
 * further failures add activities to the open one. `/start` records a start, `/log` records text only. Time in which this
 * service itself was away never becomes a missed ping: deadlines that passed then are re-armed from recovery."
 * And section 7: an incident closed by hand while the job still fails opens anew: a silent job is expected once more.
 */
export const HEARTBEAT_TABLE: readonly Row[] = [
  { when: 'any', happens: 'success', expects: 'anew', says: 'good', becomes: 'expecting' },
  // A run that failed did call: the next one is expected at its time.
  { when: 'any', happens: 'failure', expects: 'anew', says: 'bad', becomes: 'expecting' },
  // Whatever comes first, the job is there from now on.
  { when: 'unarmed', happens: 'start', expects: 'anew', says: 'nothing', becomes: 'expecting' },
  { when: 'unarmed', happens: 'log', expects: 'anew', says: 'nothing', becomes: 'expecting' },
  { when: 'any', happens: 'start', expects: 'as_before', says: 'nothing' },
  { when: 'any', happens: 'log', expects: 'as_before', says: 'nothing' },

  { when: 'any', happens: 'overtaken', expects: 'as_before', says: 'nothing' },

  { when: 'expecting', happens: 'deadline', expects: 'as_before', says: 'bad', becomes: 'missed' },
  { when: 'expecting', happens: 'deadline_unheard', expects: 'anew', says: 'nothing' },
  { when: 'expecting', happens: 'clock_set_back', expects: 'anew', says: 'nothing' },
  {
    when: 'missed',
    happens: 'incident_closed',
    expects: 'anew',
    says: 'nothing',
    becomes: 'expecting',
  },
  { when: 'any', happens: 'run_over', expects: 'as_before', says: 'bad' },
  { when: 'any', happens: 'run_over_unheard', expects: 'as_before', says: 'nothing' },
];

/** The time rule of each (engine/record/outcome.ts). */
export const SPAN_RULE_OF: Record<Signal, SpanRuleName> = {
  success: 'finished_run',
  failure: 'finished_run',
  start: 'other_ping',
  log: 'other_ping',
  overtaken: 'other_ping',
  deadline: 'missed_deadline',
  run_over: 'missed_deadline',
  deadline_unheard: 'unheard_deadline',
  run_over_unheard: 'unheard_deadline',
  clock_set_back: 'unheard_deadline',
  incident_closed: 'unheard_deadline',
};

/** The row for a signal in a phase. Throws where there is none. */
export function rowFor(phase: Phase | 'any', signal: Signal): Row {
  const row = HEARTBEAT_TABLE.find(
    ({ when, happens }) => happens === signal && (when === 'any' || when === phase),
  );
  if (row === undefined) throw new Error(`No row for ${signal} while ${phase}.`);
  return row;
}
