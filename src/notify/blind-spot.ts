import { SEVERITIES } from '../model/condition.ts';
import { MOST_TROUBLES } from './notice.ts';
import type { Notice, Trouble } from './notice.ts';

/** A message that has not reached its channel. */
export interface Untold {
  id: number;
  messageId: string;
  alertId: number | null;
  /** Whether it is lost: its time was over, or it was refused. Else it still waits. */
  isLost: boolean;
  notice: Notice;
}

/** What a channel that was out of reach is sent instead of all that was meant for it. */
export interface Catching {
  /** Sent first; null where nothing is outdated. */
  blindSpot: {
    notice: Notice;
    /** The same as long as it tells the same. */
    messageId: string;
    /** The messages that it tells. */
    replaces: number[];
  } | null;
  /** Those that a newer message, which still waits, tells as well. */
  repeated: number[];
}

export interface Silence {
  /** Epoch milliseconds. */
  from: number;
  to: number;
  reason: string | null;
}

/**
 * What is outdated is not sent as if it were news. An incident that is over, and of which nothing or not its end could
 * be told, goes into one message that says so; so does one that goes on when no message of it waits any more. Of an
 * incident that goes on, what waits is sent, but only the newest of an alarm and its reminders.
 *
 * @param untold of one channel, in their order.
 */
export function catchUp(untold: readonly Untold[], silence: Silence): Catching {
  const outdated: Untold[] = [];
  const repeated: number[] = [];
  for (const messages of byAlert(untold).values()) {
    if (isOutdated(messages)) outdated.push(...messages);
    else repeated.push(...repeatedOf(messages));
  }
  const last = outdated.toSorted((a, b) => a.id - b.id).at(-1);
  if (last === undefined) return { blindSpot: null, repeated };
  const notices = outdated.map((one) => one.notice);
  return {
    blindSpot: {
      notice: blindSpotOf(notices, silence),
      messageId: `${last.messageId}-late`,
      replaces: outdated.map((one) => one.id).toSorted((a, b) => a - b),
    },
    repeated,
  };
}

/** Messages that are of no alert stay as they are. */
function byAlert(untold: readonly Untold[]): Map<number, Untold[]> {
  const groups = new Map<number, Untold[]>();
  for (const one of untold) {
    if (one.alertId === null) continue;
    const group = groups.get(one.alertId);
    if (group === undefined) groups.set(one.alertId, [one]);
    else group.push(one);
  }
  return groups;
}

const BEGINNINGS = new Set(['alarm', 'escalation']);
const STILL_OPEN = new Set([...BEGINNINGS, 'reminder']);

/** @param messages of one alert */
function isOutdated(messages: Untold[]): boolean {
  const last = messages.at(-1)!;
  if (messages.every((one) => one.isLost)) return true;
  if (last.notice.kind !== 'recovery') return false;
  // Who got the alarm, and then perhaps no reminder, is waiting for just this one.
  return messages.some((one) => BEGINNINGS.has(one.notice.kind)) || last.isLost;
}

/** What the newest message of an alert makes needless: what is older and says the same, or less. */
function repeatedOf(messages: Untold[]): number[] {
  const newest = messages.findLastIndex(
    (one) => !one.isLost && (STILL_OPEN.has(one.notice.kind) || one.notice.kind === 'recovery'),
  );
  return messages.slice(0, Math.max(newest, 0)).map((one) => one.id);
}

function blindSpotOf(notices: Notice[], silence: Silence): Notice {
  const troubles = troublesOf(notices);
  const newest = notices.at(-1)!;
  const isOfOneTeam = notices.every((notice) => notice.team?.id === newest.team?.id);
  const worst = SEVERITIES.find((severity) =>
    troubles.some((trouble) => trouble.severity === severity),
  );
  return {
    kind: 'blind_spot',
    team: isOfOneTeam ? newest.team : null,
    severity: worst ?? newest.severity,
    at: silence.to,
    alert: null,
    troubles: troubles.slice(-MOST_TROUBLES),
    troubleCount: troubles.length,
    headline: null,
    text: null,
    silence,
  };
}

/** Each incident once, as it was told last, in the order in which they began. */
function troublesOf(notices: Notice[]): Trouble[] {
  const byIncident = new Map<number, Trouble>();
  for (const { troubles } of notices)
    for (const trouble of troubles) {
      const known = byIncident.get(trouble.incidentId);
      // An incident that ended does not begin again.
      if (known === undefined || known.endedAt === null || trouble.endedAt !== null)
        byIncident.set(trouble.incidentId, trouble);
    }
  return [...byIncident.values()].toSorted((a, b) => a.startedAt - b.startedAt);
}
