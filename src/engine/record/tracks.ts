import { CONDITIONS, TRACK_NAMES } from '../../model/condition.ts';
import type {
  ClosedIncident,
  Condition,
  IncidentType,
  Track,
  Tracks,
} from '../../model/condition.ts';

/** A track with nothing counted and nothing confirmed. */
export const IDLE: Track = {
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
export function statusOf(tracks: Tracks): 'online' | 'degraded' | 'offline' {
  return statusOfConditions(TRACK_NAMES.flatMap((name) => tracks[name]?.open ?? []));
}

/** Same as `statusOf`, for a list of open conditions. */
export function statusOfConditions(open: readonly Condition[]): 'online' | 'degraded' | 'offline' {
  if (open.some((condition) => CONDITIONS[condition].severity === 'critical')) return 'offline';
  return open.length > 0 ? 'degraded' : 'online';
}

/** After an edit, a pause or a time we did not see, runs begin anew; what is confirmed stays confirmed. */
export function clearRun(track: Track): Track | undefined {
  return track.open === null ? undefined : { ...IDLE, ...conditionOf(track) };
}

/**
 * Somebody resolved or deleted the open incident of this type. Its condition, if there is one, stays, since the target
 * is as it was; bad rounds are counted from zero. A recovery that has begun goes on. Unchanged when there is none.
 */
export function closeIncident(
  tracks: Tracks,
  type: IncidentType,
  incident: ClosedIncident,
): Tracks {
  if (type === 'heartbeat' && tracks.heartbeat?.incidentReopened) {
    const { heartbeat: _reopened, ...others } = tracks;
    return others;
  }
  return changeOpen(tracks, type, (track) => ({
    ...(track.goodRun > 0 ? track : { ...IDLE, ...conditionOf(track) }),
    incidentClosed: true,
    closedByHand: [...(track.closedByHand ?? []), incident],
  }));
}

/**
 * Somebody opened that incident again: it is the condition's as before, if that still holds. If not, that of a job ends
 * with its next success (contract 21.35); others are left to whoever opened them.
 */
export function reopenIncident(tracks: Tracks, type: IncidentType, id: number): Tracks {
  if (type === 'heartbeat' && tracks.heartbeat === undefined) {
    return { ...tracks, heartbeat: { ...IDLE, incidentReopened: true } };
  }
  return changeOpen(tracks, type, ({ incidentClosed: _closed, closedByHand = [], ...track }) => ({
    ...track,
    ...closings(closedByHand.filter((closed) => closed.id !== id)),
  }));
}

/** The incidents closed by hand as a field of a track or a change, absent if there are none. */
export function closings(closedByHand: ClosedIncident[] | undefined): {
  closedByHand?: ClosedIncident[];
} {
  return closedByHand === undefined || closedByHand.length === 0 ? {} : { closedByHand };
}

function changeOpen(tracks: Tracks, type: IncidentType, change: (track: Track) => Track): Tracks {
  const name = TRACK_NAMES.find((one) => {
    const open = tracks[one]?.open ?? null;
    return open !== null && CONDITIONS[open].type === type;
  });
  return name === undefined ? tracks : { ...tracks, [name]: change(tracks[name]!) };
}

/**
 * The part of a track that is kept while its runs start again: the condition, its target, and its incidents closed by
 * hand.
 */
export function conditionOf({
  open,
  incidentClosed,
  closedByHand,
  revision,
  target,
}: Track): Partial<Track> {
  return {
    open,
    ...(incidentClosed && { incidentClosed }),
    ...closings(closedByHand),
    ...(revision !== undefined && { revision }),
    ...(target !== undefined && { target }),
  };
}

export function isRunning(track: Track | undefined): boolean {
  return track !== undefined && (track.badRun > 0 || track.goodRun > 0);
}

export function isIdle(track: Track): boolean {
  return track.open === null && !isRunning(track);
}
