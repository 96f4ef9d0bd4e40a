import { PAGES, VISITOR_PAGES } from '../../../src/api/dashboard-pages.gen.ts';
import type { APIRequestContext } from 'playwright-core';

/** A page of the dashboard. */
export interface PageAddress {
  /** Name for files, such as `monitors-id-edit`. */
  name: string;
  path: string;
  /** Whether visitors open it who are not signed in. */
  isEntry: boolean;
}

/** Lists of the API whose first row a page shows, where they are named otherwise than the page. */
const LISTS: Record<string, string> = {
  channels: 'alert-channels',
  maintenance: 'maintenance-windows',
  webhooks: 'webhook-endpoints',
};

/**
 * Lists every page of the dashboard, with ids of what the team of the signed-in person has: an open incident, its monitor,
 * and the first of other things. The page of a job is there besides that of the monitor.
 */
export async function pageAddresses(
  request: APIRequestContext,
  url: string,
): Promise<PageAddress[]> {
  const incident = await firstOf(request, `${url}/api/v1/incidents?status=open`);
  const ids = new Map<string, unknown>([
    ['incidents', incident['id']],
    ['monitors', incident['monitor_id']],
  ]);
  const idIn = async (list: string) => {
    const known = ids.get(list);
    if (known !== undefined) return known;
    const { id } = await firstOf(request, `${url}/api/v1/${LISTS[list] ?? list}`);
    ids.set(list, id);
    return id;
  };
  const found: PageAddress[] = [];
  for (const pattern of [...PAGES, ...VISITOR_PAGES]) {
    const id = pattern.includes(':id') ? await idIn(pattern.split('/')[1]!) : '';
    const name = pattern.slice(1).replaceAll('/', '-').replaceAll(':', '');
    const isEntry = (VISITOR_PAGES as readonly string[]).includes(pattern);
    found.push({ name, path: pattern.replace(':id', String(id)), isEntry });
  }
  const job = await firstOf(request, `${url}/api/v1/monitors?type=cron`);
  return [
    ...found,
    { name: 'monitors-job', path: `/monitors/${job['id'] as number}`, isEntry: false },
  ];
}

async function firstOf(
  request: APIRequestContext,
  address: string,
): Promise<Record<string, unknown>> {
  const answer = await request.get(address);
  const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
  return data[0]!;
}
