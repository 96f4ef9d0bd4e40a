import type { Caller, Permission } from '../identity/caller.ts';
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
  /** 200 unless said otherwise; 204 has no body. */
  status?: 201 | 204;
  answer(call: Call): object | Promise<object | void>;
}

/** Every route of the API, all of them behind a token. */
export function apiRoutes({ account, monitors, checkMonitor, incidents }: Services): Route[] {
  // oxfmt-ignore
  return [
    { name: 'whoAmI', method: 'GET', path: '', needs: 'token', answer: ({ caller }) => account.whoAmI(caller) },
    { name: 'testToken', method: 'GET', path: '/test', needs: 'token', answer: ({ caller }) => account.test(caller) },

    { name: 'listMonitors', method: 'GET', path: '/monitors', needs: 'read', answer: ({ caller, query, address }) => monitors.list(caller, query, address) },
    { name: 'createMonitor', method: 'POST', path: '/monitors', needs: 'create', status: 201, answer: ({ caller, body }) => monitors.create(caller, body) },
    { name: 'getMonitor', method: 'GET', path: '/monitors/:id', needs: 'read', answer: ({ caller, id }) => monitors.get(caller, id) },
    { name: 'updateMonitor', method: 'PUT', path: '/monitors/:id', needs: 'update', answer: ({ caller, id, body }) => monitors.update(caller, id, body) },
    { name: 'deleteMonitor', method: 'DELETE', path: '/monitors/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => monitors.delete(caller, id) },
    { name: 'checkMonitor', method: 'POST', path: '/monitors/:id/check', needs: 'update', answer: ({ caller, id }) => checkMonitor(caller, id) },
    { name: 'pauseMonitor', method: 'POST', path: '/monitors/:id/pause', needs: 'update', answer: ({ caller, id }) => monitors.pause(caller, id) },
    { name: 'resumeMonitor', method: 'POST', path: '/monitors/:id/resume', needs: 'update', answer: ({ caller, id }) => monitors.resume(caller, id) },
    { name: 'unpauseMonitor', method: 'POST', path: '/monitors/:id/unpause', needs: 'update', answer: ({ caller, id }) => monitors.resume(caller, id) },
    { name: 'listMonitorIncidents', method: 'GET', path: '/monitors/:id/incidents', needs: 'read', answer: ({ caller, id, query, address }) => incidents.list(caller, query, address, id) },

    { name: 'listIncidents', method: 'GET', path: '/incidents', needs: 'read', answer: ({ caller, query, address }) => incidents.list(caller, query, address) },
    { name: 'getIncident', method: 'GET', path: '/incidents/:id', needs: 'read', answer: ({ caller, id }) => incidents.get(caller, id) },
  ];
}
