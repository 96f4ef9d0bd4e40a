import { isAtLeast, type Role } from '../identity/caller.ts';
import { clientOf } from '../identity/rate-limits.ts';
import { EVENT_NAMES, INCIDENT_STATES, MONITOR_CHANGES, type EventName } from '../live/events.ts';
import type { LiveFeed } from '../live/feed.ts';
import type { Database } from '../store/database/contract.ts';
import { findWatchable } from '../store/resources/live-facts.ts';
import { invalidField, Problem, RateLimited } from './common/errors.ts';
import { EventStream } from './common/event-stream.ts';
import { readQuery } from './common/input.ts';
import type { AnyCollection } from './common/collection.ts';
import { noun, type Call } from './common/operation.ts';
import { textOrNull, time } from './common/reference-schemas.ts';
import { MONITOR_STATUSES } from '../model/monitor.ts';
import { PING_KINDS } from '../model/heartbeat.ts';
import { z } from 'zod';
import { documentedAs } from '../lib/schemas.ts';

/** Maximum number of monitors whose results a stream has. */
const MAX_MONITORS = 5;

const FORM = `must be ids of monitors, separated by commas, at most ${MAX_MONITORS}`;

const eventsQuery = z.object({
  monitor: z
    .string({ error: FORM })
    .regex(new RegExp(String.raw`^ *[1-9]\d{0,14}( *, *[1-9]\d{0,14}){0,${MAX_MONITORS - 1}} *$`), {
      error: FORM,
    })
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .optional()
    .meta({
      ...documentedAs({ type: 'string', pattern: String.raw`^[1-9]\d*(,[1-9]\d*){0,4}$` }),
      description: `Ids of at most ${MAX_MONITORS} monitors, separated by commas: the stream also has their results (\`result\`) and pings (\`ping\`).`,
    }),
  last_event_id: z.string({ error: 'must be the id of an event' }).optional().meta({
    description:
      'Id of the last event that the client got, for clients that can not send the header `Last-Event-ID`, which comes first.',
  }),
});

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

/** Settings that are no collection, and who may read them: others learn nothing of their changes. */
const OTHER_SETTINGS = {
  subscribers: 'editor',
  announcements: 'viewer',
  members: 'viewer',
  team: 'viewer',
  corrections: 'viewer',
  'configuration-sets': 'viewer',
} as const;

/** Least role that reads each list of settings. */
type Readers = Readonly<Record<string, Role>>;

function createEvents(
  { database, live }: { database: Database; live: LiveFeed },
  readers: Readers,
) {
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
            name === 'settings' &&
            !isAtLeast(caller.role, readers[(data as { what: string }).what] ?? 'viewer'),
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

/** Data of each event, by its name. @param settings names of lists. */
const dataOf = (settings: readonly string[]) =>
  ({
    hello: z.object({
      time: time.meta({ description: 'Time of the server.' }),
      resumed: z.boolean().meta({
        description:
          'True when the events that the client missed follow; else what it knows is old.',
      }),
    }),
    reset: z.object({}),
    alive: z.object({}),
    status: z.object({
      monitor_id: z.int(),
      status: z.enum(MONITOR_STATUSES),
      is_paused: z.boolean(),
      in_maintenance: z.boolean(),
      since: time
        .nullable()
        .meta({ description: 'Since when it has its status; null before the first result.' }),
      cause: textOrNull.meta({
        description: 'Cause of the worst open incident; null without one.',
      }),
    }),
    incident: z.object({ id: z.int(), monitor_id: z.int(), state: z.enum(INCIDENT_STATES) }),
    monitor: z.object({ id: z.int(), change: z.enum(MONITOR_CHANGES) }),
    settings: z.object({
      what: z.enum(settings).meta({ description: 'List that changed: read it again.' }),
    }),
    result: z.object({
      monitor_id: z.int(),
      started_at: time.meta({ description: 'Start of the round of checks.' }),
      kind: z.enum(['voted', 'stale', 'manual']),
      verdict: z.enum(['up', 'regional', 'down', 'unknown']),
      regions: z.array(
        z.object({
          region: z.string(),
          vote: z.enum(['up', 'down', 'unknown']),
          checked_at: time,
          response_time: z.number().nullable().meta({ description: 'Milliseconds.' }),
          status_code: z.int().nullable(),
          failure_code: textOrNull,
        }),
      ),
    }),
    ping: z.object({
      monitor_id: z.int(),
      number: z.int(),
      received_at: time,
      kind: z.enum(PING_KINDS),
      exit_code: z.int().nullable(),
      duration_ms: z.int().nullable(),
    }),
  }) satisfies Record<EventName, z.ZodType>;

/** When each event is sent. */
const MEANING: Record<EventName, string> = {
  hello: 'The first event of each stream.',
  reset:
    'What the client missed is not known any more, or too much: it reads everything again that it shows.',
  status:
    "A monitor's status, pause or maintenance changed; its settings did, or its maintenance began or ended. The state is the one when the event is sent.",
  incident: 'An incident changed: read it again.',
  monitor: "A monitor's settings changed: read it again.",
  settings: 'A list of other settings changed.',
  result: 'A round of a monitor in `monitor` was stored.',
  ping: 'A push monitor in `monitor` received a ping.',
  alive:
    'Every 15 seconds: the connection is open. A client that gets nothing for 40 seconds connects again.',
};

const nameOf = (event: EventName) => `${event[0]!.toUpperCase()}${event.slice(1)}Event`;

const EXAMPLE = `retry: 2000

event: hello
data: {"time":"2030-01-01T00:00:00.000Z","resumed":false}
id: js8bzs00;41

event: status
data: {"monitor_id":1,"status":"offline","is_paused":false,"in_maintenance":false,"since":"2030-01-01T00:00:00.000Z","cause":"The connection was refused"}
id: js8bzs9q;42

event: alive
data: {}
id: js8bzt3k;42

`;

/** @param collections whose changes are events. */
export function eventStream(collections: readonly AnyCollection[]) {
  const readers: Readers = {
    ...Object.fromEntries(
      collections.map(({ declared: { path, role } }) => [path.slice(1), role ?? 'viewer']),
    ),
    ...OTHER_SETTINGS,
  };
  const data = dataOf(Object.keys(readers));
  const schemas = EVENT_NAMES.map((event) =>
    z
      .object({ event: z.literal(event), id: z.string(), data: data[event] })
      .meta({ id: nameOf(event), description: MEANING[event] }),
  ) as unknown as [z.ZodObject, z.ZodObject, ...z.ZodObject[]];
  const create = (deps: Parameters<typeof createEvents>[0]) => createEvents(deps, readers);
  return {
    ...noun('Overview', create, {
      streamEvents: {
        at: 'GET /events',
        summary: 'Stream events',
        description: `Server-sent events of the team, as they happen, until the client leaves: each has the fields \`event\`, \`data\` (JSON) and \`id\`. They say what changed; details are read by the other operations. With the header \`Last-Event-ID\`, which browsers send by themselves, a client gets what it missed within the last 50 minutes, and nothing twice. The event \`alive\` every 15 seconds keeps the connection open. The stream ends when its token, session or membership does, when the role changes, and when Tocsin stops. At most 20 streams of a person are open at once (429). Results and pings are sent of at most ${MAX_MONITORS} monitors that \`monitor\` names. See docs/live-events.md.`,
        query: eventsQuery,
        events: { schema: z.union(schemas), example: EXAMPLE },
        refusals: ['busy'],
      },
    }),
    data,
  };
}
