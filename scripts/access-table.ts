import { roleMay, ROLES, type Role } from '../src/identity/caller.ts';
import { ROUTES } from '../src/resources/nouns.ts';
import type { RouteFacts } from '../src/resources/common/operation.ts';

/** The head of the table in docs/access.md. */
export const ACCESS_HEAD = ['Route', 'Permission', 'Least role'];

/** The rows of the table in docs/access.md: the permission and role that each route requires. */
export function accessRows(): string[][] {
  return ROUTES.map((route) => [
    `\`${route.method} /api/v1${route.path}\``,
    `\`${route.needs}\``,
    leastRole(route),
  ]);
}

function leastRole({ needs, role }: Pick<RouteFacts, 'needs' | 'role'>): string {
  if (needs === 'token' || needs === 'nobody') return '–';
  if (role === null) return 'any';
  return ROLES.findLast((one: Role) => roleMay(one, needs, role)) ?? '–';
}
