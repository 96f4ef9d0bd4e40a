import { noun } from '../common/operation.ts';
import { createEventsService } from './service.ts';
import { z } from 'zod';
import {
  EVENT_NAMES,
  INCIDENT_STATES,
  MONITOR_CHANGES,
  SETTINGS,
  type EventName,
} from '../../live/events.ts';
import { PING_KINDS } from '../../model/heartbeat.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { eventsQuery, MAX_MONITORS } from './input.ts';

/** Data of each event, by its name. */
const DATA = {
  hello: z.object({
    time: time.meta({ description: 'Time of the server.' }),
    resumed: z.boolean().meta({
      description: 'True when the events that the client missed follow; else what it knows is old.',
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
    cause: textOrNull.meta({ description: 'Cause of the worst open incident; null without one.' }),
  }),
  incident: z.object({ id: z.int(), monitor_id: z.int(), state: z.enum(INCIDENT_STATES) }),
  monitor: z.object({ id: z.int(), change: z.enum(MONITOR_CHANGES) }),
  settings: z.object({
    what: z.enum(SETTINGS).meta({ description: 'List that changed: read it again.' }),
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
} satisfies Record<EventName, z.ZodType>;

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

const eventStream = EVENT_NAMES.map((event) =>
  z
    .object({ event: z.literal(event), id: z.string(), data: DATA[event] })
    .meta({ id: nameOf(event), description: MEANING[event] }),
) as unknown as [z.ZodObject, z.ZodObject, ...z.ZodObject[]];

/** Schemas of the data of events, for tests. */
export const EVENT_DATA: Record<EventName, z.ZodType> = DATA;

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

export const events = noun('Overview', createEventsService, {
  streamEvents: {
    at: 'GET /events',
    summary: 'Stream events',
    description: `Server-sent events of the team, as they happen, until the client leaves: each has the fields \`event\`, \`data\` (JSON) and \`id\`. They say what changed; details are read by the other operations. With the header \`Last-Event-ID\`, which browsers send by themselves, a client gets what it missed within the last 50 minutes, and nothing twice. The event \`alive\` every 15 seconds keeps the connection open. The stream ends when its token, session or membership does, when the role changes, and when Tocsin stops. At most 20 streams of a person are open at once (429). Results and pings are sent of at most ${MAX_MONITORS} monitors that \`monitor\` names. See docs/live-events.md.`,
    query: eventsQuery,
    events: { schema: z.union(eventStream), example: EXAMPLE },
    refusals: ['busy'],
  },
});
