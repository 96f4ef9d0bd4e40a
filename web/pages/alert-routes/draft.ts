import type { AlertRoute } from '../../client/types.gen.ts';
import { isWholeTeam, scopeOf, type ScopeDraft } from '../../parts/scope.ts';
import { SEVERITIES, type Severity } from '../../lib/severity.ts';

/** Step of an escalation while it is edited. */
export interface StepDraft {
  /** Stays the same while steps come and go. */
  key: number;
  after_minutes: string;
  channels: number[];
  users: number[];
}

/** Route while it is edited. */
export interface RouteDraft {
  name: string;
  scope: ScopeDraft;
  severities: Severity[];
  channels: number[];
  users: number[];
  /** Empty for no reminders. */
  reminder_minutes: string;
  escalation: StepDraft[];
}

export const NEW_ROUTE: RouteDraft = {
  name: '',
  scope: { isAll: false, monitors: [], groups: [], tags: [] },
  severities: [...SEVERITIES],
  channels: [],
  users: [],
  reminder_minutes: '',
  escalation: [],
};

export function draftOf(route: AlertRoute): RouteDraft {
  const { name, monitors, groups, tags, severities, channels, users, escalation } = route;
  return {
    name,
    scope: { isAll: route.scope === 'everything' && isWholeTeam(route), monitors, groups, tags },
    severities: [...severities],
    channels,
    users,
    reminder_minutes: route.reminder_minutes === null ? '' : String(route.reminder_minutes),
    escalation: escalation.map((step, key) => ({
      ...step,
      key,
      after_minutes: String(step.after_minutes),
    })),
  };
}

/** Body for the API. A number that is none is sent as null, so that the API says what is wrong. */
export function bodyOf(draft: RouteDraft) {
  const {
    name,
    scope,
    severities,
    channels,
    users,
    reminder_minutes: reminder,
    escalation,
  } = draft;
  return {
    name: name.trim(),
    ...scopeOf(scope),
    severities,
    channels,
    users,
    reminder_minutes: reminder.trim() === '' ? null : Number(reminder),
    escalation: escalation.map((step) => ({
      after_minutes: Number(step.after_minutes),
      channels: step.channels,
      users: step.users,
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
