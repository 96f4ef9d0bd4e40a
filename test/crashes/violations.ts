import type { Database } from '../../src/store/database/contract.ts';
import type { StoryRun } from './run-story.ts';
import type { ReceiverName, Story } from './stories.ts';
import type { Arrival } from './environment.ts';

/** Violations at the end of a story, whether or not the process crashed. */
export async function violationsOf(run: StoryRun, story: Story): Promise<string[]> {
  const { environment, errors, hasCrashed } = run;
  const { database, destinations, arrivals } = environment;
  const violations = errors.map((error) => `logged: ${JSON.stringify(error)}`);
  for (const [name, expected] of Object.entries(story.received) as [ReceiverName, string[]][]) {
    const arrived = arrivals.get(name)!;
    const rows = await deliveriesOf(database, destinations.get(name)!);
    violations.push(
      ...arrivalViolations(arrived, expected, hasCrashed).map((one) => `${name}: ${one}`),
      ...logViolations(arrived, rows).map((one) => `${name}: ${one}`),
    );
  }
  return [...violations, ...(await unfinishedWork(database))];
}

/**
 * Every message arrived: the events of each monitor in order, and messages about several monitors in one order. A crash
 * causes at most one repetition in each of these sequences, right after the original.
 */
function arrivalViolations(
  arrived: readonly Arrival[],
  expected: readonly string[],
  hasCrashed: boolean,
): string[] {
  const taken = Map.groupBy(
    arrived.filter((one) => one.isTaken),
    (one) => sequenceOf(summaryOf(one)),
  );
  const wanted = Map.groupBy(expected, sequenceOf);
  const violations = [...new Set([...taken.keys(), ...wanted.keys()])].flatMap((line) =>
    sequenceViolations(taken.get(line) ?? [], wanted.get(line) ?? [], hasCrashed),
  );
  return [
    ...violations,
    ...changedBodies(arrived).map((id) => `${id} changed when it was sent again`),
  ];
}

/** Events are ordered per monitor: `monitor.down Blog` belongs to the sequence of Blog. */
function sequenceOf(summary: string): string {
  return /^monitor\.\w+ (.*)$/.exec(summary)?.[1] ?? '';
}

function sequenceViolations(
  taken: readonly Arrival[],
  expected: readonly string[],
  hasCrashed: boolean,
): string[] {
  const distinct = taken.filter((one, index) => one.id !== taken[index - 1]?.id);
  const summaries = distinct.map(summaryOf);
  const repeats = taken.length - distinct.length;
  return [
    ...(summaries.join() === expected.join() ? [] : [`got ${summaries.join('; ')}`]),
    ...(repeats <= (hasCrashed ? 1 : 0) ? [] : [`${repeats}messages arrived again`]),
  ];
}

/**
 * A webhook body is the same byte for byte when it is sent again; a message to people may contain the current duration.
 */
function changedBodies(arrived: readonly Arrival[]): string[] {
  const events = arrived.filter(({ content }) => 'event' in JSON.parse(content));
  return [...Map.groupBy(events, ({ id }) => id)].flatMap(([id, same]) =>
    new Set(same.map(({ content }) => content)).size === 1 ? [] : [id],
  );
}

/** For example `monitor.down Shop`, or `alarm Shop, Mail`. */
function summaryOf({ content }: Arrival): string {
  const response = JSON.parse(content) as {
    event?: string;
    monitor?: { name: string };
    kind?: string;
    troubles?: { name: string }[];
  };
  const names =
    response.troubles?.map(({ name }) => name).join(', ') ?? response.monitor?.name ?? '';
  return `${response.event ?? response.kind} ${names}`.trim();
}

type Row = Awaited<ReturnType<typeof deliveriesOf>>[number];

/** The delivery log matches the arrivals, and nothing is pending. */
function logViolations(arrived: readonly Arrival[], rows: readonly Row[]): string[] {
  const taken = new Set(arrived.flatMap(({ id, isTaken }) => (isTaken ? id : [])));
  const violations = rows.flatMap((row) => {
    const { id, status, attempts, numbers, message_id: messageId } = row;
    const isCounted = numbers.every((number, index) => number === index + 1);
    return [
      ...(status === 'pending' ? [`delivery ${id}is pending`] : []),
      ...(status === 'delivered' && !taken.has(messageId) ? [`delivery ${id} never arrived`] : []),
      ...(status === 'failed' && taken.has(messageId)
        ? [`delivery ${id} arrived but is marked as failed`]
        : []),
      ...(isCounted && numbers.length === attempts ? [] : [`delivery ${id}: attempts ${numbers}`]),
      ...(row.finished_at === null ? [`delivery ${id} has no end time`] : []),
    ];
  });
  const delivered = rows.flatMap((row) => (row.status === 'delivered' ? row.message_id : []));
  const unlogged = [...taken].filter((id) => !delivered.includes(id));
  return [...violations, ...unlogged.map((id) => `${id} arrived, but is not in the log`)];
}

async function deliveriesOf({ read }: Database, destinationId: number) {
  const rows = await read
    .selectFrom('delivery')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .orderBy('id')
    .execute();
  const attempts = await read
    .selectFrom('delivery_attempt')
    .select(['delivery_id', 'number'])
    .orderBy('number')
    .execute();
  return rows.map((row) => ({
    ...row,
    numbers: attempts.flatMap((one) => (one.delivery_id === row.id ? one.number : [])),
  }));
}

/** No work is due, leased or open any more. */
async function unfinishedWork({ read }: Database): Promise<string[]> {
  const events = read.selectFrom('event').select('id').where('fan_out_at', 'is not', null);
  const alerts = read
    .selectFrom('alert')
    .select('id')
    .where((or) => or.or([or('over_at', 'is', null), or('next_at', 'is not', null)]));
  const queues = read
    .selectFrom('destination')
    .select('id')
    .where((or) => or.or([or('next_at', 'is not', null), or('leased_until', 'is not', null)]));
  return [
    ...(await count('events were not fanned out', events.execute())),
    ...(await count('alerts are not over', alerts.execute())),
    ...(await count(
      'recipients were not notified',
      read.selectFrom('alert_recipient').selectAll().execute(),
    )),
    ...(await count('queues are due or leased', queues.execute())),
  ];
}

async function count(name: string, rows: Promise<unknown[]>): Promise<string[]> {
  const { length } = await rows;
  return length === 0 ? [] : [`${length} ${name}`];
}

/** The delivery log without ids and times, which must not depend on crashes. */
export async function logOf({
  environment: { database, destinations },
}: StoryRun): Promise<string[]> {
  const lines = [];
  for (const [name, id] of destinations) {
    const rows = await deliveriesOf(database, id);
    lines.push(...rows.map((row) => `${name}: ${row.kind} ${row.event_type ?? ''} ${row.status}`));
  }
  const endpoints = await database.read
    .selectFrom('webhook_endpoint')
    .select(['id', 'is_active', 'deactivated_reason'])
    .orderBy('id')
    .execute();
  lines.push(...endpoints.map((one) => `endpoint ${one.is_active} ${one.deactivated_reason}`));
  return lines;
}
