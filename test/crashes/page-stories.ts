import type { IncidentChange } from '../../src/model/incident.ts';
import { applyIncidentChanges } from '../../src/engine/record/record.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { giveTeam, secretBox } from '../support/deliveries.ts';
import { ending, opening } from '../support/incident-changes.ts';
import { createMonitor } from '../support/monitor-rows.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import {
  insertAnnouncement,
  insertPage,
  insertServices,
  insertUpdate,
} from '../support/status-pages.ts';
import { hashes } from '../support/subscribers.ts';
import { insertMailings } from '../../src/store/resources/mailings.ts';

/** What is there at the beginning of a story: a team with a page that shows one monitor. */
export interface PageWorld {
  database: Database;
  /** Epoch ms. */
  now(): number;
  teamId: number;
  monitorId: number;
  pageId: number;
}

/** Events by minute, and the mails that must arrive, as `recipient: subject`, in any order. */
export interface PageStory {
  /** Subscribers of the page by e-mail. */
  subscribers: string[];
  events: [minute: number, happen: (world: PageWorld) => Promise<void>][];
  mails: string[];
  /** Rows that there must be at the end, as texts. */
  rows(database: Database): Promise<string[]>;
  expectedRows: string[];
}

export async function openPageWorld(
  database: Database,
  { subscribers }: PageStory,
  now: () => number,
): Promise<PageWorld> {
  const at = now();
  const teamId = await giveTeam(database);
  const monitorId = await createMonitor(database, at, { team_id: teamId, friendly_name: 'Shop' });
  await updateRows(database, 'monitor_state', { team_id: teamId }, { monitor_id: monitorId });
  const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour' });
  await insertServices(database, pageId, [{ id: monitorId }]);
  const rows = subscribers.map((address) => ({
    page_id: pageId,
    kind: 'email',
    address: secretBox.of('subscriber', pageId).seal(address, 'address'),
    address_hash: hashes.of('email', address),
    monitors: '[]',
    confirmed_at: 0,
    created_at: 0,
    updated_at: 0,
  }));
  if (rows.length > 0) await insertRows(database, 'subscriber', rows);
  return { database, now, teamId, monitorId, pageId };
}

async function record({ database, now, ...ids }: PageWorld, change: typeof opening): Promise<void> {
  const at = now();
  const changes: IncidentChange[] = [change({ ...ids, at })];
  await database.transaction((tx) => applyIncidentChanges(tx, changes, at));
}

async function post({ database, now, ...its }: PageWorld): Promise<void> {
  const { teamId, pageId, monitorId } = its;
  const at = now();
  const announcement = { team_id: teamId, started_at: at, title: 'Payments fail' };
  const shown = { pages: [pageId], monitors: [monitorId] };
  const id = await insertAnnouncement(database, announcement, shown);
  const update = await insertUpdate(database, id, { pages: [pageId], at, body: 'We look.' });
  await database.transaction((tx) => insertMailings(tx, update, [pageId], at));
}

async function makeReportDue({ database, now, teamId }: PageWorld, to: string[]): Promise<void> {
  const at = now();
  await database.transaction((tx) =>
    insertRow(tx, 'report', {
      team_id: teamId,
      name: 'Weekly',
      monitors: '[]',
      tags: '[]',
      period: 'last_7_days',
      frequency: 'weekly',
      recipients: JSON.stringify(to),
      timezone: 'UTC',
      language: 'en',
      next_at: at,
      created_at: at,
      updated_at: at,
    }),
  );
}

async function announced({ read }: Database): Promise<string[]> {
  const announcements = await read.selectFrom('announcement').select('state').execute();
  const updates = await read
    .selectFrom('announcement_update')
    .select('state')
    .orderBy('id')
    .execute();
  return [
    ...announcements.map(({ state }) => `announcement ${state}`),
    ...updates.map(({ state }) => `update ${state}`),
  ];
}

async function runs({ read }: Database): Promise<string[]> {
  const rows = await read.selectFrom('report_run').select(['status', 'progress']).execute();
  return rows.map(({ status, progress }) => `run ${status} ${progress}`);
}

const people = ['ada@example.com', 'bob@example.com'];
const crowd = Array.from({ length: 450 }, (_, index) => `a${index}@example.com`);
const each = (recipients: readonly string[], subject: string) =>
  recipients.map((address) => `${address}: ${subject}`);

export const PAGE_STORIES = {
  'an outage that is announced and mailed': {
    subscribers: people,
    events: [
      [1, (world) => record(world, opening)],
      [4, (world) => record(world, ending)],
    ],
    mails: [
      ...each(people, '[Harbour] Investigating: Shop is down'),
      ...each(people, '[Harbour] Resolved: Shop went down'),
    ],
    rows: announced,
    expectedRows: ['announcement resolved', 'update investigating', 'update resolved'],
  },
  'an update for 450 subscribers': {
    subscribers: crowd,
    events: [[1, post]],
    mails: each(crowd, '[Harbour] Investigating: Payments fail'),
    rows: announced,
    expectedRows: ['announcement investigating', 'update investigating'],
  },
  'a report that is mailed': {
    subscribers: [],
    events: [[1, (world) => makeReportDue(world, people)]],
    mails: each(people, 'Weekly: 25 Dec 2029 – 31 Dec 2029'),
    rows: runs,
    expectedRows: ['run done 100'],
  },
} as const satisfies Record<string, PageStory>;
