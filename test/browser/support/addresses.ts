import { readFileSync } from 'node:fs';
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
 * Lists every page in web/app/routes.tsx and web/app/entry-pages.ts, with ids of what the team of the signed-in person has: an open incident, its monitor,
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
  for (const { pattern, isEntry } of patterns()) {
    const id = pattern.includes(':id') ? await idIn(pattern.split('/')[1]!) : '';
    const name = pattern.slice(1).replaceAll('/', '-').replaceAll(':', '');
    found.push({ name, path: pattern.replace(':id', String(id)), isEntry });
  }
  const job = await firstOf(request, `${url}/api/v1/monitors?type=cron`);
  return [
    ...found,
    { name: 'monitors-job', path: `/monitors/${job['id'] as number}`, isEntry: false },
  ];
}

/** Pages of the shell, and those for visitors. */
function patterns(): { pattern: string; isEntry: boolean }[] {
  const ofShell = namesIn('routes.tsx', /\broute\(\s*'([^']+)'/g);
  const ofVisitors = namesIn('entry-pages.ts', /^ {2}'(\/[\w-]+)':/gm);
  return [
    ...ofShell.map((pattern) => ({ pattern, isEntry: false })),
    ...ofVisitors.map((pattern) => ({ pattern, isEntry: true })),
  ];
}

function namesIn(file: string, pattern: RegExp): string[] {
  const text = readFileSync(new URL(`../../../web/app/${file}`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(pattern), ([, name]) => name!);
}

async function firstOf(
  request: APIRequestContext,
  address: string,
): Promise<Record<string, unknown>> {
  const answer = await request.get(address);
  const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
  return data[0]!;
}
