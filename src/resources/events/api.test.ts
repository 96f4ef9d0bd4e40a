import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { callerOf, settlePeople } from '../../../test/support/people.ts';
import { silentLog } from '../../lib/log.ts';
import { createLiveFeed } from '../../live/feed.ts';
import { createEventsService, MAX_PERSON_STREAMS, MAX_STREAMS } from './service.ts';

test('a hundred accounts can not take all places from the others [52.16]', async () => {
  const database = await openInMemory();
  const clock = createFakeClock();
  const { vera } = await settlePeople(database, clock.now());
  const live = createLiveFeed({ database, clock, log: silentLog });
  const events = createEventsService({ database, live });
  const caller = callerOf(vera);
  const open = (personId: number) =>
    events.stream({ ...caller, person: { ...caller.person, id: personId } }, {}, null);
  const streams = [];
  for (let round = 0; round < MAX_PERSON_STREAMS; round += 1)
    for (let person = 1; person <= 100; person += 1)
      streams.push(await open(person).catch(() => null));
  expect(streams).toContain(null);
  for (let person = 101; person <= 140; person += 1) streams.push(await open(person));
  for (const stream of streams) stream?.cancel();
  expect(live.openStreams).toBe(0);
});

test('a process has 2,000 streams, and a place is free when one ends [52.12]', async () => {
  const database = await openInMemory();
  const clock = createFakeClock();
  const { vera } = await settlePeople(database, clock.now());
  const live = createLiveFeed({ database, clock, log: silentLog });
  const events = createEventsService({ database, live });
  const caller = callerOf(vera);
  const open = (personId: number) =>
    events.stream({ ...caller, person: { ...caller.person, id: personId } }, {}, null);
  const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, (_, index) => open(index)));
  await expect(open(MAX_STREAMS)).rejects.toMatchObject({ code: 'busy' });
  streams[0]!.cancel();
  streams[0]!.cancel();
  const another = await open(MAX_STREAMS);
  await expect(open(MAX_STREAMS)).rejects.toMatchObject({ code: 'busy' });
  for (const stream of [...streams, another]) stream.cancel();
  expect(live.openStreams).toBe(0);
});
