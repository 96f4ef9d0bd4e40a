import { expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  kinds,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { secretBox } from '../../../test/support/deliveries.ts';
import { silentLog } from '../../lib/log.ts';
import { rescheduleQueues } from '../../store/engine/clock-setback.ts';
import { createMailQueue } from '../../store/alerting/mails.ts';
import { createNotifier } from '../notifier.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const ATTEMPT = { duration_ms: 5, status_code: 503, error: 'HTTP 503', response: null };

function startNotifier({ database }: AlertStory, now: number) {
  const clock = createFakeClock({ now });
  const notifier = createNotifier({
    database,
    clock,
    log: silentLog,
    mail: false,
    onDeliveries: () => {},
  });
  return { clock, notifier };
}

test.each([
  ['while it runs', true],
  ['before it starts', false],
])('a clock that was set back by two hours %s holds no alarm', async (_, isRunning) => {
  const story = await beginStory();
  const [monitor, channel] = [await story.monitor(), await channelOf(story)];
  const { clock, notifier } = startNotifier(story, story.now() - (isRunning ? 0 : 2 * HOUR));
  if (isRunning) {
    notifier.start();
    await clock.advance(SECOND);
  }
  await story.fail(monitor);
  if (isRunning) clock.stepWall(-2 * HOUR);
  else notifier.start();
  await clock.advance(35 * SECOND);
  expect((await kinds(story, channel)).map(([kind]) => kind)).toEqual(['alarm']);
  await notifier.stop();
});

eachDatabase((_, open) => {
  test('what waits for a time that a clock set back will show later is due now; back-off is kept [40.14]', async () => {
    const database = await open();
    const [now, ahead] = [Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 1) + 2 * HOUR];
    await database.transaction(async (tx) => {
      const mail = { kind: 'invitation' as const, to: '', subject: '', text: '', html: '' };
      const queue = createMailQueue({
        secretBox,
        keys: ['a key'],
        isConfigured: true,
        openSignup: false,
      });
      await queue.enqueue(tx, { ...mail, expiresAt: ahead + HOUR }, ahead);
      const destination = { team_id: 1, kind: 'webhook', leased_until: null, failures: 0 };
      const rest = { claim: 0, failing_since: null, last_error: null, last_delivered_at: null };
      for (const id of [2, 3, 4])
        await tx
          .insertInto('destination')
          .values({
            ...destination,
            ...rest,
            id,
            next_at: ahead,
            held_until: id === 2 ? null : ahead,
            created_at: now - HOUR,
          })
          .execute();
      const delivery = { team_id: 1, kind: 'event', event_type: null, incident_id: null };
      const waiting = { alert_id: null, body: '{}', status: 'pending', finished_at: null };
      for (const [id, created] of [
        [2, ahead],
        [3, now - HOUR],
        [4, now - HOUR],
      ] as const)
        await tx
          .insertInto('delivery')
          .values({
            ...delivery,
            ...waiting,
            id,
            destination_id: id,
            message_id: `msg_${id}`,
            attempts: id - 2,
            next_at: ahead,
            expires_at: ahead + 24 * HOUR,
            created_at: created,
          })
          .execute();
      for (const [id, at] of [
        [3, now - HOUR],
        [4, ahead],
      ] as const)
        await tx
          .insertInto('delivery_attempt')
          .values({ delivery_id: id, number: 1, at, ...ATTEMPT })
          .execute();
    });
    await rescheduleQueues(database, now, async () => {});
    const read = (table: 'destination' | 'delivery') =>
      database.read.selectFrom(table).select(['id', 'next_at']).orderBy('id').execute();
    const expected = [
      { id: 1, next_at: now },
      { id: 2, next_at: now },
      { id: 3, next_at: ahead },
      { id: 4, next_at: now },
    ];
    expect([await read('destination'), await read('delivery')]).toEqual([expected, expected]);
    const holds = await database.read
      .selectFrom('destination')
      .select(['id', 'held_until'])
      .orderBy('id')
      .execute();
    expect(holds.map(({ held_until }) => held_until)).toEqual([null, null, ahead, now]);
  });
});
