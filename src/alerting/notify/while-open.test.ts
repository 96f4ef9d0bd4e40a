import { expect, test } from 'vitest';
import { beginStory, during, kinds, type AlertStory } from '../../../test/support/alert-story.ts';
import {
  scheduleAlertsOfIncidents,
  scheduleAlertsOfMonitors,
} from '../../store/alerting/alerts.ts';
import { monitorChanges } from '../../store/resources/monitor-changes.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;

/** A monitor that is down for 20 minutes so far, and what its people heard since. */
interface World {
  story: AlertStory;
  shop: number;
  /** Ids of channels: of the route that it is in, and of the one that it is not. */
  ops: number;
  others: number;
  group: number;
}

async function begin(): Promise<World> {
  const story = await beginStory();
  const { teamId } = story.people.alice;
  const group = await story.database.transaction(async (tx) => {
    const row = { team_id: teamId, name: 'Others', description: null, parent_id: null };
    const times = { sort_order: 0, created_at: story.now(), updated_at: story.now() };
    const { id } = await tx
      .insertInto('monitor_group')
      .values({ ...row, ...times })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
  const [ops, others] = [await story.channel(), await story.channel({ is_default: 0 })];
  const shop = await story.monitor({ friendly_name: 'Shop' });
  await story.route({ monitors: `[${shop}]`, channels: `[${ops}]`, reminder_minutes: 30 });
  await story.route({ groups: `[${group}]`, channels: `[${others}]` });
  await story.fail(shop);
  await story.pass(20 * MINUTE);
  return { story, shop, ops, others, group };
}

const set = (
  { story }: World,
  table: 'monitor' | 'alert_channel' | 'incident',
  id: number,
  change: object,
) => updateRows(story.database, table, change, { id });

const wake = ({ story, shop }: World) =>
  story.database.transaction((tx) => scheduleAlertsOfMonitors(tx, [shop], story.now()));

const setAndWait = async (world: World, enabled: 0 | 1, seconds: number) => {
  await set(world, 'alert_channel', world.ops, { enabled });
  await world.story.pass(seconds);
};

const deletes = async (world: World) => {
  const { story, shop } = world;
  await story.database.transaction((tx) => monitorChanges(tx).markDeleted(shop, 9, story.now()));
  await wake(world);
};
const pauses = (world: World) => set(world, 'monitor', world.shop, { is_paused: 1 });
const moves = (world: World) => set(world, 'monitor', world.shop, { group_id: world.group });
const deletesRoutes = ({ story }: World) =>
  story.database.transaction((tx) => tx.deleteFrom('alert_route').execute());
const reroutes = ({ story, others, ops }: World) =>
  updateRows(story.database, 'alert_route', { channels: `[${others}]` }, { channels: `[${ops}]` });
const disables = (world: World) => setAndWait(world, 0, 0);
async function disablesAndEnables(world: World) {
  await setAndWait(world, 0, 5 * MINUTE);
  await setAndWait(world, 1, 0);
}
const acknowledges = (world: World) =>
  set(world, 'incident', 1, { acknowledged_at: world.story.now() });
async function resolves(world: World) {
  const { story } = world;
  await set(world, 'incident', 1, { ended_at: story.now() });
  await story.database.transaction((tx) => scheduleAlertsOfIncidents(tx, [1], story.now()));
}
const maintains = (minutes: number) => (world: World) => during(world.story, minutes * MINUTE);

/** What is done while it is down; then half an hour passes, it recovers, and another half hour passes. */
const ROWS: [string, (world: World) => Promise<unknown>, ops: string, others?: string][] = [
  ['nothing is done', async () => {}, 'alarm, reminder, recovery'],
  ['the monitor is deleted', deletes, 'alarm, recovery'],
  ['the monitor is paused', pauses, 'alarm, recovery'],
  ['it is moved to another group', moves, 'alarm, reminder, recovery', 'alarm, recovery'],
  // Those that are notified by default go on, without reminders.
  ['its route is deleted', deletesRoutes, 'alarm, recovery'],
  // That one is notified, and who was notified hears the end.
  ['its route names another channel', reroutes, 'alarm, recovery', 'alarm, recovery'],
  ['its channel is disabled', disables, 'alarm'],
  ['its channel is disabled and enabled again', disablesAndEnables, 'alarm, reminder, recovery'],
  ['somebody acknowledges it', acknowledges, 'alarm, recovery'],
  ['somebody resolves it', resolves, 'alarm, recovery'],
  // It was notified before, so reminders go on.
  ['maintenance begins, and ends', maintains(15), 'alarm, reminder, recovery'],
  ['maintenance begins, and it recovers in it', maintains(90), 'alarm, recovery'],
];

test.each(ROWS)(
  'while it is down, %s [30.19, 30.20, 30.21, 31.14]',
  async (_name, deed, ops, others = '') => {
    const world = await begin();
    const { story, shop } = world;
    await deed(world);
    await story.pass(30 * MINUTE);
    await story.recover(shop);
    await story.pass(30 * MINUTE);
    const heard = async (id: number) =>
      (await kinds(story, await story.destinationOf('alert_channel', id)))
        .map(([kind]) => kind)
        .join(', ');
    expect({ ops: await heard(world.ops), others: await heard(world.others) }).toEqual({
      ops,
      others,
    });
    const left = await story.database.read
      .selectFrom('alert')
      .select('id')
      .where('over_at', 'is', null)
      .execute();
    expect(left).toEqual([]);
  },
);
