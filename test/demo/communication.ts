import type { Desk } from './desk.ts';
import { DAY_MS, MINUTE_MS, STORIES } from './northwind/problems.ts';
import type { Names } from './settings.ts';
import type { Step } from './story.ts';

const iso = (at: number) => new Date(at).toISOString();

/** What people told the visitors of status pages, about problems that last and those that are over. */
export function tellVisitors(desk: Desk, { monitor }: Names, now: number): Step[] {
  const update = (by: string, name: string, ago: number, body: object): Step => ({
    at: now - ago,
    async do() {
      const id = await newestIncident(desk, monitor(name));
      await desk.carryOut('createIncidentUpdate', desk.as(by), { id, body });
    },
  });
  const outage = STORIES.find((one) => one.monitor === 'Storefront')!;
  const slow = STORIES.find((one) => one.monitor === 'Search')!;
  return [
    update('Bo Lindqvist', 'Storefront', outage.beganAgo - 6 * MINUTE_MS, {
      state: 'investigating',
      title: 'The shop does not load',
      impact: 'critical',
      text: 'Pages of the shop answer with an error. We are looking into it.',
    }),
    update('Bo Lindqvist', 'Storefront', outage.beganAgo - 31 * MINUTE_MS, {
      state: 'identified',
      text: 'A **cache node** ran out of memory. We are replacing it.',
    }),
    update('Ada Reyes', 'Storefront', outage.endedAgo! - 10 * MINUTE_MS, {
      state: 'resolved',
      text: 'The shop has worked for ten minutes. We are sorry.',
    }),
    { at: now - 11 * DAY_MS, do: () => writePostMortem(desk, monitor('Storefront')) },
    update('Chidi Okafor', 'Search', slow.beganAgo - 10 * MINUTE_MS, {
      state: 'identified',
      title: 'Search was slow',
      impact: 'minor',
      text: 'A full re-index ran beside traffic. It now runs at night.',
    }),
    update('Bo Lindqvist', 'Checkout API', 9 * MINUTE_MS, {
      state: 'investigating',
      title: 'Payments fail at checkout',
      impact: 'critical',
      text: 'Payments are refused for most customers. We are looking into it.',
    }),
    update('Bo Lindqvist', 'Checkout API', 5 * MINUTE_MS, {
      state: 'identified',
      text: 'A release of the payment service left it without healthy hosts. We are rolling it back; carts are kept.',
    }),
  ];
}

async function newestIncident({ database }: Desk, monitorId: number): Promise<number> {
  const { id } = await database.read
    .selectFrom('incident')
    .select('id')
    .where('monitor_id', '=', monitorId)
    .orderBy('started_at', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

async function writePostMortem(desk: Desk, monitorId: number): Promise<void> {
  const { announcement_id: id } = await desk.database.read
    .selectFrom('announcement_incident')
    .innerJoin('incident', 'incident.id', 'announcement_incident.incident_id')
    .select('announcement_id')
    .where('incident.monitor_id', '=', monitorId)
    .orderBy('incident.started_at', 'desc')
    .executeTakeFirstOrThrow();
  const text =
    '**What happened.** A cache node ran out of memory, and its requests went to the database until that refused them.\n\n' +
    '**What we change.** Nodes now refuse new keys before they run out, and a test drops one of them each week.';
  await desk.carryOut('setPostMortem', desk.as('Ada Reyes'), { id, body: { text, publish: true } });
}

/** What members asked of the program lately: corrections, and runs of a report. */
export async function createRequests(
  desk: Desk,
  { names, reportId }: { names: Names; reportId: number },
): Promise<void> {
  const { clock } = desk;
  const now = clock.now();
  const [ada, bo] = [desk.as('Ada Reyes'), desk.as('Bo Lindqvist')];
  const outage = STORIES.find((one) => one.monitor === 'Data warehouse')!;
  await desk.carryOut('createMonitorCorrection', bo, {
    id: names.monitor('Data warehouse'),
    body: {
      from: iso(now - outage.beganAgo),
      to: iso(now - outage.endedAgo!),
      as: 'maintenance',
      reason: 'The warehouse was moved to a new host that night, and nobody had planned a window.',
    },
  });
  const regional = STORIES.find(({ condition }) => condition === 'regional')!;
  const mistaken = await desk.carryOut('createMonitorCorrection', ada, {
    id: names.monitor('Checkout API'),
    body: {
      from: iso(now - regional.beganAgo),
      to: iso(now - regional.endedAgo!),
      as: 'false_alarm',
      reason: 'Only our probe in Singapore could not connect.',
    },
  });
  await desk.carryOut('deleteMonitorCorrection', ada, {
    id: names.monitor('Checkout API'),
    correction: (mistaken as { id: number }).id,
  });
  await desk.carryOut('startReportRun', ada, {
    id: reportId,
    body: { period: 'last_30_days', format: 'csv' },
  });
}
