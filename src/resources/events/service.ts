import { isAtLeast, type Caller } from '../../identity/caller.ts';
import { clientOf } from '../../identity/rate-limits.ts';
import type { SettingsName } from '../../live/events.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { Database } from '../../store/database/contract.ts';
import { findWatchable } from '../../store/resources/live-facts.ts';
import { invalidField, Problem, RateLimited } from '../common/errors.ts';
import { EventStream } from '../common/event-stream.ts';
import { readQuery } from '../common/input.ts';
import { eventsQuery, MAX_MONITORS } from './input.ts';
import type { Call } from '../common/operation.ts';

/** Maximum number of open streams per person, while there are many places. */
export const MAX_PERSON_STREAMS = 20;
/** Maximum number of open streams per process: each takes a connection and a timer. */
export const MAX_STREAMS = 2_000;
/**
 * Whose streams are counted together: how many they may have at most, and for how many free places each may have one. The
 * fewer are left, the fewer each may have, so that neither many accounts nor many teams of one client take the last places.
 * Clients behind one proxy that TRUST_PROXY does not name are one address, which therefore may have the most.
 */
const SHARES = [
  { of: 'person', max: MAX_PERSON_STREAMS, placesPerStream: 50 },
  { of: 'team', max: 400, placesPerStream: 5 },
  { of: 'address', max: 1_000, placesPerStream: 2 },
] as const;
const WHOSE = { person: 'You have', team: 'Your team has', address: 'Your address has' };

type Holders = Record<(typeof SHARES)[number]['of'], string>;

/** Seconds after which somebody with too many streams may try again. */
const RETRY_SECONDS = 10;

/** Lists of settings that only admins may read: others learn nothing of their changes. */
const FOR_ADMINS: ReadonlySet<SettingsName> = new Set(['alert-channels', 'alert-routes']);
/** The same for editors. */
const FOR_EDITORS: ReadonlySet<SettingsName> = new Set(['subscribers']);

export function createEventsService(deps: { database: Database; live: LiveFeed }) {
  const { database, live } = deps;
  const openBy = new Map<string, number>();
  let open = 0;

  function change(keys: readonly string[], by: 1 | -1): void {
    open += by;
    for (const key of keys) {
      const count = (openBy.get(key) ?? 0) + by;
      if (count === 0) openBy.delete(key);
      else openBy.set(key, count);
    }
  }

  /** Takes a place for a stream. @returns gives it back, once. */
  function takePlace(holders: Holders): () => void {
    if (open >= MAX_STREAMS) {
      throw new Problem(
        'busy',
        `This server has ${MAX_STREAMS} open event streams, which is its limit: try again later.`,
      );
    }
    const keyOf = (of: keyof Holders) => `${of} ${holders[of]}`;
    for (const { of, max, placesPerStream } of SHARES) {
      const count = openBy.get(keyOf(of)) ?? 0;
      const limit = Math.min(max, Math.max(1, Math.floor((MAX_STREAMS - open) / placesPerStream)));
      if (count < limit) continue;
      const what = `${WHOSE[of]} ${count} open event streams, and the limit is ${limit} now`;
      throw new RateLimited(0, RETRY_SECONDS, what);
    }
    const keys = SHARES.map(({ of }) => keyOf(of));
    change(keys, 1);
    let isTaken = true;
    return () => {
      if (isTaken) change(keys, -1);
      isTaken = false;
    };
  }

  async function readMonitors(teamId: number, ids: readonly number[]) {
    if (ids.length === 0) return [];
    const found = await findWatchable(database.read, teamId, ids);
    const missing = ids.filter((id) => !found.some((monitor) => monitor.id === id));
    if (missing.length > 0)
      throw invalidField(
        'monitor',
        `must hold ids of monitors of your team; there is no ${missing.join(', ')}`,
      );
    return found;
  }

  return {
    /**
     * Opens a stream of the events of the caller's team.
     *
     * @param lastEventId header of a client that resumes; null without one.
     */
    async streamEvents({ caller, query, lastEventId, clientAddress }: Call) {
      const { monitor: ids = [], last_event_id: asked } = readQuery(eventsQuery, query);
      const monitors = await readMonitors(caller.team.id, ids.slice(0, MAX_MONITORS));
      const giveBack = takePlace({
        person: String(caller.person.id),
        team: String(caller.team.id),
        address: clientOf(clientAddress),
      });
      try {
        const stream = await live.open({
          teamId: caller.team.id,
          audience: caller.role,
          hides: ({ name, data }) =>
            name === 'settings' && hidesSettings(caller, (data as { what: SettingsName }).what),
          monitors,
          lastEventId: lastEventId ?? asked ?? null,
        });
        const close = () => {
          stream.close();
          giveBack();
        };
        const connect: EventStream['connect'] = (send) => {
          stream.connect(send);
          return { keepAlive: () => live.keepAlive(stream), close };
        };
        return new EventStream(connect, close);
      } catch (error) {
        giveBack();
        throw error;
      }
    },
  };
}

function hidesSettings({ role }: Caller, what: SettingsName): boolean {
  if (FOR_ADMINS.has(what)) return !isAtLeast(role, 'admin');
  return FOR_EDITORS.has(what) && !isAtLeast(role, 'editor');
}
