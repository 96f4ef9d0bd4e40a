import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  enqueue,
  eventOf,
  giveChannel,
  giveEndpoint,
  giveTeam,
} from '../../../test/support/deliveries.ts';
import {
  answer,
  bell,
  HOUR,
  MINUTE,
  REFUSED,
  SECOND,
  START,
  startWorkers,
} from '../../../test/support/delivery-worker.ts';
import { notice as alarm } from '../../../test/support/channel-deliveries.ts';
import { silentLog } from '../../lib/log.ts';
import type { ChannelOutcome } from '../channels/index.ts';

function logging() {
  const lines: Record<string, unknown>[] = [];
  const write = (fields: object, msg: string) => void lines.push({ msg, ...fields });
  return { lines, log: { ...silentLog, info: write, warn: write } };
}

eachDatabase((_engine, open) => {
  test('messages that were sent and that failed are logged, and what turns a destination [39.42]', async () => {
    const database = await open();
    const teamId = await giveTeam(database);
    const { id, destinationId } = await giveEndpoint(
      database,
      teamId,
      'https://hooks.example.com/geheim',
    );
    const { lines, log } = logging();
    const work = startWorkers(database, { log });
    work.script.answer = () => REFUSED;
    await enqueue(database, [eventOf(destinationId, 'first')], START);
    await work.pass(SECOND);
    const place = {
      team_id: teamId,
      destination_kind: 'webhook',
      destination_id: destinationId,
      webhook_endpoint_id: id,
    };
    const message = {
      ...place,
      delivery_id: expect.any(Number),
      alert_id: null,
      message_kind: 'event',
      duration_ms: expect.any(Number),
    };
    const reason = expect.stringContaining('Connection refused');
    expect(lines.splice(0)).toEqual([
      {
        ...message,
        msg: 'A message could not be sent.',
        attempt: 1,
        status_code: null,
        result: 'postponed',
        reason,
      },
      { ...place, msg: 'A destination started to fail.', reason },
    ]);

    work.script.answer = () => answer(200);
    await work.pass(MINUTE);
    expect(lines).toEqual([
      { ...message, msg: 'A message was sent.', attempt: 2, status_code: 200 },
      {
        ...place,
        msg: 'A destination recovered.',
        failing_since: expect.stringMatching(/^2030-01-01T00:00:0/),
        duration_seconds: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('geheim');
    await work.stop();
  });

  test('a destination that is gone is logged as disabled', async () => {
    const database = await open();
    const teamId = await giveTeam(database);
    const { destinationId } = await giveEndpoint(database, teamId, 'https://hooks.example.com/');
    const { lines, log } = logging();
    const work = startWorkers(database, { log });
    work.script.answer = () => answer(410);
    await enqueue(database, [eventOf(destinationId, 'first')], START);
    await work.pass(SECOND);
    expect(lines).toMatchObject([
      { msg: 'A message could not be sent.', status_code: 410, result: 'failed' },
      { msg: 'A destination was disabled.', destination_id: destinationId },
    ]);
    await work.stop();
  });

  test('a channel is named by id and type, and addresses are left out of the reason', async () => {
    const database = await open();
    const teamId = await giveTeam(database);
    const { id, destinationId } = await giveChannel(database, teamId);
    const { lines, log } = logging();
    const outcome: ChannelOutcome = {
      outcome: 'failed',
      reason: '451 <bob@example.com> try later',
      statusCode: null,
      retryAfterMs: null,
    };
    const work = startWorkers(database, { log, channelType: () => bell(() => outcome) });
    const notice = { ...eventOf(destinationId, 'first', null), kind: 'alarm', teamId };
    await enqueue(database, [{ ...notice, body: JSON.stringify(alarm()) }], START);
    await work.pass(SECOND);
    const channel = { destination_kind: 'channel', channel_id: id, channel_type: 'bell' };
    const reason = '451 <…@example.com> try later';
    expect(lines.splice(0)).toMatchObject([
      { ...channel, msg: 'A message could not be sent.', message_kind: 'alarm', reason },
      { ...channel, msg: 'A destination started to fail.', reason },
    ]);
    await work.leap(25 * HOUR);
    await work.pass(SECOND);
    expect(lines).toContainEqual({
      msg: 'Messages expired unsent.',
      destination_kind: 'channel',
      destination_id: destinationId,
      count: 1,
    });
    await work.stop();
  });
});
