import { expect, test } from 'vitest';
import { channelOf, createAlertStory, type AlertStory } from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { markIncidentRemoved, markMonitorsRemoved } from './alerts.ts';
import { deleteIncident } from '../resources/incidents.ts';

const MINUTE = 60;

/** Notifications of a channel: the state of each monitor. */
const heard = async (story: AlertStory, destination: number) =>
  (await story.messages(destination)).map(({ kind, troubles }) => [
    kind,
    ...troubles.map(
      ({ name, endedAt, ending }) => `${name} ${endedAt === null ? 'down' : (ending ?? 'up')}`,
    ),
  ]);

async function storm(story: AlertStory): Promise<[number, number, number]> {
  const name = (friendly_name: string) => story.monitor({ friendly_name });
  const ids: [number, number, number] = [await name('A'), await name('B'), await name('C')];
  await story.fail(ids, { address: '203.0.113.7' });
  await story.pass(1);
  return ids;
}

/** As the service does it. */
async function removeIncident(story: AlertStory, monitorId: number): Promise<void> {
  const { database } = story;
  await database.transaction(async (tx) => {
    const row = await tx
      .selectFrom('incident')
      .select(['id', 'severity', 'ended_at'])
      .where('monitor_id', '=', monitorId)
      .executeTakeFirstOrThrow();
    await markIncidentRemoved(tx, row, story.now());
    await deleteIncident(tx, row.id);
  });
}

eachDatabase((_name, open) => {
  test('an incident that is deleted is closed for those who were notified of it, also of a storm', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const ids = await storm(story);
    await heard(story, ops);
    await removeIncident(story, ids[0]);
    await story.pass(11 * MINUTE);
    expect(await heard(story, ops)).toEqual([
      ['update', 'A The incident was deleted', 'B down', 'C down'],
    ]);
    await story.recover(ids.slice(1));
    expect((await heard(story, ops)).map(([kind]) => kind)).toEqual(['recovery']);
  });

  test('one whose end was notified is not notified again when it is deleted', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const ids = await storm(story);
    await story.recover(ids[0]);
    await story.pass(11 * MINUTE);
    expect((await heard(story, ops)).map(([kind]) => kind)).toEqual(['alarm', 'update']);
    await removeIncident(story, ids[0]);
    await story.pass(60 * MINUTE);
    expect(await heard(story, ops)).toEqual([]);
  });

  test('one whose end waits is notified at its time', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const ids = await storm(story);
    await heard(story, ops);
    await story.recover(ids[0]);
    await removeIncident(story, ids[0]);
    await story.pass(11 * MINUTE);
    expect((await heard(story, ops)).map(([kind]) => kind)).toEqual(['update']);
  });

  test('a monitor that is deleted is closed in its storm, for those who were notified of it', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const ids = await storm(story);
    await heard(story, ops);
    await story.database.transaction(async (tx) => {
      const deleted = { deleted_at: story.now() };
      await tx.updateTable('monitor').set(deleted).where('id', '=', ids[0]).execute();
      await markMonitorsRemoved(tx, [ids[0]], story.now());
    });
    await story.pass(11 * MINUTE);
    expect(await heard(story, ops)).toEqual([
      ['update', 'A The monitor was deleted', 'B down', 'C down'],
    ]);
  });
});
