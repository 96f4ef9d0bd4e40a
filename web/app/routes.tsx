import { lazy, type ComponentType } from 'react';
import { whenReachable } from '../lib/when-reachable.ts';
import type { IconName } from '../parts/icon.tsx';
import type { Words } from '../words/index.ts';
import type { Role } from './session.ts';

type Nav = Words['nav'];
/** Words of the menu. */
export type NavName = { [Name in keyof Nav]: Nav[Name] extends string ? Name : never }[keyof Nav];

/** How the menu and the palette show a page. Its text is `words.nav.auditLog` for `/audit-log`, as is its icon by default. */
interface InMenu {
  /** Part of the menu; `further` pages are in the palette only. */
  in: 'main' | 'alerting' | 'team' | 'further';
  icon?: IconName;
  /** Least role that the page is of use to; by default any. */
  least?: Role;
  /** Whether it says and changes something without a team. */
  withoutTeam?: true;
}

/** Page of the dashboard, loaded when it is first opened. */
interface PageRoute {
  /** Pattern of wouter, below the path of BASE_URL. */
  path: string;
  page: ComponentType;
  load: () => Promise<unknown>;
  menu: InMenu | undefined;
}

type CamelCase<Path> = Path extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Path;

function route<Path extends string>(
  path: `/${Path}`,
  load: () => Promise<{ default: ComponentType }>,
  menu?: CamelCase<Path> extends NavName
    ? CamelCase<Path> extends IconName
      ? InMenu
      : InMenu & { icon: IconName }
    : never,
): PageRoute {
  return { path, page: lazy(whenReachable(load)), load, menu };
}

/**
 * Pages for people who are signed in, inside of the shell, in the order of the menu. The first match is shown. The server
 * learns of their paths by `npm run generate`.
 */
export const PAGES: readonly PageRoute[] = [
  route('/start', () => import('../pages/start/start.tsx')),
  route('/monitors', () => import('../pages/monitors/monitors.tsx'), { in: 'main' }),
  route('/monitors/new', () => import('../pages/monitor-form/new.tsx')),
  route('/monitors/:id/edit', () => import('../pages/monitor-form/edit.tsx')),
  route('/monitors/:id', () => import('../pages/monitor/monitor.tsx')),
  route('/incidents', () => import('../pages/incidents/incidents.tsx'), { in: 'main' }),
  route('/incidents/:id', () => import('../pages/incidents/incident.tsx')),
  route('/check', () => import('../pages/check/check.tsx')),
  route('/status-pages', () => import('../pages/status-pages/status-pages.tsx'), {
    in: 'main',
    icon: 'pages',
  }),
  route('/status-pages/new', () => import('../pages/status-pages/new.tsx')),
  route('/status-pages/:id', () => import('../pages/status-pages/editor.tsx')),
  route('/reports', () => import('../pages/reports/reports.tsx'), { in: 'main' }),
  route('/reports/new', () => import('../pages/reports/new.tsx')),
  route('/reports/:id', () => import('../pages/reports/report.tsx')),
  route('/maintenance', () => import('../pages/maintenance/maintenance.tsx'), { in: 'main' }),
  route('/maintenance/new', () => import('../pages/maintenance/new.tsx')),
  route('/maintenance/:id', () => import('../pages/maintenance/edit.tsx')),
  route('/groups', () => import('../pages/groups/groups.tsx'), { in: 'main' }),
  route('/channels', () => import('../pages/channels/channels.tsx'), { in: 'alerting' }),
  route('/channels/new', () => import('../pages/channels/new.tsx')),
  route('/channels/:id', () => import('../pages/channels/channel.tsx')),
  route('/alert-routes', () => import('../pages/alert-routes/alert-routes.tsx'), {
    in: 'alerting',
    icon: 'routes',
    least: 'admin',
  }),
  route('/webhooks', () => import('../pages/webhooks/webhooks.tsx'), { in: 'alerting' }),
  route('/webhooks/:id', () => import('../pages/webhooks/webhook.tsx')),
  route('/members', () => import('../pages/team/members.tsx'), { in: 'team' }),
  route('/audit-log', () => import('../pages/team/audit-log.tsx'), {
    in: 'team',
    icon: 'audit',
    least: 'admin',
  }),
  route('/configuration', () => import('../pages/configuration/sets.tsx'), { in: 'team' }),
  route('/import', () => import('../pages/configuration/import.tsx'), {
    in: 'further',
    icon: 'download',
    least: 'editor',
  }),
  route('/walls', () => import('../pages/walls/walls.tsx'), { in: 'further', icon: 'pages' }),
  route('/settings', () => import('../pages/team/settings.tsx'), { in: 'team', withoutTeam: true }),
  route('/account', () => import('../pages/account/account.tsx'), {
    in: 'further',
    icon: 'person',
    withoutTeam: true,
  }),
  route('/plan', () => import('../pages/team/plan.tsx'), { in: 'further' }),
  route('/installation', () => import('../pages/team/installation.tsx'), {
    in: 'further',
    icon: 'server',
    least: 'owner',
  }),
];
