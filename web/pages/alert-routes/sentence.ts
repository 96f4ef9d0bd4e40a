import type { Named, TeamNames } from '../../app/names.ts';
import type { AlertRoute } from '../../client/types.gen.ts';
import { namesOf, scopeText } from '../../parts/scope.ts';
import { severityText } from '../../parts/severity-text.ts';
import { words } from '../../words/index.ts';

/** Who can be notified, by name. */
export interface Recipients {
  channels: Named[];
  users: Named[];
}

/** What a route is about: "Critical incidents of group Data". */
export function aboutText(route: AlertRoute, names: TeamNames): string {
  const { alertRoutes } = words;
  if (route.scope === 'nothing') return alertRoutes.matchesNothing;
  const { severities } = route;
  const list = severityText(severities);
  const start = list.slice(0, 1).toUpperCase() + list.slice(1);
  return alertRoutes.what(
    severities.length === 3 ? alertRoutes.every : start,
    scopeText(route, names),
  );
}

/** Whom a route notifies, one text for each step. */
export function stepsText(route: AlertRoute, { channels, users }: Recipients): string[] {
  const { alertRoutes } = words;
  const who = (step: Pick<AlertRoute, 'channels' | 'users'>) =>
    [...namesOf(step.channels, channels), ...namesOf(step.users, users)].join(', ');
  const first = who(route);
  return [
    ...(first === '' ? [] : [alertRoutes.tell(first)]),
    ...route.escalation.map((step) => alertRoutes.thenTell(who(step), step.after_minutes)),
    ...(route.reminder_minutes === null ? [] : [alertRoutes.remind(route.reminder_minutes)]),
  ];
}
