import type { Caller, Permission } from '../identity/caller.ts';
import type { AccountBudget } from '../identity/rate-limits.ts';
import type { ListAddress } from '../service/page.ts';
import type { Services } from '../service/services.ts';

/** A call that has passed authentication and the permission of its route. */
export interface Call {
  caller: Caller;
  /** Of the path; 0, which nothing has, when it is no whole number. */
  id: number;
  query: object;
  /** Undefined when there was none. */
  body: unknown;
  address: ListAddress;
}

export interface Route {
  /** Of the operation in the reference (api/reference/operations.ts). */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, and the same below `/api`. */
  path: string;
  /** `token` is any valid token. */
  needs: Permission | 'token';
  /** Of requests per minute; `standard` unless said otherwise. */
  budget?: AccountBudget;
  /** 200 unless said otherwise; 204 has no body. */
  status?: 201 | 204;
  answer(call: Call): object | Promise<object | void>;
}

/** Every route of the API, all of them behind a token. */
export function apiRoutes({
  account,
  monitors,
  checkMonitor,
  checkUrl,
  incidents,
  history,
  pings,
  targetHistory,
  previewCron,
  groups,
  teams,
  users,
}: Services): Route[] {
  // oxfmt-ignore
  return [
    { name: 'whoAmI', method: 'GET', path: '', needs: 'token', answer: ({ caller }) => account.whoAmI(caller) },
    { name: 'testToken', method: 'GET', path: '/test', needs: 'token', answer: ({ caller }) => account.test(caller) },

    { name: 'listMonitors', method: 'GET', path: '/monitors', needs: 'read', answer: ({ caller, query, address }) => monitors.list(caller, query, address) },
    { name: 'createMonitor', method: 'POST', path: '/monitors', needs: 'create', status: 201, answer: ({ caller, body }) => monitors.create(caller, body) },
    { name: 'getMonitor', method: 'GET', path: '/monitors/:id', needs: 'read', answer: ({ caller, id }) => monitors.get(caller, id) },
    { name: 'updateMonitor', method: 'PUT', path: '/monitors/:id', needs: 'update', answer: ({ caller, id, body }) => monitors.update(caller, id, body) },
    { name: 'deleteMonitor', method: 'DELETE', path: '/monitors/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => monitors.delete(caller, id) },
    { name: 'checkMonitor', method: 'POST', path: '/monitors/:id/check', needs: 'update', budget: 'monitor_check', answer: ({ caller, id }) => checkMonitor(caller, id) },
    { name: 'pauseMonitor', method: 'POST', path: '/monitors/:id/pause', needs: 'update', answer: ({ caller, id }) => monitors.pause(caller, id) },
    { name: 'resumeMonitor', method: 'POST', path: '/monitors/:id/resume', needs: 'update', answer: ({ caller, id }) => monitors.resume(caller, id) },
    { name: 'unpauseMonitor', method: 'POST', path: '/monitors/:id/unpause', needs: 'update', answer: ({ caller, id }) => monitors.resume(caller, id) },
    { name: 'listMonitorIncidents', method: 'GET', path: '/monitors/:id/incidents', needs: 'read', answer: ({ caller, id, query, address }) => incidents.list(caller, query, address, id) },
    { name: 'listMonitorResults', method: 'GET', path: '/monitors/:id/results', needs: 'read', answer: ({ caller, id, query, address }) => history.listResults(caller, id, query, address) },
    { name: 'listMonitorPings', method: 'GET', path: '/monitors/:id/pings', needs: 'read', answer: ({ caller, id, query, address }) => pings.list(caller, id, query, address) },
    { name: 'listMonitorDns', method: 'GET', path: '/monitors/:id/dns', needs: 'read', answer: ({ caller, id, query, address }) => targetHistory.listDns(caller, id, query, address) },
    { name: 'listMonitorCertificates', method: 'GET', path: '/monitors/:id/certificates', needs: 'read', answer: ({ caller, id, query, address }) => targetHistory.listCertificates(caller, id, query, address) },
    { name: 'listMonitorActivities', method: 'GET', path: '/monitors/:id/activities', needs: 'read', answer: ({ caller, id, query, address }) => targetHistory.listActivities(caller, id, query, address) },
    { name: 'getMonitorUptime', method: 'GET', path: '/monitors/:id/uptime', needs: 'read', answer: ({ caller, id, query }) => history.uptime(caller, id, query) },

    { name: 'checkUrl', method: 'GET', path: '/check-url', needs: 'read', budget: 'check_url', answer: ({ caller, query }) => checkUrl(caller, query) },
    { name: 'previewCron', method: 'GET', path: '/cron-preview', needs: 'read', answer: ({ caller, query }) => previewCron(caller, query) },

    { name: 'listIncidents', method: 'GET', path: '/incidents', needs: 'read', answer: ({ caller, query, address }) => incidents.list(caller, query, address) },
    { name: 'getIncident', method: 'GET', path: '/incidents/:id', needs: 'read', answer: ({ caller, id }) => incidents.get(caller, id) },
    { name: 'createIncident', method: 'POST', path: '/incidents', needs: 'create', status: 201, answer: ({ caller, body }) => incidents.create(caller, body) },
    { name: 'updateIncident', method: 'PUT', path: '/incidents/:id', needs: 'update', answer: ({ caller, id, body }) => incidents.update(caller, id, body) },
    { name: 'deleteIncident', method: 'DELETE', path: '/incidents/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => incidents.delete(caller, id) },
    { name: 'resolveIncident', method: 'POST', path: '/incidents/:id/resolve', needs: 'update', answer: ({ caller, id }) => incidents.resolve(caller, id) },
    { name: 'acknowledgeIncident', method: 'POST', path: '/incidents/:id/acknowledge', needs: 'update', answer: ({ caller, id }) => incidents.acknowledge(caller, id) },

    { name: 'listGroups', method: 'GET', path: '/groups', needs: 'read', answer: ({ caller }) => groups.list(caller) },
    { name: 'createGroup', method: 'POST', path: '/groups', needs: 'create', status: 201, answer: ({ caller, body }) => groups.create(caller, body) },
    { name: 'getGroup', method: 'GET', path: '/groups/:id', needs: 'read', answer: ({ caller, id }) => groups.get(caller, id) },
    { name: 'updateGroup', method: 'PUT', path: '/groups/:id', needs: 'update', answer: ({ caller, id, body }) => groups.update(caller, id, body) },
    { name: 'deleteGroup', method: 'DELETE', path: '/groups/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => groups.delete(caller, id) },

    { name: 'listTeams', method: 'GET', path: '/teams', needs: 'token', answer: ({ caller }) => teams.list(caller) },
    { name: 'switchTeam', method: 'POST', path: '/teams/:id/switch', needs: 'update', answer: ({ caller, id }) => teams.switch(caller, id) },
    { name: 'listUsers', method: 'GET', path: '/users', needs: 'read', answer: ({ caller }) => users.list(caller) },
  ];
}
