import { callOf } from '../../test/support/call.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { insertRows } from '../../test/support/rows.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callerOf, settlePeople } from '../../test/support/people.ts';
import { silentLog } from '../lib/log.ts';
import { createLiveFeed } from '../live/feed.ts';
import { MAX_PERSON_STREAMS, MAX_STREAMS } from './events.ts';
import { AUDITED, NOUNS } from './nouns.ts';

/** Opens streams of made-up people, teams and addresses. */
async function world() {
  const database = await openInMemory();
  const clock = createFakeClock();
  const { vera } = await settlePeople(database, clock.now());
  const live = createLiveFeed({ database, clock, log: silentLog });
  const events = NOUNS.events.create({ database, live });
  const { person, team, ...caller } = callerOf(vera);
  const open = (personId: number, teamId: number, address: number) =>
    events.streamEvents({
      ...callOf({ ...caller, person: { ...person, id: personId }, team: { ...team, id: teamId } }),
      clientAddress: `10.0.${address >> 8}.${address % 256}`,
    });
  return { live, open };
}

test('a hundred accounts can not take all places from the others [52.16]', async () => {
  const { live, open } = await world();
  const streams = [];
  for (let round = 0; round < MAX_PERSON_STREAMS; round += 1)
    for (let one = 1; one <= 100; one += 1)
      streams.push(await open(one, one, one).catch(() => null));
  expect(streams).toContain(null);
  for (let one = 101; one <= 140; one += 1) streams.push(await open(one, one, one));
  for (const stream of streams) stream?.cancel();
  expect(live.openStreams).toBe(0);
});

test.each([
  ['team', 'Your team has', 400, (index: number): [number, number, number] => [index, 1, index]],
  [
    'address',
    'Your address has',
    1_000,
    (index: number): [number, number, number] => [index, index, 1],
  ],
] as const)(
  'two thousand accounts of one %s leave places to others [52.17]',
  async (_, whose, max, holders) => {
    const { live, open } = await world();
    const streams = [];
    const refusals = new Set<string>();
    for (let index = 1; index <= MAX_STREAMS; index += 1) {
      const [person, team, address] = holders(index);
      const opened = open(person, team, address);
      streams.push(await opened.catch(({ message }: Error) => void refusals.add(message)));
    }
    expect(live.openStreams).toBeLessThanOrEqual(max);
    expect([...refusals].join()).toContain(whose);
    const before = live.openStreams;
    for (let one = 3_001; one <= 3_300; one += 1) streams.push(await open(one, one, one));
    expect(live.openStreams).toBe(before + 300);
    for (const stream of streams) stream?.cancel();
    expect(live.openStreams).toBe(0);
  },
);

test('a process has 2,000 streams, and a place is free when one ends [52.12]', async () => {
  const { live, open } = await world();
  const streams = await Promise.all(
    Array.from({ length: MAX_STREAMS }, (_, index) => open(index, index, index)),
  );
  const one = MAX_STREAMS;
  await expect(open(one, one, one)).rejects.toMatchObject({ code: 'busy' });
  streams[0]!.cancel();
  streams[0]!.cancel();
  const another = await open(one, one, one);
  await expect(open(one + 1, one + 1, one + 1)).rejects.toMatchObject({ code: 'busy' });
  for (const stream of [...streams, another]) stream.cancel();
  expect(live.openStreams).toBe(0);
});

eachDatabase((_engine, open) => {
  test('the event of each audited change names a list that the reference knows', async () => {
    const database = await open();
    const entry = { actor: 'Ada', via: 'session', created_at: 1, team_id: 1 };
    const entries = Object.keys(AUDITED).map((kind) => ({
      ...entry,
      action: `${kind}.updated`,
      target_type: kind,
      target_id: 1,
    }));
    await insertRows(database, 'audit_entry', entries as never);
    const changes = await database.read
      .selectFrom('live_change')
      .select('change')
      .distinct()
      .where('kind', '=', 'settings')
      .execute();
    const { options } = NOUNS.events.data.settings.shape.what;
    expect(changes.map(({ change }) => change).toSorted()).toEqual(options.toSorted());
  });
});
