import type { Transaction } from 'kysely';
import { adminDestinations, personDestinations } from '../../store/resources/alert-channels.ts';
import { enqueueDeliveries } from '../../store/alerting/destinations.ts';
import type { Schema } from '../../store/database/schema.ts';
import type { Notice } from '../message/notice.ts';
import { plainNoticeTo } from '../message/plain-notice.ts';

/** What the people who run a team are told. */
export interface AdminNotice {
  teamId: number;
  severity: Notice['severity'];
  headline: string;
  /** Sentences: what happened, and what to do. */
  text: string;
}

/**
 * Tells the owner and the admins of a team, by their own channels; by the team's default channels where none of them
 * has one. In the transaction of what they are told of.
 *
 * @param mail whether mail can be sent: else nobody is told by it.
 */
export async function tellAdmins(
  tx: Transaction<Schema>,
  { teamId, severity, headline, text }: AdminNotice,
  { now, mail }: { now: number; mail: boolean },
): Promise<void> {
  const { team, destinations } = await adminDestinations(tx, teamId, now, mail);
  await tell(tx, { team, destinations, notice: { severity, headline, text } }, now);
}

/** Tells somebody by their other channels what happened to one of them. In the transaction of it. */
export async function tellPerson(
  tx: Transaction<Schema>,
  { personId, ...notice }: Omit<AdminNotice, 'teamId'> & { personId: number },
  { now, mail }: { now: number; mail: boolean },
): Promise<void> {
  const destinations = await personDestinations(tx, personId, mail);
  await tell(tx, { team: null, destinations, notice }, now);
}

async function tell(
  tx: Transaction<Schema>,
  question: {
    team: Notice['team'];
    destinations: readonly number[];
    notice: Omit<AdminNotice, 'teamId'>;
  },
  now: number,
): Promise<void> {
  const { team, destinations, notice } = question;
  const deliveries = plainNoticeTo(destinations, { team, ...notice, eventType: null }, now);
  await enqueueDeliveries(tx, deliveries, now);
}
