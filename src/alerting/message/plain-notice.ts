import { randomUUID } from 'node:crypto';
import type { NewDelivery } from '../../store/alerting/destinations.ts';
import type { Notice } from './notice.ts';

/** Something worth knowing that is no incident, in words of its own. */
export interface PlainNotice {
  team: Notice['team'];
  severity: Notice['severity'];
  headline: string;
  /** Sentences; null where the headline says it all. */
  text: string | null;
  /** Of the event that it is about; null where there is none. */
  eventType: string | null;
}

/** A message of it to each of these destinations. */
export function plainNoticeTo(
  destinationIds: readonly number[],
  { team, severity, headline, text, eventType }: PlainNotice,
  now: number,
): NewDelivery[] {
  const notice: Notice = {
    kind: 'notice',
    team,
    severity,
    at: now,
    alert: null,
    troubles: [],
    troubleCount: 0,
    headline,
    text,
    silence: null,
  };
  const body = JSON.stringify(notice);
  return destinationIds.map((destinationId) => ({
    destinationId,
    teamId: team?.id ?? null,
    messageId: `msg_${randomUUID()}`,
    kind: 'notice',
    eventType,
    incidentId: null,
    alertId: null,
    body,
  }));
}
