import { SEVERITIES } from '../../model/condition.ts';
import {
  MAX_LISTED_INCIDENTS,
  type MessageContent,
  type MessageIncident,
} from '../message/index.ts';

/** A message that has not reached its channel. */
export interface Undelivered {
  id: number;
  messageId: string;
  alertId: number | null;
  /** Whether it is lost: its time was over, or it was refused. Else it still waits. */
  isLost: boolean;
  notice: MessageContent;
}

/** What a channel that was out of reach is sent instead of all that was meant for it. */
export interface CatchUp {
  /** Sent first; null where nothing is outdated. */
  gapMessage: {
    notice: MessageContent;
    /** The same as long as it tells the same. */
    messageId: string;
    /** The messages that it tells. */
    replaces: number[];
  } | null;
  /** Those that a newer message, which still waits, tells as well. */
  repeated: number[];
}

export interface DeliveryGap {
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
export function catchUp(untold: readonly Undelivered[], silence: DeliveryGap): CatchUp {
  const outdated: Undelivered[] = [];
  const repeated: number[] = [];
  for (const messages of byAlert(untold).values()) {
    if (isOutdated(messages)) outdated.push(...messages);
    else {
      const needless = redundantOf(messages);
      repeated.push(...needless.repeated);
      outdated.push(...needless.lost);
    }
  }
  const last = outdated.toSorted((a, b) => a.id - b.id).at(-1);
  if (last === undefined) return { gapMessage: null, repeated };
  const notices = outdated.map((one) => one.notice);
  return {
    gapMessage: {
      notice: gapMessageOf(notices, silence),
      messageId: `${last.messageId}-late`,
      replaces: outdated.map((one) => one.id).toSorted((a, b) => a - b),
    },
    repeated,
  };
}

/** Messages that are of no alert stay as they are. */
function byAlert(untold: readonly Undelivered[]): Map<number, Undelivered[]> {
  const groups = new Map<number, Undelivered[]>();
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
function isOutdated(messages: Undelivered[]): boolean {
  const last = messages.at(-1)!;
  if (messages.every((one) => one.isLost)) return true;
  if (last.notice.kind !== 'recovery') return false;
  // Who got the alarm, and then perhaps no reminder, is waiting for just this one.
  return messages.some((one) => BEGINNINGS.has(one.notice.kind)) || last.isLost;
}

/**
 * The messages of an alert that newer ones make needless. A newer message makes an older one needless when it names
 * every incident of the older one: a recovery that waits is sent even if the alert goes on with other incidents, and one
 * that is lost goes into the blind spot.
 */
function redundantOf(messages: Undelivered[]): { repeated: number[]; lost: Undelivered[] } {
  const newest = messages.findLastIndex(
    (one) => !one.isLost && (STILL_OPEN.has(one.notice.kind) || one.notice.kind === 'recovery'),
  );
  const named = new Set<number>();
  let isCut = false;
  const repeated: number[] = [];
  const lost: Undelivered[] = [];
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const { id, isLost, notice } = message;
    const { troubles, troubleCount } = notice;
    // A list that was cut goes on with those that are still open.
    const isNamed = ({ incidentId, endedAt }: MessageIncident) =>
      named.has(incidentId) || (isCut && endedAt === null);
    if (index < newest && troubles.every(isNamed)) {
      repeated.push(id);
      continue;
    }
    if (index < newest && isLost) lost.push(message);
    if (isLost && index >= newest) continue;
    for (const { incidentId } of troubles) named.add(incidentId);
    isCut ||= troubles.length < troubleCount && STILL_OPEN.has(notice.kind);
  }
  return { repeated: repeated.toReversed(), lost };
}

function gapMessageOf(notices: MessageContent[], silence: DeliveryGap): MessageContent {
  const troubles = incidentsOf(withEnds(notices));
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
    troubles: troubles.slice(-MAX_LISTED_INCIDENTS),
    troubleCount: troubles.length,
    headline: null,
    text: null,
    silence,
  };
}

/** After the recovery of an alert none of its incidents goes on, whether or not the recovery names it. */
function withEnds(notices: MessageContent[]): MessageContent[] {
  const overAt = new Map<number, number>();
  return notices
    .toReversed()
    .map((notice) => {
      const { alert, kind, at, troubles } = notice;
      if (alert === null) return notice;
      if (kind === 'recovery') overAt.set(alert.id, at);
      const over = overAt.get(alert.id);
      if (over === undefined) return notice;
      const ended = troubles.map((one) => ({ ...one, endedAt: one.endedAt ?? over }));
      return { ...notice, troubles: ended };
    })
    .toReversed();
}

/** Each incident once, as it was told last, in the order in which they began. */
function incidentsOf(notices: MessageContent[]): MessageIncident[] {
  const byIncident = new Map<number, MessageIncident>();
  for (const { troubles } of notices)
    for (const trouble of troubles) {
      const known = byIncident.get(trouble.incidentId);
      // An incident that ended does not begin again.
      if (known === undefined || known.endedAt === null || trouble.endedAt !== null)
        byIncident.set(trouble.incidentId, trouble);
    }
  return [...byIncident.values()].toSorted((a, b) => a.startedAt - b.startedAt);
}
