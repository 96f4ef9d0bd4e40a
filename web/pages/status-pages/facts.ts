import type { Announcement, StatusPage } from '../../app/api.gen.ts';
import type { IconName } from '../../parts/icon.tsx';
import type { DisplayStatus } from '../../parts/status.tsx';

export type AnnouncementState = Announcement['state'];
export type Kind = Announcement['kind'];

/** States of announcements of a kind, the last one ends it. */
export const STATES: Record<Kind, readonly AnnouncementState[]> = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'in_progress', 'completed'],
};

/** State that the next update most likely has. */
export function nextState({
  kind,
  state,
}: Pick<Announcement, 'kind' | 'state'>): AnnouncementState {
  const states = STATES[kind];
  return states[Math.min(states.indexOf(state) + 1, states.length - 1)]!;
}

/** Kind of announcement that a state belongs to. */
export function kindOf(state: AnnouncementState): Kind {
  return STATES.incident.includes(state) ? 'incident' : 'maintenance';
}

/** Shape before an announcement. */
export function displayStatusOf({ kind, impact, ended_at, state }: Announcement): DisplayStatus {
  if (ended_at !== null) return 'online';
  if (kind === 'maintenance') return state === 'in_progress' ? 'maintenance' : 'pending';
  return impact === 'major' || impact === 'critical' ? 'offline' : 'degraded';
}

/** Address of a page in few characters: its path, or its domain where it has one of its own. */
export function shortAddress({ url }: Pick<StatusPage, 'url'>): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : pathname;
}

export function accessIcon(type: StatusPage['access']['type']): IconName {
  const icons = {
    public: 'globe',
    password: 'key',
    members: 'members',
    addresses: 'lock',
  } as const;
  return icons[type];
}
