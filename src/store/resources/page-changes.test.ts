import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveTeam } from '../../../test/support/deliveries.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';
import {
  insertAnnouncement,
  insertPage,
  insertServices,
  insertUpdate,
} from '../../../test/support/status-pages.ts';
import type { Database } from '../database/contract.ts';
import { changeSpans } from '../engine/spans.ts';
import { readNewestChange, readPageChanges } from './page-facts.ts';

/** Two pages of one team with a monitor each, and one of another team. */
interface World {
  database: Database;
  team: number;
  /** Page with monitor `a`, page with monitor `b`, page of another team. */
  pages: [number, number, number];
  a: number;
  b: number;
  announcement: number;
  incident: number;
}

const NOW = Date.UTC(2030, 0, 1);
const incidentOf = (team: number, monitor: number) => ({
  team_id: team,
  monitor_id: monitor,
  type: 'down',
  severity: 'critical',
  root_cause: null,
  is_regional: 0,
  started_at: NOW,
  ended_at: null,
  created_at: NOW,
  updated_at: NOW,
});

/** Every kind of write, and the pages that it marks: 0 shows `a`, 1 shows `b`, 2 is another team's. */
const WRITES: readonly [
  name: string,
  write: (world: World) => Promise<unknown>,
  marked: number[],
][] = [
  [
    'a setting of a page',
    ({ database, pages }) => updateRows(database, 'status_page', { name: 'New' }, { id: pages[0] }),
    [0],
  ],
  [
    'the deletion of a page',
    ({ database, pages }) =>
      database.transaction((tx) =>
        tx.deleteFrom('status_page').where('id', '=', pages[1]).execute(),
      ),
    [1],
  ],
  [
    'a service more',
    ({ database, pages, a }) => insertServices(database, pages[1], [{ id: a }]),
    [1],
  ],
  [
    'a service less',
    ({ database, a }) =>
      database.transaction((tx) =>
        tx.deleteFrom('status_page_service').where('monitor_id', '=', a).execute(),
      ),
    [0],
  ],
  [
    'a status',
    ({ database, team, b }) =>
      database.transaction((tx) =>
        changeSpans(tx, [{ monitorId: b, teamId: team, status: 'offline', at: NOW }]),
      ),
    [1],
  ],
  [
    'an incident',
    ({ database, team, a }) =>
      insertRows(database, 'incident', { ...incidentOf(team, a), type: 'ssl' }),
    [0],
  ],
  [
    'the end of an incident',
    ({ database, incident }) =>
      updateRows(database, 'incident', { ended_at: NOW }, { id: incident }),
    [0],
  ],
  [
    'the name of a monitor',
    ({ database, b }) => updateRows(database, 'monitor', { friendly_name: 'B' }, { id: b }),
    [1],
  ],
  [
    'a pause',
    ({ database, a }) => updateRows(database, 'monitor', { is_paused: 1 }, { id: a }),
    [0],
  ],
  [
    'a setting of a monitor that no page shows',
    ({ database, a }) => updateRows(database, 'monitor', { request_timeout: 5 }, { id: a }),
    [],
  ],
  [
    'the state of a round',
    ({ database, a }) =>
      updateRows(database, 'monitor_state', { observed_until: NOW }, { monitor_id: a }),
    [],
  ],
  [
    'maintenance of the team',
    ({ database, team }) =>
      insertRows(database, 'maintenance_occurrence', {
        window_id: 1,
        team_id: team,
        monitors: '[]',
        groups: '[]',
        tags: '[]',
        from_at: NOW,
        to_at: NOW + 1,
      }),
    [0, 1],
  ],
  [
    'a correction',
    ({ database, team, a }) =>
      insertRows(database, 'correction', {
        team_id: team,
        monitor_id: a,
        from_at: NOW,
        to_at: NOW + 1,
        counts_as: 'excluded',
        reason: 'x',
        created_at: NOW,
        updated_at: NOW,
      }),
    [0],
  ],
  [
    'an announcement on a page',
    ({ database, team, pages }) =>
      insertAnnouncement(database, { team_id: team, started_at: NOW }, { pages: [pages[1]] }),
    [1],
  ],
  [
    'the state of an announcement',
    ({ database, announcement }) =>
      updateRows(database, 'announcement', { state: 'resolved' }, { id: announcement }),
    [0],
  ],
  [
    'an update',
    ({ database, announcement, pages }) =>
      insertUpdate(database, announcement, { pages: [pages[0]], at: NOW }),
    [0],
  ],
  [
    'an affected service',
    ({ database, announcement, b }) =>
      insertRows(database, 'announcement_service', {
        announcement_id: announcement,
        monitor_id: b,
      }),
    [0],
  ],
  [
    'another page of an announcement',
    ({ database, announcement, pages }) =>
      insertRows(database, 'announcement_page', {
        announcement_id: announcement,
        page_id: pages[1],
        shown_at: NOW,
      }),
    [1],
  ],
];

eachDatabase((_, open) => {
  async function openWorld(): Promise<World> {
    const database = await open();
    const [team, other] = [await giveTeam(database), await giveTeam(database, 'Other')];
    const monitor = (teamId: number) => createMonitor(database, NOW, { team_id: teamId });
    const [a, b, c] = [await monitor(team), await monitor(team), await monitor(other)];
    const page = async (teamId: number, slug: string, id: number) => {
      const pageId = await insertPage(database, { team_id: teamId, slug });
      await insertServices(database, pageId, [{ id }]);
      return pageId;
    };
    const pages: World['pages'] = [
      await page(team, 'a', a),
      await page(team, 'b', b),
      await page(other, 'c', c),
    ];
    const announcement = await insertAnnouncement(
      database,
      { team_id: team, started_at: NOW },
      { pages: [pages[0]], monitors: [a] },
    );
    await insertRows(database, 'incident', incidentOf(team, a));
    const { id: incident } = await database.read
      .selectFrom('incident')
      .select('id')
      .executeTakeFirstOrThrow();
    return { database, team, pages, a, b, announcement, incident };
  }

  test.each(WRITES)('%s marks the pages that show it [42.11]', async (_name, write, marked) => {
    const world = await openWorld();
    const before = await readNewestChange(world.database.read);
    await write(world);
    const changes = await readPageChanges(world.database.read, before, 100);
    const found = new Set(changes.map(({ pageId }) => world.pages.indexOf(pageId)));
    expect([...found].toSorted()).toEqual(marked);
  });
});
