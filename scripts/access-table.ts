import { roleMay, ROLES, type Role } from '../src/identity/caller.ts';
import { apiRoutes } from '../src/api/routes.ts';
import type { Route } from '../src/resources/common/route.ts';
import type { Services } from '../src/resources/services.ts';

/** The head of the table in docs/access.md. */
export const ACCESS_HEAD = ['Route', 'Permission', 'Least role'];

/** The rows of the table in docs/access.md: the permission and role that each route requires. */
export function accessRows(): string[][] {
  return routesOfApi().map((route) => [
    `\`${route.method} /api/v1${route.path}\``,
    `\`${route.needs}\``,
    leastRole(route),
  ]);
}

/** The routes with names, paths and permissions; their handlers can't be called. */
export function routesOfApi(): Route[] {
  const nothing: object = new Proxy({}, { get: () => nothing });
  return apiRoutes(nothing as Services);
}

function leastRole({ needs, role }: Route): string {
  if (needs === 'token' || needs === 'nobody') return '–';
  if (role === null) return 'any';
  return ROLES.findLast((one: Role) => roleMay(one, needs, role)) ?? '–';
}
