import type { AlertRoute } from '../../app/api.gen.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { NO_SCOPE, isWholeTeam, scopeOf } from '../../parts/scope.ts';

/** Step of an escalation while it is edited. */
export interface StepDraft {
  /** Stays the same while steps come and go. */
  key: number;
  after_minutes: string;
  channels: number[];
  users: number[];
}

/** Route while it is edited. */
export type RouteDraft = ReturnType<typeof draftOf>;

export const NEW_ROUTE: RouteDraft = {
  name: '',
  scope: NO_SCOPE,
  severities: [...SEVERITIES],
  channels: [],
  users: [],
  reminder_minutes: '',
  escalation: [],
};

export function draftOf(route: AlertRoute) {
  const { name, monitors, groups, tags, severities, channels, users } = route;
  return {
    name,
    scope: { isAll: route.scope === 'everything' && isWholeTeam(route), monitors, groups, tags },
    severities: [...severities],
    channels,
    users,
    /** Empty for no reminders. */
    reminder_minutes: String(route.reminder_minutes ?? ''),
    escalation: route.escalation.map((step, key): StepDraft => ({
      ...step,
      key,
      after_minutes: String(step.after_minutes),
    })),
  };
}

/** Body for the API. A number that is none is sent as null, so that the API says what is wrong. */
export function bodyOf({ name, scope, reminder_minutes: reminder, ...draft }: RouteDraft) {
  return {
    ...draft,
    name: name.trim(),
    ...scopeOf(scope),
    reminder_minutes: reminder.trim() === '' ? null : Number(reminder),
    escalation: draft.escalation.map(({ after_minutes, channels, users }) => ({
      after_minutes: Number(after_minutes),
      channels,
      users,
    })),
  };
}

/** A further step: a quarter of an hour after the last one. */
export function withStep(steps: readonly StepDraft[]): StepDraft[] {
  const last = steps.at(-1);
  const after = (Number(last?.after_minutes) || 0) + 15;
  const key = Math.max(-1, ...steps.map((step) => step.key)) + 1;
  return [...steps, { key, after_minutes: String(after), channels: [], users: [] }];
}
