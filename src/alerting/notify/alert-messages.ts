import type { Transaction } from 'kysely';
import { endingsOf, evidenceOf } from '../../store/alerting/alert-facts.ts';
import type { MemberRow } from '../../store/alerting/alert-steps.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import { flapEpisodesOf, type FlapEpisodes } from '../../store/alerting/flap-episodes.ts';
import { deletedMonitors } from '../../store/engine/deleted-monitors.ts';
import type { AlertedMonitor } from '../../store/engine/events.ts';
import type { Schema } from '../../store/database/schema.ts';
import { type Notification, FLAPPING_MS } from '../policy/index.ts';
import {
  MAX_LISTED_INCIDENTS,
  type MessageContent,
  totalsOf,
  messageIncidentOf,
} from '../message/index.ts';

/** What a step of an alert tells, and of what. */
export interface Told {
  alert: Pick<AlertRow, 'id' | 'shared_cause' | 'opened_at'>;
  /** As the step leaves it. */
  kind: 'single' | 'storm' | 'flapping';
  telling: Notification;
  /** The alert's incidents. */
  rows: readonly MemberRow[];
}

/** What each telling says, as it is at this moment, in their order. */
export async function noticesOf(
  tx: Transaction<Schema>,
  question: {
    told: readonly Told[];
    monitors: ReadonlyMap<number, AlertedMonitor>;
    team: { id: number; name: string };
    now: number;
  },
): Promise<MessageContent[]> {
  const { told, monitors, team, now } = question;
  const named = told.map(({ telling, rows }) => namedBy(telling.incidentIds, rows));
  const listed = named.map(listOf);
  const shown = [...new Set(listed.flat().map(({ incidentId }) => incidentId))];
  const evidence = Map.groupBy(await evidenceOf(tx, shown), (row) => row.incident_id);
  const endings = await endingsOf(tx, shown);
  const bouts = await flapEpisodesOf(tx, told.flatMap(firstOfFlapping), FLAPPING_MS);
  const missing = listed
    .flat()
    .flatMap(({ monitorId }) => (monitors.has(monitorId) ? [] : monitorId));
  const former = await deletedMonitors(tx, [...new Set(missing)]);
  const show = (row: MemberRow, openedAt: number) =>
    messageIncidentOf(
      {
        incident: row.incident,
        incidentId: row.incidentId,
        monitorId: row.monitorId,
        monitor: monitors.get(row.monitorId) ?? null,
        former: former.get(row.monitorId) ?? null,
        openedAt,
        evidence: (evidence.get(row.incidentId) ?? []).map((one) => one.evidence),
        ending: endings.get(row.incidentId) ?? null,
      },
      now,
    );
  return told.map((one, index) => ({
    kind: one.telling.kind,
    team,
    severity: one.telling.severity,
    at: now,
    alert: { id: one.alert.id, kind: one.kind, sharedCause: one.alert.shared_cause },
    troubles: listed[index]!.map((row) => show(row, one.alert.opened_at)),
    troubleCount: one.telling.incidentIds.length,
    ...(named[index]!.length > 1 && {
      totals: totalsOf(named[index]!, (id) => monitors.has(id), now),
    }),
    ...flappingOf(one, bouts),
    headline: null,
    text: null,
    silence: null,
  }));
}

/** Before it there are only those that were told one by one. */
function firstOfFlapping({ kind, rows }: Told): number[] {
  if (kind !== 'flapping' || rows.length === 0) return [];
  return [Math.min(...rows.map(({ incidentId }) => incidentId))];
}

function flappingOf(
  told: Told,
  bouts: ReadonlyMap<number, FlapEpisodes>,
): Pick<MessageContent, 'flapping'> {
  const flapping = firstOfFlapping(told).map((id) => bouts.get(id))[0];
  return flapping === undefined ? {} : { flapping };
}

const isOpen = ({ incident }: MemberRow) => incident !== null && incident.ended_at === null;

function namedBy(incidentIds: readonly number[], rows: readonly MemberRow[]): MemberRow[] {
  const wanted = new Set(incidentIds);
  return rows.filter(({ incidentId }) => wanted.has(incidentId));
}

/** The newest are listed, and those that go on before those that are over. */
function listOf(named: readonly MemberRow[]): MemberRow[] {
  const ordered = [...named.filter((row) => !isOpen(row)), ...named.filter(isOpen)];
  return ordered.slice(-MAX_LISTED_INCIDENTS);
}
