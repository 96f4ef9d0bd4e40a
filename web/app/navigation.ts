import type { IconName } from '../parts/icon.tsx';
import { words } from '../words/index.ts';
import type { Session } from './session.ts';

export interface NavEntry {
  href: string;
  text: string;
  icon: IconName;
}

export interface NavSection {
  title: string | null;
  entries: NavEntry[];
}

const WITHOUT_TEAM = (): NavEntry[] => [
  { href: '/settings', text: words.nav.settings, icon: 'settings' },
];

/** Pages that the menu does not list, those that the person may use. */
export function furtherPages({ team, isAtLeast }: Session): NavEntry[] {
  const { nav } = words;
  return [
    { href: '/account', text: nav.account, icon: 'person' },
    ...(team === null ? [] : [{ href: '/plan', text: nav.plan, icon: 'plan' as const }]),
    ...(isAtLeast('owner')
      ? [{ href: '/installation', text: nav.installation, icon: 'server' as const }]
      : []),
  ];
}

/** Entries of the menu, those that the person may use. */
export function navSections({ team, isAtLeast }: Session): NavSection[] {
  const { nav } = words;
  if (team === null) return [{ title: null, entries: WITHOUT_TEAM() }];
  return [
    {
      title: null,
      entries: [
        { href: '/monitors', text: nav.monitors, icon: 'monitors' },
        { href: '/incidents', text: nav.incidents, icon: 'incidents' },
        { href: '/status-pages', text: nav.statusPages, icon: 'pages' },
        { href: '/reports', text: nav.reports, icon: 'reports' },
        { href: '/maintenance', text: nav.maintenance, icon: 'maintenance' },
        { href: '/groups', text: nav.groups, icon: 'groups' },
      ],
    },
    {
      title: nav.alerting,
      entries: [
        { href: '/channels', text: nav.channels, icon: 'channels' },
        ...(isAtLeast('admin')
          ? [{ href: '/alert-routes', text: nav.routes, icon: 'routes' as const }]
          : []),
        { href: '/webhooks', text: nav.webhooks, icon: 'webhooks' },
      ],
    },
    {
      title: nav.team,
      entries: [
        { href: '/members', text: nav.members, icon: 'members' },
        ...(isAtLeast('admin')
          ? [{ href: '/audit-log', text: nav.auditLog, icon: 'audit' as const }]
          : []),
        { href: '/settings', text: nav.settings, icon: 'settings' },
      ],
    },
  ];
}
