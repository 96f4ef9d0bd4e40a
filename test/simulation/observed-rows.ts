import type { Confirmations } from '../../src/model/condition.ts';
import { compiler } from './world-database.ts';
import type { WorldDatabase } from './world-database.ts';

/** The rows that the rules check, as one transaction is about to leave them. */
export type Observed = ReturnType<typeof observeRows>;
export type ObservedState = Observed['states'][number];
export type ObservedIncident = Observed['incidents'][number];

const OBSERVED_ROWS = {
  states: compiler
    .selectFrom('monitor_state')
    .select(['monitor_id', 'revision', 'status', 'last_slot', 'is_paused', 'tracks'])
    .compile(),
  incidents: compiler
    .selectFrom('incident')
    .select(['id', 'monitor_id', 'type', 'started_at', 'ended_at'])
    .orderBy('id')
    .compile(),
  spans: compiler
    .selectFrom('status_span')
    .select(['id', 'monitor_id', 'status', 'from_at', 'to_at'])
    .orderBy('id')
    .compile(),
  events: compiler
    .selectFrom('event')
    .select(['id', 'monitor_id', 'incident_id', 'type'])
    .where('id', '>', 0)
    .orderBy('id')
    .compile(),
  /** Manual actions on incidents. */
  manualActions: compiler
    .selectFrom('activity')
    .innerJoin('incident', 'incident.id', 'activity.incident_id')
    .select(['activity.id', 'incident_id', 'monitor_id', 'activity.type', 'activity.created_at'])
    .where('activity.id', '>', 0)
    .where('person_id', 'is not', null)
    .orderBy('activity.id')
    .compile(),
};

export function observeRows(
  peek: WorldDatabase['peek'],
  after: { event: number; activity: number },
) {
  return {
    states: peek(OBSERVED_ROWS.states),
    incidents: peek(OBSERVED_ROWS.incidents),
    spans: peek(OBSERVED_ROWS.spans),
    events: peek(OBSERVED_ROWS.events, [after.event]),
    manualActions: peek(OBSERVED_ROWS.manualActions, [after.activity]),
  };
}

export const NO_ROWS: Observed = {
  states: [],
  incidents: [],
  spans: [],
  events: [],
  manualActions: [],
};

/** Divides the rows into those of checked and those of push monitors. */
export function divideRows(
  all: Observed,
  isPush: (monitorId: number) => boolean,
): Record<'checked' | 'pushed', Observed> {
  const parts = (isPushed: boolean): Observed => {
    const of = <Row extends { monitor_id: number | null }>(rows: Row[]) =>
      rows.filter((row) => isPush(row.monitor_id!) === isPushed);
    const { states, incidents, spans, events, manualActions } = all;
    return {
      states: of(states),
      incidents: of(incidents),
      spans: of(spans),
      events: of(events),
      manualActions: of(manualActions),
    };
  };
  return { checked: parts(false), pushed: parts(true) };
}

/** Open conditions of a monitor, from its stored state. */
export function conditionsOf({ tracks }: ObservedState): string[] {
  const open = Object.values(JSON.parse(tracks) as Confirmations).map((track) => track.open);
  return open.filter((type) => type !== null);
}
