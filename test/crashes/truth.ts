import type { Database } from '../../src/store/database/contract.ts';
import type { Lived } from './life.ts';
import type { ReceiverName, Story } from './stories.ts';
import type { Arrival } from './town.ts';

/** What is not as it must be at the end of a story, however the process fared. */
export async function complaintsOf(lived: Lived, story: Story): Promise<string[]> {
  const { town, errors, hasDied } = lived;
  const { database, destinations, arrivals } = town;
  const complaints = errors.map((error) => `logged: ${JSON.stringify(error)}`);
  for (const [name, expected] of Object.entries(story.told) as [ReceiverName, string[]][]) {
    const came = arrivals.get(name)!;
    const rows = await deliveriesOf(database, destinations.get(name)!);
    complaints.push(
      ...complaintsOfArrivals(came, expected, hasDied).map((one) => `${name}: ${one}`),
      ...complaintsOfLog(came, rows).map((one) => `${name}: ${one}`),
    );
  }
  return [...complaints, ...(await complaintsOfRest(database))];
}

/**
 * All came: the events of each monitor in their order, and what is about no single monitor in one order. Of one death there
 * is one repetition at most in each of these lines, right behind what it repeats.
 */
function complaintsOfArrivals(
  came: readonly Arrival[],
  expected: readonly string[],
  hasDied: boolean,
): string[] {
  const taken = Map.groupBy(
    came.filter((one) => one.isTaken),
    (one) => lineOf(wordsOf(one)),
  );
  const wanted = Map.groupBy(expected, lineOf);
  const complaints = [...new Set([...taken.keys(), ...wanted.keys()])].flatMap((line) =>
    complaintsOfLine(taken.get(line) ?? [], wanted.get(line) ?? [], hasDied),
  );
  return [...complaints, ...changedBodies(came).map((id) => `${id} was not the same again`)];
}

/** Events are in order per monitor: `monitor.down Blog` is in the line of Blog. */
function lineOf(words: string): string {
  return /^monitor\.\w+ (.*)$/.exec(words)?.[1] ?? '';
}

function complaintsOfLine(
  taken: readonly Arrival[],
  expected: readonly string[],
  hasDied: boolean,
): string[] {
  const distinct = taken.filter((one, index) => one.id !== taken[index - 1]?.id);
  const words = distinct.map(wordsOf);
  const repeats = taken.length - distinct.length;
  return [
    ...(words.join() === expected.join() ? [] : [`got ${words.join('; ')}`]),
    ...(repeats <= (hasDied ? 1 : 0) ? [] : [`${repeats} messages came again`]),
  ];
}

/** What a webhook is sent is the same byte for byte; what a person is told may be told until when. */
function changedBodies(came: readonly Arrival[]): string[] {
  const events = came.filter(({ content }) => 'event' in JSON.parse(content));
  return [...Map.groupBy(events, ({ id }) => id)].flatMap(([id, same]) =>
    new Set(same.map(({ content }) => content)).size === 1 ? [] : [id],
  );
}

/** `monitor.down Shop`, or `alarm Shop, Mail`. */
function wordsOf({ content }: Arrival): string {
  const said = JSON.parse(content) as {
    event?: string;
    monitor?: { name: string };
    kind?: string;
    troubles?: { name: string }[];
  };
  const names = said.troubles?.map(({ name }) => name).join(', ') ?? said.monitor?.name ?? '';
  return `${said.event ?? said.kind} ${names}`.trim();
}

type Row = Awaited<ReturnType<typeof deliveriesOf>>[number];

/** The log says what happened, and nothing waits. */
function complaintsOfLog(came: readonly Arrival[], rows: readonly Row[]): string[] {
  const taken = new Set(came.flatMap(({ id, isTaken }) => (isTaken ? id : [])));
  const complaints = rows.flatMap((row) => {
    const { id, status, attempts, numbers, message_id: messageId } = row;
    const isCounted = numbers.every((number, index) => number === index + 1);
    return [
      ...(status === 'pending' ? [`delivery ${id} waits`] : []),
      ...(status === 'delivered' && !taken.has(messageId) ? [`delivery ${id} never came`] : []),
      ...(status === 'failed' && taken.has(messageId) ? [`delivery ${id} came and failed`] : []),
      ...(isCounted && numbers.length === attempts ? [] : [`delivery ${id}: attempts ${numbers}`]),
      ...(row.finished_at === null ? [`delivery ${id} has no end`] : []),
    ];
  });
  const delivered = rows.flatMap((row) => (row.status === 'delivered' ? row.message_id : []));
  const unlogged = [...taken].filter((id) => !delivered.includes(id));
  return [...complaints, ...unlogged.map((id) => `${id} came, and the log does not say so`)];
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

/** Nothing is due, leased, or open any more. */
async function complaintsOfRest({ read }: Database): Promise<string[]> {
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
    ...(await count('events were not handed on', events.execute())),
    ...(await count('alerts are not over', alerts.execute())),
    ...(await count(
      'recipients were not told so',
      read.selectFrom('alert_recipient').selectAll().execute(),
    )),
    ...(await count('queues are not at rest', queues.execute())),
  ];
}

async function count(name: string, rows: Promise<unknown[]>): Promise<string[]> {
  const { length } = await rows;
  return length === 0 ? [] : [`${length} ${name}`];
}

/** What there is to see of what was told, without ids and times: the same, whatever happened to the process. */
export async function logOf({ town: { database, destinations } }: Lived): Promise<string[]> {
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
