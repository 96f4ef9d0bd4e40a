import { isAtLeast, type Caller } from '../../identity/caller.ts';
import type { SettingsName } from '../../live/events.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { Database } from '../../store/database/contract.ts';
import { findWatchable } from '../../store/resources/live-facts.ts';
import { authorize, invalidField, Problem, RateLimited } from '../common/errors.ts';
import { EventStream } from '../common/event-stream.ts';
import { readQuery } from '../common/input.ts';
import { eventsQuery, MAX_MONITORS } from './input.ts';

/** Maximum number of open streams per person, while there are many places. */
export const MAX_PERSON_STREAMS = 20;
/** Maximum number of open streams per process: each takes a connection and a timer. */
export const MAX_STREAMS = 2_000;
/**
 * Places that are free for each further stream of a person: the fewer are left, the fewer each person may have. So a hundred
 * accounts take no place that somebody without a stream needs.
 */
const PLACES_PER_STREAM = 50;
/** Seconds after which a person with too many streams may try again. */
const RETRY_SECONDS = 10;

/** Lists of settings that only admins may read: others learn nothing of their changes. */
const FOR_ADMINS: ReadonlySet<SettingsName> = new Set(['alert-channels', 'alert-routes']);
/** The same for editors. */
const FOR_EDITORS: ReadonlySet<SettingsName> = new Set(['subscribers']);

interface EventsService {
  /**
   * Opens a stream of the events of the caller's team.
   *
   * @param lastEventId header of a client that resumes; null without one.
   */
  stream(caller: Caller, query: object, lastEventId: string | null): Promise<EventStream>;
}

export function createEventsService(deps: { database: Database; live: LiveFeed }): EventsService {
  const { database, live } = deps;
  const openByPerson = new Map<number, number>();
  let open = 0;

  /** Takes a place for a stream. @returns gives it back, once. */
  function takePlace(personId: number): () => void {
    const ofPerson = openByPerson.get(personId) ?? 0;
    if (open >= MAX_STREAMS) {
      throw new Problem(
        'busy',
        `This server has ${MAX_STREAMS} open event streams, which is its limit: try again later.`,
      );
    }
    const limit = personLimit(MAX_STREAMS - open);
    if (ofPerson >= limit) {
      const what = `You have ${ofPerson} open event streams, and the limit is ${limit} now`;
      throw new RateLimited(0, RETRY_SECONDS, what);
    }
    openByPerson.set(personId, ofPerson + 1);
    open += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      open -= 1;
      const left = openByPerson.get(personId)! - 1;
      if (left === 0) openByPerson.delete(personId);
      else openByPerson.set(personId, left);
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
    async stream(caller, query, lastEventId) {
      authorize(caller, 'read');
      const { monitor: ids = [], last_event_id: asked } = readQuery(eventsQuery, query);
      const monitors = await readMonitors(caller.team.id, ids.slice(0, MAX_MONITORS));
      const giveBack = takePlace(caller.person.id);
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

/** Streams that a person may have. @param free places that are left. */
function personLimit(free: number): number {
  return Math.min(Math.max(Math.floor(free / PLACES_PER_STREAM), 1), MAX_PERSON_STREAMS);
}

function hidesSettings({ role }: Caller, what: SettingsName): boolean {
  if (FOR_ADMINS.has(what)) return !isAtLeast(role, 'admin');
  return FOR_EDITORS.has(what) && !isAtLeast(role, 'editor');
}
