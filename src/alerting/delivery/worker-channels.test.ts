import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  deliveriesOf,
  destinationOf,
  enqueue,
  eventOf,
  giveChannel,
  giveTeam,
  insertTeamChannel,
  secretBox,
} from '../../../test/support/deliveries.ts';
import {
  bell,
  HOUR,
  MINUTE,
  SECOND,
  START,
  startWorkers,
} from '../../../test/support/delivery-worker.ts';
import {
  personChannels,
  PERSONAL_EMAIL,
  channelDestinations,
} from '../../store/resources/alert-channels.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { Database } from '../../store/database/contract.ts';
import { peopleStore } from '../../store/people/people.ts';
import type { ChannelDelivery, ChannelOutcome } from '../channels/index.ts';
import type { MessageContent, MessageKind } from '../message/content.ts';
import { updateRows } from '../../../test/support/rows.ts';

const DOWN: ChannelOutcome = {
  outcome: 'failed',
  reason: 'Bell answered HTTP 503.',
  statusCode: 503,
  retryAfterMs: null,
};
const OK: ChannelOutcome = { outcome: 'delivered', statusCode: 200 };

eachDatabase((_, open) => {
  async function world(keepsIncidents = false) {
    const database = await open();
    const team = await giveTeam(database);
    const rung: ChannelDelivery[] = [];
    const script: { answer(delivery: ChannelDelivery): ChannelOutcome } = { answer: () => OK };
    const type = bell((delivery) => {
      const outcome = script.answer(delivery);
      if (outcome.outcome === 'delivered') rung.push(delivery);
      return outcome;
    }, keepsIncidents);
    const { destinationId } = await giveChannel(database, team);
    const work = startWorkers(database, { channelType: () => type });
    await work.rest();
    return {
      database,
      destinationId,
      work,
      script,
      rung,
      heard: () => rung.map(({ id, content: notice }) => `${notice.kind} ${id}`),
      notify: (kind: MessageKind, alertId: number) =>
        enqueueNotice(database, destinationId, { kind, alertId, now: work.clock.now() }),
      statuses: async () =>
        (await deliveriesOf(database, destinationId)).map((one) => `${one.kind} ${one.status}`),
    };
  }

  test('incidents that began and ended while a channel was unreachable are summarized as over [34.33]', async () => {
    const { work, script, notify, heard, rung, statuses, database, destinationId } = await world();
    script.answer = () => DOWN;
    await notify('alarm', 1);
    await work.pass(SECOND);
    await notify('alarm', 2);
    await work.leap(2 * MINUTE);
    await notify('recovery', 1);
    script.answer = () => OK;
    await work.leap(MINUTE);
    expect(heard()).toEqual(['blind_spot recovery-1-late', 'alarm alarm-2']);
    const { content: notice, message, dedupKey, action } = rung[0]!;
    expect(notice).toMatchObject({
      silence: { reason: 'Bell answered HTTP 503.' },
      troubles: [{ incidentId: 1, endedAt: expect.any(Number) }],
    });
    expect(message.text).toContain('Bell answered HTTP 503');
    expect([dedupKey, action]).toEqual([null, 'inform']);
    expect(await statuses()).toEqual([
      'alarm superseded',
      'alarm delivered',
      'recovery superseded',
      'blind_spot delivered',
    ]);
    expect(await destinationOf(database, destinationId)).toMatchObject({
      next_at: null,
      failing_since: null,
    });
    await work.stop();
  });

  test('a channel of a type that a newer release knows keeps its message for a process of that release', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const { destinationId } = await giveChannel(database, team);
    const rung: string[] = [];
    const type = bell(({ id }) => {
      rung.push(id);
      return OK;
    });
    let isNewer = false;
    const work = startWorkers(database, { channelType: () => (isNewer ? type : undefined) });
    await work.rest();
    const now = work.clock.now();
    await enqueueNotice(database, destinationId, { kind: 'alarm', alertId: 1, now });
    await work.leap(MINUTE);
    isNewer = true;
    await work.leap(MINUTE);
    expect(rung).toEqual(['alarm-1']);
    expect(await deliveriesOf(database, destinationId)).toMatchObject([{ status: 'delivered' }]);
    await work.stop();
  });

  test('queues of a kind that a newer release knows are left to it, and hold up no others', async () => {
    const { database, destinationId, work, notify, heard } = await world();
    const queue = { kind: 'pigeon' as never, teamId: null, nextAt: 1, now: work.clock.now() };
    const newer = await database.transaction((tx) => destinationStore(tx).insert(queue));
    await notify('alarm', 1);
    await work.leap(MINUTE);
    expect(heard()).toEqual(['alarm alarm-1']);
    expect(await destinationOf(database, destinationId)).toMatchObject({ next_at: null });
    expect(await destinationOf(database, newer)).toMatchObject({ next_at: 1, claim: 0 });
    await work.stop();
  });

  test('expired alarms are reported once the channel answers', async () => {
    const { work, script, notify, heard, rung, statuses } = await world();
    script.answer = () => DOWN;
    await notify('alarm', 1);
    await notify('recovery', 1);
    await work.pass(SECOND);
    for (let hour = 0; hour < 25; hour += 1) await work.leap(HOUR);
    expect(await statuses()).toEqual(['alarm expired', 'recovery expired']);
    script.answer = () => OK;
    await notify('alarm', 2);
    await work.pass(SECOND);
    expect(heard()).toEqual(['blind_spot recovery-1-late', 'alarm alarm-2']);
    expect(rung[0]!.content.troubles.map((trouble) => trouble.incidentId)).toEqual([1]);
    expect((await statuses()).slice(0, 2)).toEqual(['alarm superseded', 'recovery superseded']);
    await notify('recovery', 2);
    await work.pass(SECOND);
    expect(heard().slice(2)).toEqual(['recovery recovery-2']);
    await work.stop();
  });

  test('alarms that were lost more than 7 days ago are not reported [34.35]', async () => {
    const { work, script, notify, heard, rung } = await world();
    script.answer = () => ({
      outcome: 'refused',
      reason: 'Bell answered HTTP 403.',
      statusCode: 403,
    });
    await notify('alarm', 1);
    await work.pass(SECOND);
    await work.leap(6 * 24 * HOUR);
    await notify('alarm', 2);
    await work.pass(SECOND);
    await work.leap(25 * HOUR);
    script.answer = () => OK;
    await notify('alarm', 3);
    await work.pass(SECOND);
    expect(heard()).toEqual(['blind_spot alarm-2-late', 'alarm alarm-3']);
    expect(rung[0]!.content.troubles.map((trouble) => trouble.incidentId)).toEqual([2]);
    await work.stop();
  });

  test('what a provider will not take keeps nothing that comes later from it [34.31]', async () => {
    const { work, script, notify, heard, statuses } = await world();
    const refused: ChannelOutcome = {
      outcome: 'refused',
      reason: 'Bell answered HTTP 400.',
      statusCode: 400,
    };
    script.answer = ({ content: notice }) =>
      notice.troubles.some((trouble) => trouble.incidentId === 1) ? refused : OK;
    await notify('alarm', 1);
    await work.pass(SECOND);
    await notify('alarm', 2);
    await work.pass(SECOND);
    await notify('recovery', 2);
    await work.pass(SECOND);
    expect(heard()).toEqual(['alarm alarm-2', 'recovery recovery-2']);
    expect(await statuses()).toEqual(['alarm failed', 'alarm delivered', 'recovery delivered']);
    await work.stop();
  });

  test('those who can mend it are notified that a channel refuses alarms, once until it takes one [34.37]', async () => {
    const { work, script, notify, rung, database } = await world();
    await updateRows(database, 'alert_channel', { is_default: 1 });
    const refused: ChannelOutcome = {
      outcome: 'refused',
      reason: 'Bell answered HTTP 403.',
      statusCode: 403,
    };
    script.answer = ({ content: notice }) => (notice.kind === 'notice' ? OK : refused);
    const notices = () => rung.filter(({ content: notice }) => notice.kind === 'notice');
    await notify('alarm', 1);
    await notify('alarm', 2);
    await work.pass(SECOND);
    expect(notices().map(({ content: notice }) => [notice.headline, notice.text])).toEqual([
      [
        expect.stringContaining('refused a message'),
        expect.stringContaining('Bell answered HTTP 403. Look at its settings'),
      ],
    ]);
    // It took the notice: what it refuses now is news again.
    await notify('alarm', 3);
    await work.pass(SECOND);
    expect(notices()).toHaveLength(2);
  });

  test('those who can mend it are notified once that a channel cannot be reached, after a while [29.29]', async () => {
    const { work, script, notify, database } = await world();
    await database.transaction(async (tx) => {
      const { team_id: teamId } = await tx
        .selectFrom('alert_channel')
        .select('team_id')
        .executeTakeFirstOrThrow();
      const columns = { ...PERSONAL_EMAIL, name: 'Horn', is_default: 1 };
      await insertTeamChannel(tx, { teamId: teamId!, type: 'horn' }, columns, START);
    });
    const notices = async () =>
      (await database.read.selectFrom('delivery').select(['kind', 'body']).execute())
        .filter(({ kind }) => kind === 'notice')
        .map(({ body }) => (JSON.parse(body) as MessageContent).headline);
    script.answer = () => DOWN;
    await notify('alarm', 1);
    await work.pass(SECOND);
    for (let attempt = 1; attempt < 6; attempt += 1) {
      expect(await notices()).toEqual([]);
      await work.leap(6 * MINUTE);
    }
    expect(await notices()).toEqual([`Channel "On call" can't be reached`]);
    for (let attempt = 6; attempt < 9; attempt += 1) await work.leap(HOUR);
    expect(await notices()).toEqual([`Channel "On call" can't be reached`]);
  });

  test('people are notified of their own channel through their other channels [34.38]', async () => {
    const { work, script, notify, rung, database, destinationId } = await world();
    const personId = await database.transaction(async (tx) => {
      const id = await peopleStore(tx).insert(
        { name: 'Ada', email: 'ada@example.com', timezone: 'UTC' },
        START,
      );
      await tx
        .updateTable('alert_channel')
        .set({
          person_id: id,
          team_id: null,
          settings: secretBox.of('alert_channel', `person ${id}`).seal('{}', 'settings'),
        })
        .where('destination_id', '=', destinationId)
        .execute();
      return id;
    });
    const other = await database.transaction(async (tx) => {
      await channelDestinations(tx).insertPersonal(
        { personId, type: 'horn' },
        {
          ...PERSONAL_EMAIL,
          name: 'Horn',
          settings: secretBox.of('alert_channel', `person ${personId}`).seal('{}', 'settings'),
        },
        START,
      );
      const [, second] = await personChannels(tx, personId).execute();
      return second!.destination_id;
    });
    script.answer = ({ content: notice }) =>
      notice.kind === 'alarm' ? { outcome: 'gone', reason: 'Gone.', statusCode: 404 } : OK;
    await notify('alarm', 1);
    await work.pass(SECOND);
    expect(rung.map(({ content: notice }) => notice.headline)).toEqual([
      expect.stringMatching(/^Your channel ".*" was switched off$/),
    ]);
    expect(await deliveriesOf(database, other)).toMatchObject([{ status: 'delivered' }]);
  });

  test('of what goes on, the newest is sent [34.34]', async () => {
    const { work, script, notify, heard, statuses } = await world();
    script.answer = () => DOWN;
    await notify('alarm', 1);
    await work.pass(SECOND);
    await notify('reminder', 1);
    await work.leap(6 * SECOND);
    script.answer = () => OK;
    await work.leap(16 * SECOND);
    expect(heard()).toEqual(['reminder reminder-1']);
    expect(await statuses()).toEqual(['alarm superseded', 'reminder delivered']);
    await work.stop();
  });

  test('a provider that keeps incidents gets everything, in order [34.36]', async () => {
    const { work, script, notify, heard } = await world(true);
    script.answer = () => DOWN;
    await notify('alarm', 1);
    await work.pass(SECOND);
    await notify('recovery', 1);
    script.answer = () => OK;
    await work.leap(6 * SECOND);
    expect(heard()).toEqual(['alarm alarm-1', 'recovery recovery-1']);
    await work.stop();
  });

  test('a message that can not be made fails, and says so', async () => {
    const { work, script, notify, database, destinationId } = await world();
    script.answer = () => {
      throw new TypeError('undefined is not a function');
    };
    await notify('alarm', 1);
    await work.pass(SECOND);
    expect(await destinationOf(database, destinationId)).toMatchObject({
      leased_until: null,
      last_error: 'An error in Tocsin kept this from being sent: its log says more.',
    });
    expect(work.errors).toHaveLength(1);
    await work.stop();
  });
});

async function enqueueNotice(
  database: Database,
  destinationId: number,
  { kind, alertId, now }: { kind: MessageKind; alertId: number; now: number },
): Promise<void> {
  const notice: MessageContent = {
    kind,
    team: { id: 1, name: 'Harbour' },
    severity: 'critical',
    at: now,
    alert: { id: alertId, kind: 'single', sharedCause: null },
    troubles: [
      {
        incidentId: alertId,
        monitorId: alertId,
        name: `Shop ${alertId}`,
        url: null,
        type: 'uptime',
        severity: 'critical',
        cause: 'HTTP 500',
        regions: [],
        startedAt: START,
        endedAt: kind === 'recovery' ? now : null,
        ending: null,
        acknowledged: false,
        evidence: null,
      },
    ],
    troubleCount: 1,
    headline: null,
    text: null,
    silence: null,
  };
  const messageId = `${kind}-${alertId}`;
  const body = JSON.stringify(notice);
  const delivery = { ...eventOf(destinationId, messageId), kind, alertId, body };
  await enqueue(database, [delivery], now);
}
