import type { Records, ReceivedEvent } from './records.ts';
import type { Tables } from './tables.ts';

const DOWN = 'monitor.down';
const UP = 'monitor.up';

/**
 * Rule: the receiver got one event when an incident began and one when it ended, in order. The same event may come again,
 * which is what its id is for; a second id would be a second message.
 */
export function judgeEvents(
  { events }: Pick<Records, 'events'>,
  { incidents, pending }: Pick<Tables, 'incidents' | 'pending'>,
): string[] {
  const problems: string[] = [];
  if (pending > 0) problems.push(`${pending} deliveries were never sent`);
  const byIncident = Map.groupBy(events, ({ incident }) => incident);
  const known = new Set<number | null>(incidents.map(({ id }) => id));
  for (const [incident, received] of byIncident) {
    if (known.has(incident)) continue;
    problems.push(`event ${received[0]!.event} of incident ${incident}, which does not exist`);
  }
  for (const { id, type, to, monitor } of incidents) {
    const about = `monitor ${monitor}: incident ${id} (${type})`;
    const received = byIncident.get(id) ?? [];
    const expected = to === null ? [DOWN] : [DOWN, UP];
    for (const name of expected) {
      const ids = new Set(received.filter(({ event }) => event === name).map((one) => one.id));
      if (ids.size !== 1) problems.push(`${about}: ${ids.size} events ${name}`);
    }
    const others = received.filter(({ event }) => !expected.includes(event));
    for (const { event } of others) problems.push(`${about}: unexpected event ${event}`);
  }
  return [...problems, ...judgeOrder(events)];
}

/** The first arrivals of the events of a monitor: down and up in turn. */
function judgeOrder(events: readonly ReceivedEvent[]): string[] {
  const groups = Map.groupBy(events, ({ monitor }) => monitor);
  return [...groups].flatMap(([monitor, own]) => {
    const seen = new Set<string>();
    const first = own.filter(({ id }) => seen.size < seen.add(id).size);
    const wrong = first.find(({ event }, index) => event !== (index % 2 === 0 ? DOWN : UP));
    return wrong === undefined
      ? []
      : [
          `monitor ${monitor}: event ${wrong.event} of incident ${wrong.incident} came out of order`,
        ];
  });
}
