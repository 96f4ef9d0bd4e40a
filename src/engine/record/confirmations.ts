import {
  CONDITIONS,
  CONFIRMATION_NAMES,
  foundBy,
  type ClosedIncident,
  type Condition,
  type IncidentType,
  type Confirmation,
  type Confirmations,
} from '../../model/condition.ts';

/** A confirmation with nothing counted and nothing confirmed. */
export const IDLE: Confirmation = {
  open: null,
  badRun: 0,
  candidateRun: 0,
  candidate: null,
  firstFailedAt: null,
  candidateSince: null,
  goodRun: 0,
  firstGoodAt: null,
  rechecks: 0,
};

/** The worst open condition; offline for a critical one, degraded for a warning. */
export function statusOf(confirmations: Confirmations): 'online' | 'degraded' | 'offline' {
  return statusOfConditions(CONFIRMATION_NAMES.flatMap((name) => confirmations[name]?.open ?? []));
}

/** Same as `statusOf`, for a list of open conditions. */
export function statusOfConditions(open: readonly Condition[]): 'online' | 'degraded' | 'offline' {
  if (open.some((condition) => CONDITIONS[condition].severity === 'critical')) return 'offline';
  return open.length > 0 ? 'degraded' : 'online';
}

/** After an edit, a pause or a time we did not see, runs begin anew; what is confirmed stays confirmed. */
export function clearRun(confirmation: Confirmation): Confirmation | undefined {
  return confirmation.open === null ? undefined : { ...IDLE, ...conditionOf(confirmation) };
}

/**
 * Somebody resolved or deleted the open incident of this type. Its condition, if there is one, stays, since the target
 * is as it was; bad rounds are counted from zero. A recovery that has begun goes on. Unchanged when there is none.
 */
export function closeIncident(
  confirmations: Confirmations,
  type: IncidentType,
  incident: ClosedIncident,
): Confirmations {
  if (foundBy(type) === 'pings' && confirmations.heartbeat?.incidentReopened) {
    const { heartbeat: _reopened, ...others } = confirmations;
    return others;
  }
  return changeOpen(confirmations, type, (confirmation) => ({
    ...(confirmation.goodRun > 0 ? confirmation : { ...IDLE, ...conditionOf(confirmation) }),
    incidentClosed: true,
    closedByHand: [...(confirmation.closedByHand ?? []), incident],
  }));
}

/**
 * Somebody opened that incident again: it is the condition's as before, if that still holds. If not, that of a job ends
 * with its next success (contract 21.35); others are left to whoever opened them.
 */
export function reopenIncident(
  confirmations: Confirmations,
  type: IncidentType,
  id: number,
): Confirmations {
  if (foundBy(type) === 'pings' && confirmations.heartbeat === undefined) {
    return { ...confirmations, heartbeat: { ...IDLE, incidentReopened: true } };
  }
  return changeOpen(
    confirmations,
    type,
    ({ incidentClosed: _closed, closedByHand = [], ...confirmation }) => ({
      ...confirmation,
      ...closings(closedByHand.filter((closed) => closed.id !== id)),
    }),
  );
}

/** The incidents closed by hand as a field of a confirmation or a change, absent if there are none. */
export function closings(closedByHand: ClosedIncident[] | undefined): {
  closedByHand?: ClosedIncident[];
} {
  return closedByHand === undefined || closedByHand.length === 0 ? {} : { closedByHand };
}

function changeOpen(
  confirmations: Confirmations,
  type: IncidentType,
  change: (confirmation: Confirmation) => Confirmation,
): Confirmations {
  const name = CONFIRMATION_NAMES.find((one) => {
    const open = confirmations[one]?.open ?? null;
    return open !== null && CONDITIONS[open].type === type;
  });
  return name === undefined
    ? confirmations
    : { ...confirmations, [name]: change(confirmations[name]!) };
}

/** What is kept while runs start again: the condition, its target, and its incidents closed by hand. */
export function conditionOf({
  open,
  incidentClosed,
  closedByHand,
  revision,
  target,
}: Confirmation): Partial<Confirmation> {
  return {
    open,
    ...(incidentClosed && { incidentClosed }),
    ...closings(closedByHand),
    ...(revision !== undefined && { revision }),
    ...(target !== undefined && { target }),
  };
}

export function isRunning(confirmation: Confirmation | undefined): boolean {
  return confirmation !== undefined && (confirmation.badRun > 0 || confirmation.goodRun > 0);
}

export function isIdle(confirmation: Confirmation): boolean {
  return confirmation.open === null && !isRunning(confirmation);
}
