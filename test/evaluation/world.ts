import { isPushType, type MonitorType } from '../../src/monitor-types/registry.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { giveToken } from '../support/people.ts';
import { checkResult } from '../support/rounds.ts';
import { updateRows } from '../support/rows.ts';
import { storeFailedAlerts } from './acme/alerts.ts';
import { endingOf, openingOf, recordChange, storeHistory, type Placed } from './acme/history.ts';
import { ACKNOWLEDGED_AT, BEGINNING, NOW, PROBLEMS } from './acme/incidents.ts';
import { storeJobs } from './acme/jobs.ts';
import { MONITORS, SECRETS } from './acme/monitors.ts';
import { storeTargets } from './acme/targets.ts';

/** Who asks: members of the team by their role, and a program that may only read. */
export const ASKERS = ['owner', 'editor', 'viewer', 'reader'] as const;
export type Asker = (typeof ASKERS)[number];

/** The team Acme on a Tuesday morning, after a bad night. */
export interface World {
  api: TestApi;
  /** Tokens by who asks. */
  tokens: Record<Asker, string>;
  /** Texts that no answer may contain. */
  secrets: readonly string[];
}

/** Builds the world in an empty database, through the API as far as people do it. */
export async function openWorld(database: Database): Promise<World> {
  const api = await openApi(database);
  const { teamId } = api.alice;
  await updateRows(database, 'team', { name: 'Acme', slug: 'acme' }, { id: teamId });
  // A web page answers from all regions.
  api.setTarget(() => checkResult('up', { responseTimeMs: 120 }));
  api.clock.stepWall(BEGINNING - api.clock.now());
  const monitors = await createMonitors(api);
  const idOf = (name: string) => monitors.find((one) => one.name === name)!.id;
  const pageId = await createPages(api, idOf);
  await done(api, 'POST', `/monitors/${idOf('Old shop')}/pause`);
  await recordStory(api, monitors);
  for (const monitor of monitors.filter(({ name }) => name !== 'Old shop')) {
    const problems = PROBLEMS.filter((one) => one.monitor === monitor.name);
    await storeHistory(database, monitor, problems);
  }
  await storeTargets(database, { teamId, idOf });
  await storeJobs(database, idOf);
  api.clock.stepWall(NOW - api.clock.now());
  await prepareMorning(api, idOf);
  const reader = await giveToken(database, api.ed, { permissions: ['read'], now: NOW });
  return {
    api,
    tokens: {
      owner: api.alice.token,
      editor: api.ed.token,
      viewer: api.vera.token,
      reader,
    },
    secrets: [...Object.values(SECRETS), ...(await pingTokens(api)), `subscriber-of-${pageId}`],
  };
}

/** Sends a request that must succeed. @returns the body of its answer. */
async function done(api: TestApi, method: string, path: string, body?: object) {
  const answer = await api.call(api.alice, method, `/api/v1${path}`, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
}

async function createMonitors(api: TestApi): Promise<Placed[]> {
  const groups = new Map<string, number>();
  for (const name of ['Web', 'Shop', 'Data']) {
    groups.set(name, (await done(api, 'POST', '/groups', { name })).id);
  }
  const placed: Placed[] = [];
  for (const { group, ...body } of MONITORS) {
    const type = (body['monitor_type'] ?? 'http') as MonitorType;
    const more = group === undefined ? {} : { group_id: groups.get(group) };
    const { id } = await done(api, 'POST', '/monitors', { ...body, ...more });
    const { teamId } = api.alice;
    placed.push({ id, teamId, name: body.friendly_name, isPush: isPushType(type) });
  }
  return placed;
}

async function createPages(api: TestApi, idOf: (name: string) => number): Promise<number> {
  const services = ['Website', 'Shop', 'Checkout', 'API'].map((label) => ({
    id: idOf(label),
    label,
  }));
  const { id } = await done(api, 'POST', '/status-pages', {
    name: 'Acme status',
    slug: 'acme',
    monitors: services,
    settings: { custom_css: `${SECRETS.css} { color: red }` },
  });
  await done(api, 'POST', '/status-pages', {
    name: 'Wholesale customers',
    slug: 'acme-wholesale',
    monitors: [{ id: idOf('API'), label: 'Ordering' }],
    access: { type: 'password', password: SECRETS.page },
  });
  await done(api, 'POST', `/status-pages/${id}/subscribers`, {
    type: 'email',
    address: `subscriber-of-${id}@customer.example`,
  });
  return id;
}

/** Problems begin, are acknowledged and end, each at its time. */
async function recordStory(api: TestApi, monitors: readonly Placed[]): Promise<void> {
  const { database, clock } = api;
  const steps = PROBLEMS.flatMap((problem) => {
    const monitor = monitors.find(({ name }) => name === problem.monitor)!;
    const opening = openingOf(problem, monitor);
    return problem.to === null ? [opening] : [opening, endingOf(problem, monitor)];
  }).toSorted((one, other) => one.at - other.at);
  for (const step of steps) {
    clock.stepWall(step.at - clock.now());
    await recordChange(database, step);
  }
  const checkout = monitors.find(({ name }) => name === 'Checkout')!;
  clock.stepWall(ACKNOWLEDGED_AT - clock.now());
  const [incident] = (await api.call(api.ed, 'GET', `/api/v1/monitors/${checkout.id}/incidents`))
    .body['data'] as { id: number }[];
  await api.call(api.ed, 'POST', `/api/v1/incidents/${incident!.id}/acknowledge`);
}

/** What people have set up by the morning. */
async function prepareMorning(api: TestApi, idOf: (name: string) => number): Promise<void> {
  await done(api, 'POST', '/maintenance-windows', {
    name: 'Database upgrade',
    starts_at: '2030-01-16T22:00:00Z',
    ends_at: '2030-01-16T23:00:00Z',
    monitors: [idOf('Postgres'), idOf('Redis')],
  });
  await done(api, 'POST', '/reports', {
    name: 'For the board',
    tags: ['production'],
    period: 'last_7_days',
    frequency: 'monthly',
    recipients: ['board@customer.example'],
  });
  await setUpAlerts(api, idOf);
  await done(api, 'POST', '/users/invitations', { email: 'new@acme.example', role: 'viewer' });
}

/** The document of the set Edge, whose group somebody has renamed since. */
export const EDGE = { name: 'edge', groups: [{ key: 'edge', name: 'Edge' }] };

/** Who is notified, what did not arrive, and changes that the audit log remembers. */
async function setUpAlerts(api: TestApi, idOf: (name: string) => number): Promise<void> {
  const { id: channel } = await done(api, 'POST', '/alert-channels', {
    type: 'ntfy',
    name: 'On call',
    is_default: true,
    settings: { topic: SECRETS.topic },
  });
  await done(api, 'POST', '/alert-channels', {
    type: 'ntfy',
    name: 'Night watch',
    enabled: false,
    settings: { topic: `night-${SECRETS.topic}` },
  });
  await done(api, 'POST', '/alert-routes', { name: 'Shop', tags: ['shop'], channels: [channel] });
  const { id: webhook } = await done(api, 'POST', '/webhook-endpoints', {
    name: 'Chat ops',
    url: `https://hooks.acme.example/${SECRETS.webhook}`,
  });
  const { body } = await api.call(api.ed, 'GET', `/api/v1/monitors/${idOf('Checkout')}/incidents`);
  const [{ id: incidentId }] = body['data'] as [{ id: number }];
  const sent = { teamId: api.alice.teamId, incidentId, at: NOW - 6 * 3_600_000 };
  await storeFailedAlerts(api.database, sent, { channel, webhook });
  const { id: campaign } = await done(api, 'POST', '/monitors', {
    friendly_name: 'Campaign page',
    url: `https://campaign.acme.example/?key=${SECRETS.query}`,
    check_interval: 5,
  });
  await done(api, 'DELETE', `/monitors/${campaign}`);
  await api.call(api.ed, 'PUT', `/api/v1/monitors/${idOf('Blog')}`, {
    failure_threshold: 4,
    request_headers: { 'X-Blog': SECRETS.header },
  });
  await done(api, 'POST', '/configuration/apply', { document: EDGE });
  const { data: groups } = (await done(api, 'GET', '/groups')) as unknown as {
    data: { id: number; name: string }[];
  };
  const edge = groups.find(({ name }) => name === 'Edge')!.id;
  await api.call(api.ed, 'PUT', `/api/v1/groups/${edge}`, { name: 'Edge of the network' });
}

/** The secret parts of ping URLs. */
async function pingTokens(api: TestApi): Promise<string[]> {
  const { data } = (await done(api, 'GET', '/monitors?per_page=100')) as unknown as {
    data: { ping_url: string | null }[];
  };
  return data.flatMap(({ ping_url: url }) => (url === null ? [] : [url.split('/').at(-1)!]));
}
