import type { DocumentName } from '../../dashboard/manifest.ts';

/**
 * First parts of the paths that the dashboard has pages for, `''` for the start page. The routes in web/app/routes.tsx are
 * compared with this list by a test.
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

/**
 * Paths of the pages that visitors open: to sign in, and by links in mails and messages. They are compared with those in
 * web/app/entry-pages.ts by a test.
 */
export const ENTRY_PATHS: readonly string[] = [
  '/sign-in',
  '/setup',
  '/invitation',
  '/reset-password',
  '/verify-email',
  '/connect',
  '/alert',
];

const DASHBOARD = new Set(DASHBOARD_PATHS);
const ENTRY = new Set(ENTRY_PATHS);

/** The document of the page at a path; null where there is none. */
export function documentAt(path: string): DocumentName | null {
  if (ENTRY.has(path)) return 'entry';
  return DASHBOARD.has(path.split('/', 2)[1] ?? '') ? 'dashboard' : null;
}
