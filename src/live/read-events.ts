import type { Database } from '../store/database/contract.ts';
import type { LiveChange } from '../store/resources/live-changes.ts';
import {
  readBegunOccurrences,
  readLiveMonitors,
  type BegunOccurrence,
} from '../store/resources/live-facts.ts';
import {
  monitorsOfTeam,
  scopedMonitors,
  type ScopedMonitor,
} from '../store/resources/scoped-monitors.ts';
import { eventsOf, maintainedBy, type ChangeEvent } from './events.ts';

/** Time after its end for which an occurrence counts as one that may just have ended. */
const ENDED_MS = 3_600_000;

/** Reads the current state of what changed, in a few statements for all teams, and makes the events of each team. */
export async function readEvents(
  { read }: Database,
  changes: readonly LiveChange[],
  now: number,
): Promise<Map<number, ChangeEvent[]>> {
  const byTeam = Map.groupBy(changes, ({ teamId }) => teamId);
  if (byTeam.size === 0) return new Map();
  const named = new Set(changes.flatMap(({ monitorId }) => monitorId ?? []));
  const isAboutStatus = changes.some(({ kind }) => kind !== 'settings' && kind !== 'incident');
  const occurrences = isAboutStatus
    ? await readBegunOccurrences(read, byTeam.keys(), { since: now - ENDED_MS, now })
    : [];
  const scoped = await readScoped(changes, named, occurrences);
  const byId = new Map(scoped.map((one) => [one.id, one]));
  for (const [teamId, ofTeam] of byTeam) {
    const windows = new Set(
      ofTeam.flatMap(({ kind, subjectId }) => (kind === 'maintenance' ? subjectId! : [])),
    );
    const own = new Map([...byId].filter(([, monitor]) => monitor.teamId === teamId));
    const covered = maintainedBy(windows, {
      scoped: own,
      occurrences: occurrences.filter((one) => one.teamId === teamId),
    });
    for (const id of covered) named.add(id);
  }
  const monitors = named.size === 0 ? new Map() : await readLiveMonitors(read, named);
  return new Map(
    [...byTeam].map(([teamId, ofTeam]) => {
      const facts = {
        monitors,
        scoped: new Map([...byId].filter(([, monitor]) => monitor.teamId === teamId)),
        occurrences: occurrences.filter((one) => one.teamId === teamId),
      };
      return [teamId, eventsOf(ofTeam, facts, now)];
    }),
  );

  /** The monitors that occurrences may cover: all of a team whose maintenance changed, else those that changed. */
  async function readScoped(
    all: readonly LiveChange[],
    ids: ReadonlySet<number>,
    begun: readonly BegunOccurrence[],
  ): Promise<ScopedMonitor[]> {
    const maintained = new Set(begun.map(({ teamId }) => teamId));
    if (maintained.size === 0) return [];
    const whole = new Set(
      all.flatMap(({ kind, teamId, subjectId }) =>
        kind === 'maintenance' && begun.some(({ windowId }) => windowId === subjectId)
          ? teamId
          : [],
      ),
    );
    const found = await Promise.all([...whole].map((teamId) => monitorsOfTeam(read, teamId)));
    return [...(await scopedMonitors(read, [...ids])), ...found.flat()];
  }
}
