import { lazy, type ComponentType } from 'react';
import { whenReachable } from '../lib/when-reachable.ts';

/** Page of the dashboard, loaded when it is first opened. */
export interface PageRoute {
  /** Pattern of wouter, below the path of BASE_URL. */
  path: string;
  page: ComponentType;
  load: () => Promise<unknown>;
}

function route(path: string, load: () => Promise<{ default: ComponentType }>): PageRoute {
  return { path, page: lazy(whenReachable(load)), load };
}

/** Pages for people who are signed in, inside of the shell. The first match is shown. */
export const PAGES: readonly PageRoute[] = [
  route('/start', () => import('../pages/start/start.tsx')),
  route('/monitors', () => import('../pages/monitors/monitors.tsx')),
  route('/monitors/new', () => import('../pages/monitor-form/new.tsx')),
  route('/monitors/:id/edit', () => import('../pages/monitor-form/edit.tsx')),
  route('/monitors/:id', () => import('../pages/monitor/monitor.tsx')),
  route('/incidents', () => import('../pages/incidents/incidents.tsx')),
  route('/incidents/:id', () => import('../pages/incidents/incident.tsx')),
  route('/check', () => import('../pages/check/check.tsx')),
  route('/groups', () => import('../pages/groups/groups.tsx')),
  route('/maintenance', () => import('../pages/maintenance/maintenance.tsx')),
  route('/maintenance/new', () => import('../pages/maintenance/new.tsx')),
  route('/maintenance/:id', () => import('../pages/maintenance/edit.tsx')),
  route('/status-pages', () => import('../pages/status-pages/status-pages.tsx')),
  route('/status-pages/new', () => import('../pages/status-pages/new.tsx')),
  route('/status-pages/:id', () => import('../pages/status-pages/editor.tsx')),
  route('/reports', () => import('../pages/reports/reports.tsx')),
  route('/reports/new', () => import('../pages/reports/new.tsx')),
  route('/reports/:id', () => import('../pages/reports/report.tsx')),
  route('/channels', () => import('../pages/channels/channels.tsx')),
  route('/channels/new', () => import('../pages/channels/new.tsx')),
  route('/channels/:id', () => import('../pages/channels/channel.tsx')),
  route('/alert-routes', () => import('../pages/alert-routes/alert-routes.tsx')),
  route('/webhooks', () => import('../pages/webhooks/webhooks.tsx')),
  route('/webhooks/:id', () => import('../pages/webhooks/webhook.tsx')),
  route('/members', () => import('../pages/team/members.tsx')),
  route('/audit-log', () => import('../pages/team/audit-log.tsx')),
  route('/plan', () => import('../pages/team/plan.tsx')),
  route('/settings', () => import('../pages/team/settings.tsx')),
  route('/installation', () => import('../pages/team/installation.tsx')),
  route('/account', () => import('../pages/account/account.tsx')),
];
