import type {
  AnnouncementUpdate,
  IncidentActivity,
  IncidentDetail,
  IncidentRound,
} from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { displayStatusOfSeverity } from '../../lib/severity.ts';

/** Entry of the timeline of an incident. */
export type Moment = {
  key: string;
  /** ISO 8601. */
  at: string;
  /** Shape of the entry; null for a plain dot. */
  displayStatus: DisplayStatus | null;
} & (
  | { kind: IncidentActivity['type']; name: string | null; text: string }
  | { kind: 'update'; state: AnnouncementUpdate['state']; text: string | null }
  | { kind: 'bad'; down: number; voting: number }
  | { kind: 'good' }
);

/** Activities, updates of status pages, the last good round and the first bad one: newest first. */
export function momentsOf(
  { activities, severity }: Pick<IncidentDetail, 'activities' | 'severity'>,
  updates: readonly AnnouncementUpdate[],
  rounds: readonly IncidentRound[],
): Moment[] {
  const moments: Moment[] = [
    ...activities.map(({ id, type, description, user, created_at }) => ({
      key: `a${id}`,
      at: created_at,
      displayStatus: displayStatusOfActivity(type, severity),
      kind: type,
      name: user?.name ?? null,
      text: description,
    })),
    ...updates.map(({ id, state, text, created_at }) => ({
      key: `u${id}`,
      at: created_at,
      displayStatus: null,
      kind: 'update' as const,
      state,
      text,
    })),
    ...roundMoments(rounds),
  ];
  return moments.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function displayStatusOfActivity(
  type: IncidentActivity['type'],
  severity: IncidentDetail['severity'],
): DisplayStatus | null {
  if (type === 'opened' || type === 'reopened') return displayStatusOfSeverity(severity);
  return type === 'resolved' ? 'online' : null;
}

function roundMoments(rounds: readonly IncidentRound[]): Moment[] {
  const first = rounds.findIndex(({ bad_round }) => bad_round === 1);
  if (first === -1) return [];
  const bad = rounds[first]!;
  const good = rounds[first - 1];
  return [
    {
      key: 'bad',
      at: bad.at,
      displayStatus: null,
      kind: 'bad',
      down: bad.votes.down,
      voting: bad.votes.voting,
    },
    ...(good === undefined
      ? []
      : [{ key: 'good', at: good.at, displayStatus: 'online' as const, kind: 'good' as const }]),
  ];
}
