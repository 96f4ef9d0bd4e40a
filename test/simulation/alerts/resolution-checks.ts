import { CONDITIONS, CONFIRMATION_NAMES } from '../../../src/model/condition.ts';
import type { Confirmations } from '../../../src/model/condition.ts';
import type { AlertEndOptions } from './final-checks.ts';

interface Sent {
  event: string;
  monitor: { id: number };
  incident: { id: number } | null;
}

const ENDS = /_(resolved|recovered)$|^monitor\.up$/;

/**
 * An endpoint that was sent the start of an incident is sent its end, once, after the target recovered, whatever people
 * did to the incident meanwhile. Nothing more is sent for a deleted monitor.
 */
export async function checkResolutions({
  database,
  environment,
  violate,
}: AlertEndOptions): Promise<void> {
  const begun = new Map<number, number>();
  const heard = new Set<string>();
  for (const { id: message, content } of environment.receivers.endpoint.arrivals) {
    if (heard.has(message)) continue;
    heard.add(message);
    const { event, incident, monitor } = JSON.parse(content) as Sent;
    if (incident === null) continue;
    const isEnd = ENDS.test(event);
    if (isEnd !== begun.has(incident.id))
      violate(
        `the endpoint got ${event} of incident ${incident.id} ${isEnd ? 'without its start' : 'twice'}`,
      );
    if (isEnd) begun.delete(incident.id);
    else begun.set(incident.id, monitor.id);
  }
  const conditions = await openTypes({ database });
  const types = new Map(
    (await database.read.selectFrom('incident').select(['id', 'type']).execute()).map((row) => [
      row.id,
      row.type,
    ]),
  );
  for (const [id, monitorId] of begun) {
    const open = conditions.get(monitorId);
    const type = types.get(id);
    const isOver = open !== undefined && (type === undefined ? open.size === 0 : !open.has(type));
    if (isOver) violate(`the endpoint was never sent the end of incident ${id}`);
  }
}

/** Types of the open conditions of each monitor that was not deleted. */
async function openTypes({ database }: Pick<AlertEndOptions, 'database'>) {
  const rows = await database.read
    .selectFrom('monitor_state')
    .innerJoin('monitor', 'monitor.id', 'monitor_state.monitor_id')
    .select(['monitor_id', 'tracks'])
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ monitor_id, tracks }) => {
      const stored = JSON.parse(tracks) as Confirmations;
      const open = CONFIRMATION_NAMES.flatMap((name) => stored[name]?.open ?? []);
      return [monitor_id, new Set<string>(open.map((condition) => CONDITIONS[condition].type))];
    }),
  );
}
