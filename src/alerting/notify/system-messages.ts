import { minuteOf } from '../../lib/time-zone.ts';
import { enumerated } from '../../lib/text.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { channelDestinations } from '../../store/resources/alert-channels.ts';
import { type NewDelivery, destinationStore } from '../../store/alerting/destinations.ts';
import type { MessageContent } from '../message/content.ts';
import { randomUUID } from 'node:crypto';
import {
  type ProbeOverloadRow,
  type RegionHealthRow,
  probeHealth,
  probeHealthChanges,
} from '../../store/engine/probe-health.ts';
import type { SoleProbeHost } from '../../model/check.ts';

/** Something that people should know, and that is no incident. It is sent in the transaction of what happened. */
interface SystemMessage {
  severity: MessageContent['severity'];
  headline: string;
  /** Sentences: what happened, and what to do. */
  text: string;
}

interface SendOptions {
  now: number;
  /** Whether mail can be sent: else channels of mail are left out. */
  mail: boolean;
}

/**
 * Notifies the owner and the admins of a team by their own channels; by the team's default channels when none of them has
 * one.
 */
export async function notifyAdmins(
  tx: Tx,
  { teamId, ...message }: SystemMessage & { teamId: number },
  { now, mail }: SendOptions,
): Promise<void> {
  const { team, destinations } = await channelDestinations(tx).ofAdmins(teamId, now, mail);
  const content = { team, ...message, eventType: null };
  await destinationStore(tx).enqueue(systemMessagesTo(destinations, content, now), now);
}

/** Notifies those who run the installation, who are taken to be the owner and admins of its oldest team. */
export async function notifyOperators(tx: Tx, message: SystemMessage, options: SendOptions) {
  await sendToOperators(tx, [message], options);
}

/** @returns the number of messages: none before there is a team. */
async function sendToOperators(tx: Tx, messages: readonly SystemMessage[], options: SendOptions) {
  const teamId = await probeHealth(tx).oldestTeam();
  if (teamId === null) return 0;
  for (const message of messages) await notifyAdmins(tx, { ...message, teamId }, options);
  return messages.length;
}

/** Notifies a person by their other channels of what happened to one of them. */
export async function notifyPerson(
  tx: Tx,
  { personId, ...message }: SystemMessage & { personId: number },
  { now, mail }: SendOptions,
): Promise<void> {
  const destinations = await channelDestinations(tx).ofPerson(personId, mail);
  const content = { team: null, ...message, eventType: null };
  await destinationStore(tx).enqueue(systemMessagesTo(destinations, content, now), now);
}

export function systemMessagesTo(
  destinationIds: readonly number[],
  message: Pick<MessageContent, 'team' | 'severity' | 'text'> & {
    headline: string;
    eventType: string | null;
  },
  now: number,
): NewDelivery[] {
  const { team, severity, headline, text, eventType } = message;
  const content: MessageContent = {
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
  const body = JSON.stringify(content);
  return destinationIds.map((destinationId) => ({
    destinationId,
    teamId: team?.id ?? null,
    messageId: `msg_${randomUUID()}`,
    kind: 'notice',
    eventType,
    body,
  }));
}

/** An overload that ends sooner is logged and shown in the metrics; nobody is notified of it. */
const LASTED_MS = 60_000;

/** Notifies operators that a probe can't keep up, and later that it can again: one message each. @returns their number. */
export async function notifyOfOverloads(database: Database, now: number, mail: boolean) {
  const pending = await probeHealth(database.read).pendingOverloads(now - LASTED_MS);
  if (pending.length === 0) return 0;
  return database.transaction(async (tx) => {
    const messages: SystemMessage[] = [];
    for (const row of pending)
      if (await probeHealthChanges(tx).markOverloadNotified(row, now))
        messages.push(overloadMessage(row));
    return sendToOperators(tx, messages, { now, mail });
  });
}

function overloadMessage(row: ProbeOverloadRow): SystemMessage {
  const { probe, overloaded_at: since, reason, changed_at: changedAt } = row;
  if (since === null) {
    return {
      severity: 'info',
      headline: `The probe of ${probe} has kept up again since ${minuteOf(changedAt)}`,
      text: 'Checks start on time again. You need not do anything.',
    };
  }
  return {
    severity: 'warning',
    headline: `The probe of ${probe} has been overloaded since ${minuteOf(since)}`,
    text: [
      ...(reason === null ? [] : [`${reason}.`]),
      'Until it keeps up again, checks start late, and outages are noticed later than their interval says.',
    ].join(' '),
  };
}

/** Nobody is notified of a change that is undone sooner. */
const STOOD_FOR_MS = 60_000;

/**
 * Notifies operators of regions that were quarantined and of those that no longer are: one message for each of the two,
 * however many regions it is about.
 *
 * @param vantage the machine that probes for all regions; null when there are several.
 * @returns the number of messages.
 */
export async function notifyRegionChanges(
  database: Database,
  now: number,
  mail: boolean,
  vantage: SoleProbeHost | null = null,
): Promise<number> {
  const pending = await probeHealth(database.read).pendingRegionChanges(now - STOOD_FOR_MS);
  if (pending.length === 0) return 0;
  return database.transaction(async (tx) => {
    const { news, known } =
      vantage === null
        ? { news: pending, known: [] }
        : changesOfOnePlace(pending, await probeHealth(tx).regions(), vantage);
    const changed: RegionHealthRow[] = [];
    for (const row of news)
      if (await probeHealthChanges(tx).markRegionNotified(row, now)) changed.push(row);
    for (const row of known) await probeHealthChanges(tx).markRegionNotified(row, now);
    return sendToOperators(tx, regionMessages(changed, vantage?.name ?? null), { now, mail });
  });
}

/**
 * Regions of one machine are one place to people. Its network is in doubt from the first region that is quarantined until
 * the last one is not.
 *
 * @returns `known`: people were notified of the same through another region, or the installation has it no more.
 */
function changesOfOnePlace(
  pending: readonly RegionHealthRow[],
  all: readonly RegionHealthRow[],
  { regions }: SoleProbeHost,
): { news: readonly RegionHealthRow[]; known: readonly RegionHealthRow[] } {
  const isCurrent = ({ region }: RegionHealthRow) => regions.includes(region);
  const current = all.filter(isCurrent);
  const changed = pending.filter(isCurrent);
  const former = pending.filter((row) => !isCurrent(row));
  const quarantined = current.filter(({ quarantined_at }) => quarantined_at !== null);
  if (quarantined.length > 0) {
    const begun = changed.filter(({ quarantined_at }) => quarantined_at !== null);
    const isKnown = quarantined.some(({ notified_at }) => notified_at !== null);
    return isKnown ? { news: [], known: [...begun, ...former] } : { news: begun, known: former };
  }
  // One that ended a moment ago belongs to the same message.
  const isSettled =
    current.filter(({ notified_at }) => notified_at === null).length <= changed.length;
  return { news: isSettled ? changed : [], known: former };
}

/** @param vantage name of the machine that probes for all regions; null when there are several. */
export function regionMessages(changed: readonly RegionHealthRow[], vantage: string | null) {
  const quarantined = changed.filter(({ quarantined_at }) => quarantined_at !== null);
  const well = changed.filter(({ quarantined_at }) => quarantined_at === null);
  return [
    ...(quarantined.length > 0 ? [doubtOf(quarantined, vantage)] : []),
    ...(well.length > 0 ? [relief(well, vantage)] : []),
  ];
}

function doubtOf(rows: readonly RegionHealthRow[], vantage: string | null): SystemMessage {
  const since = Math.min(...rows.map(({ quarantined_at }) => quarantined_at!));
  const reasons = [...new Set(rows.flatMap(({ reason }) => reason ?? []))];
  const isOne = rows.length === 1 || vantage !== null;
  return {
    severity: 'warning',
    headline: `The network of ${placeOf(rows, vantage)} has been in doubt since ${minuteOf(since)}`,
    text: [
      ...reasons.map((reason) => `${reason}.`),
      `Until ${isOne ? 'it recovers' : 'they recover'}, targets that can't be reached from there are unknown and open no incident; targets that answer count as usual.`,
      'Check the connection, the DNS resolver and the firewall of the probes there. If the targets are really down, this ends by itself once one in twenty answers.',
    ].join(' '),
  };
}

function relief(rows: readonly RegionHealthRow[], vantage: string | null): SystemMessage {
  const at = Math.max(...rows.map(({ changed_at }) => changed_at));
  const votes = rows.length === 1 || vantage !== null ? 'Its votes count' : 'Their votes count';
  return {
    severity: 'info',
    headline: `The network of ${placeOf(rows, vantage)} has worked again since ${minuteOf(at)}`,
    text: `${votes} again. Nothing is to be done.`,
  };
}

function placeOf(rows: readonly RegionHealthRow[], vantage: string | null): string {
  if (vantage !== null) return vantage;
  const names = rows.map(({ region }) => region);
  return `${names.length === 1 ? 'region' : 'regions'} ${enumerated(names)}`;
}
