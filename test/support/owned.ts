import type { Permission } from '../../src/identity/caller.ts';
import { COLLECTIONS } from '../../src/resources/nouns.ts';
export { ROUTES } from '../../src/resources/nouns.ts';
import type { RouteFacts } from '../../src/resources/common/operation.ts';
import { peopleStore } from '../../src/store/people/people.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import type { TestApi } from './api.ts';
import { connectApplication } from './applications.ts';
import { giveSession } from './people.ts';

export const API = '/api/v1';

/** Creates an object in Alice's team by the first segment of a path, or by the whole path, and returns its id. */
const OWNED: Record<string, (api: TestApi) => Promise<number>> = {
  // The examples of the reference, each with a name of its own.
  ...Object.fromEntries(
    COLLECTIONS.map(({ declared: { path, example } }) => [
      path.slice(1),
      (api) => make(api, path.slice(1), { ...example, name: `Made ${(made += 1)}` }),
    ]),
  ),
  monitors: async (api) => (await api.create()).id,
  async incidents(api) {
    const { id: monitorId } = await api.create();
    const startedAt = new Date(api.clock.now()).toISOString();
    return make(api, 'incidents', { monitor_id: monitorId, started_at: startedAt, status: 'open' });
  },
  'alert-channels': (api) =>
    make(api, 'alert-channels', {
      type: 'ntfy',
      settings: { topic: `tocsin-${(made += 1)}` },
    }),
  'alert-routes': (api) => make(api, 'alert-routes', { name: 'Made', users: [api.alice.personId] }),
  'notification-channels': async (api) => {
    const path = `${API}/notification-channels/ntfy`;
    await api.call(api.alice, 'PUT', path, { settings: { topic: 'tocsin-own' } });
    return 1;
  },
  reports: (api) => make(api, 'reports', { name: 'Made' }),
  async 'report-runs'(api) {
    const report = await make(api, 'reports', { name: 'Made' });
    const path = `${API}/reports/${report}/runs`;
    return (await api.call(api.alice, 'POST', path, {})).body.id;
  },
  'status-pages': (api) =>
    make(api, 'status-pages', {
      name: `Page ${(made += 1)}`,
      custom_domain: `page-${made}.example.com`,
    }),
  async announcements(api) {
    const page = await make(api, 'status-pages', { name: `Page ${(made += 1)}` });
    return make(api, 'announcements', {
      title: 'Made',
      state: 'investigating',
      text: 'Made.',
      status_pages: [page],
    });
  },
  'maintenance-windows': (api) => make(api, 'maintenance-windows/start', {}),
  async 'configuration/sets'(api) {
    const document = { name: `made-${(made += 1)}` };
    await api.call(api.alice, 'POST', `${API}/configuration/apply`, { document });
    const { body } = await api.call(api.alice, 'GET', `${API}/configuration/sets`);
    const sets = body['data'] as { id: number; name: string }[];
    return sets.find(({ name }) => name === document.name)!.id;
  },
  teams: async (api) => api.alice.teamId,
  users: (api) => addMember(api),
  'users/invitations': (api) =>
    make(api, 'users/invitations', { email: `guest-${(made += 1)}@example.com`, role: 'viewer' }),
  tokens: (api) => make(api, 'tokens', { name: 'Made', permissions: ['read'] }),
  'connected-applications': (api) =>
    connectApplication(api.database, api.alice, { now: api.clock.now() }),
  sessions: async (api) =>
    (await giveSession(api.database, api.alice, { now: api.clock.now() })).sessionId,
};
let made = 0;

async function addMember(api: TestApi): Promise<number> {
  const now = api.clock.now();
  return api.database.transaction(async (tx) => {
    const email = `member-${(made += 1)}@example.com`;
    const id = await peopleStore(tx).insert({ name: 'Member', email, timezone: 'UTC' }, now);
    await teamStore(tx).insertMember(api.alice.teamId, id, 'viewer', now);
    return id;
  });
}

async function make(api: TestApi, noun: string, body: object): Promise<number> {
  const { status, body: answer, text } = await api.call(api.alice, 'POST', `${API}/${noun}`, body);
  if (status !== 201) throw new Error(`Not created: ${text}`);
  return answer.id;
}

/** The path of a route with one of Alice's ids in it. */
export async function pathOf(api: TestApi, route: Pick<RouteFacts, 'path'>): Promise<string> {
  if (!route.path.includes(':')) return API + route.path;
  const [before = ''] = route.path.slice(1).split('/:');
  const owned = OWNED[before] ?? OWNED[before.split('/')[0] ?? ''];
  if (owned === undefined) throw new Error(`OWNED says not how to make one of ${route.path}.`);
  return withId(route, await owned(api));
}

export const withId = ({ path }: Pick<RouteFacts, 'path'>, id: unknown) =>
  API + path.replace(':id', String(id)).replace(':channel', 'ntfy').replaceAll(/:\w+/g, '1');

/** No body, malformed JSON or an object, if the method allows a body. */
export const bodyFor = ({ method }: Pick<RouteFacts, 'method'>, body: unknown) =>
  method === 'GET' || method === 'DELETE' ? undefined : body;

/** The route if it needs a permission, not only a token or nothing. */
export function withPermission(route: RouteFacts): (RouteFacts & { needs: Permission })[] {
  const { needs } = route;
  return needs === 'token' || needs === 'nobody' ? [] : [{ ...route, needs }];
}
