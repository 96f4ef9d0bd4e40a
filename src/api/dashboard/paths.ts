/**
 * First parts of the paths that the dashboard has pages for, `''` for the start page. The routes in web/app/routes.tsx are
 * compared with this list by a test. To move a page of `api/pages` to the dashboard, add it here and remove its route there.
 */
export const DASHBOARD_PATHS: readonly string[] = [
  '',
  'monitors',
  'incidents',
  'check',
  'groups',
  'maintenance',
  'status-pages',
  'reports',
  'channels',
  'alert-routes',
  'webhooks',
  'members',
  'audit-log',
  'plan',
  'settings',
  'installation',
  'account',
  'start',
];

const KNOWN = new Set(DASHBOARD_PATHS);

/** Whether the dashboard has pages at a path, or below it. */
export function isOfDashboard(path: string): boolean {
  return KNOWN.has(path.split('/', 2)[1] ?? '');
}
