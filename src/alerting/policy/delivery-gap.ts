import { SEVERITIES } from '../../model/condition.ts';
import {
  MAX_LISTED_INCIDENTS,
  type MessageContent,
  type MessageIncident,
} from '../message/content.ts';

export interface Undelivered {
  id: number;
  messageId: string;
  /** Null of a message that is about no alert; it stays as it is. */
  alertId: number | null;
  /** Whether it expired or was refused. Else it still waits. */
  isLost: boolean;
  content: MessageContent;
}

/** A time in which a channel was unreachable. */
interface DeliveryGap {
  from: number;
  to: number;
  reason: string | null;
}

export interface Backlog {
  undelivered: readonly Undelivered[];
  gap: DeliveryGap;
}

/** The messages that a channel is sent after a gap in place of its backlog. */
export interface CatchUp {
  /** Sent first; null when nothing is outdated. */
  gapMessage: {
    content: MessageContent;
    /** The same as long as it replaces the same messages. */
    messageId: string;
    /** Ids of the messages whose incidents it lists. */
    replaces: number[];
  } | null;
  /** Ids of messages that a newer one, which still waits, makes redundant. */
  repeated: number[];
}

/**
 * Outdated messages are not sent as if they were news. One message lists the incidents that are over and of which nothing,
 * or not the end, was delivered, and those that go on when no message of them waits any more. Of an incident that goes
 * on, the messages that wait are sent, but only the newest of an alarm and its reminders.
 */
export function deliveryGap({ undelivered, gap }: Backlog): { kind: 'catch_up' } & CatchUp {
  const outdated: Undelivered[] = [];
  const repeated: number[] = [];
  const ofAlerts = undelivered.filter(({ alertId }) => alertId !== null);
  for (const messages of Map.groupBy(ofAlerts, ({ alertId }) => alertId).values()) {
    if (isOutdated(messages)) outdated.push(...messages);
    else {
      const redundant = redundantOf(messages);
      repeated.push(...redundant.repeated);
      outdated.push(...redundant.lost);
    }
  }
  const last = outdated.toSorted((a, b) => a.id - b.id).at(-1);
  if (last === undefined) return { kind: 'catch_up', gapMessage: null, repeated };
  const contents = outdated.map(({ content }) => content);
  const gapMessage = {
    content: gapMessageOf(contents, gap),
    messageId: `${last.messageId}-late`,
    replaces: outdated.map(({ id }) => id).toSorted((a, b) => a - b),
  };
  return { kind: 'catch_up', gapMessage, repeated };
}

const BEGINNINGS = new Set(['alarm', 'escalation']);
const STILL_OPEN = new Set([...BEGINNINGS, 'reminder']);

function isOutdated(messages: Undelivered[]): boolean {
  const last = messages.at(-1)!;
  if (messages.every((one) => one.isLost)) return true;
  if (last.content.kind !== 'recovery') return false;
  // A channel that got the alarm waits for just this one.
  return messages.some((one) => BEGINNINGS.has(one.content.kind)) || last.isLost;
}

/**
 * The messages of an alert that newer ones make redundant. A newer message makes an older one redundant when it names
 * every incident of the older one: a recovery that waits is sent even if the alert goes on with other incidents, and one
 * that is lost is listed in the message of the gap.
 */
function redundantOf(messages: Undelivered[]): { repeated: number[]; lost: Undelivered[] } {
  const newest = messages.findLastIndex(
    (one) => !one.isLost && (STILL_OPEN.has(one.content.kind) || one.content.kind === 'recovery'),
  );
  const named = new Set<number>();
  let isCut = false;
  const repeated: number[] = [];
  const lost: Undelivered[] = [];
  for (const [index, message] of [...messages.entries()].toReversed()) {
    const { id, isLost, content } = message;
    const { troubles, troubleCount } = content;
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
    isCut ||= troubles.length < troubleCount && STILL_OPEN.has(content.kind);
  }
  return { repeated: repeated.toReversed(), lost };
}

function gapMessageOf(contents: MessageContent[], gap: DeliveryGap): MessageContent {
  const incidents = incidentsOf(withEnds(contents));
  const newest = contents.at(-1)!;
  const isOfOneTeam = contents.every(({ team }) => team?.id === newest.team?.id);
  const worst = SEVERITIES.find((severity) =>
    incidents.some((incident) => incident.severity === severity),
  );
  return {
    kind: 'blind_spot',
    team: isOfOneTeam ? newest.team : null,
    severity: worst ?? newest.severity,
    at: gap.to,
    alert: null,
    troubles: incidents.slice(-MAX_LISTED_INCIDENTS),
    troubleCount: incidents.length,
    headline: null,
    text: null,
    silence: gap,
  };
}

/** After the recovery of an alert none of its incidents goes on, whether or not the recovery names it. */
function withEnds(contents: MessageContent[]): MessageContent[] {
  const overAt = new Map<number, number>();
  return contents
    .toReversed()
    .map((content) => {
      const { alert, kind, at, troubles } = content;
      if (alert === null) return content;
      if (kind === 'recovery') overAt.set(alert.id, at);
      const over = overAt.get(alert.id);
      if (over === undefined) return content;
      const ended = troubles.map((one) => ({ ...one, endedAt: one.endedAt ?? over }));
      return { ...content, troubles: ended };
    })
    .toReversed();
}

/** Each incident once, as its last message shows it, in the order in which they began. */
function incidentsOf(contents: MessageContent[]): MessageIncident[] {
  const byIncident = new Map<number, MessageIncident>();
  for (const { troubles } of contents)
    for (const trouble of troubles) {
      const known = byIncident.get(trouble.incidentId);
      // An incident that ended does not begin again.
      if (known === undefined || known.endedAt === null || trouble.endedAt !== null)
        byIncident.set(trouble.incidentId, trouble);
    }
  return [...byIncident.values()].toSorted((a, b) => a.startedAt - b.startedAt);
}
