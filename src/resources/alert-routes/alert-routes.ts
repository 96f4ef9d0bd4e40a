import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { EscalationStep } from '../../alerting/policy/index.ts';
import { json } from '../../lib/columns.ts';
import { nameText, wholeNumber } from '../../lib/schemas.ts';
import { SEVERITIES } from '../../model/condition.ts';
import { scheduleAlertsOfTeam } from '../../store/alerting/alerts.ts';
import type { Db } from '../../store/database/contract.ts';
import { existingReferences, type RouteReferences } from '../../store/resources/alert-routes.ts';
import { severitiesInput } from '../channels/fields.ts';
import { collection } from '../common/collection.ts';
import { fieldTable, settingsOf, type FieldInput, type SettingsOf } from '../common/fields.ts';
import type { Findings } from '../common/input.ts';
import { idList, tagNames } from '../common/lists.ts';

const MAX_STEPS = 10;
const DAY_MINUTES = 1_440;

const IDS = { codec: json, unset: [] } as const;

const fields = fieldTable({
  name: {
    input: nameText(100),
    required: 'give the route a name for lists',
    meaning: 'The name of the route in lists.',
  },
  monitors: {
    ...IDS,
    input: idList('monitors'),
    refers: 'monitors',
    meaning:
      'Ids of monitors. A route without monitors, groups and tags applies to all monitors of the team.',
  },
  groups: {
    ...IDS,
    input: idList('groups'),
    refers: 'groups',
    meaning: 'Ids of groups; the monitors of their subgroups are included.',
  },
  tags: {
    codec: json,
    input: tagNames(),
    unset: [],
    meaning: 'The monitors that have one of these tags, by its exact text.',
  },
  severities: {
    codec: json,
    input: severitiesInput(),
    unset: [...SEVERITIES],
    meaning: 'The severities that it applies to. All unless set.',
  },
  channels: {
    ...IDS,
    input: idList('alert channels'),
    refers: 'alert_channels',
    meaning: 'Ids of channels of the team that are notified.',
  },
  users: {
    ...IDS,
    input: idList('members'),
    refers: 'users',
    meaning: 'Ids of people, who are notified by their own channels.',
  },
  reminder_minutes: {
    input: minutes(),
    meaning: 'Minutes between reminders while nobody acknowledges; null for none.',
  },
  escalation: {
    codec: json,
    input: escalationSteps(),
    refers: { channels: 'alert_channels', users: 'users' },
    output: z.array(
      z.object({
        after_minutes: z.int(),
        channels: z.array(z.int()),
        users: z.array(z.int()),
      }),
    ),
    unset: [],
    meaning: 'Who is notified next, for as long as nobody acknowledges.',
  },
  sort_order: {
    input: wholeNumber(0, 2_147_483_647),
    unset: 0,
    meaning: 'Lists are sorted by it; it has no other effect.',
  },
});

type Settings = SettingsOf<typeof fields>;

const WHO =
  'A route without `monitors`, `groups` and `tags` matches everything. All routes that match apply; where none does, the default channels of the team and the own channels of its members are notified.';

/** Routes from monitors to the channels and people that are notified; only a team's admins see them. */
export const alertRoutes = collection({
  noun: 'alert route',
  tag: 'Alerts',
  path: '/alert-routes',
  table: 'alert_route',
  role: 'admin',
  meaning: 'Who is notified of which monitors.',
  fields,
  order: ['sort_order'],
  most: 100,
  says: {
    list: ['List routes', `All routes of the team, ordered by \`sort_order\`. ${WHO}`],
    create: [
      'Create a route',
      `At least one of \`channels\`, \`users\` and \`escalation\` names somebody. ${WHO}`,
    ],
    get: ['Get a route', 'What it named and was deleted since is left out.'],
    update: [
      'Change a route',
      'Only the keys that are present change; a list that is sent replaces the former one.',
    ],
    delete: ['Delete a route', 'Its channels stay.'],
  },
  example: {
    name: 'Shop',
    monitors: [1],
    tags: ['shop'],
    channels: [1],
    reminder_minutes: 30,
    escalation: [{ after_minutes: 15, channels: [], users: [1] }],
  },
  change: { reminder_minutes: 60 },
  more: {
    shape: {
      scope: z.enum(['everything', 'some', 'nothing']).meta({
        description:
          'What it matches: everything where it names no monitors, groups or tags; nothing where all that it named were deleted.',
      }),
    },
    example: { scope: 'some' },
    async view(rows, { db, teamId }) {
      const all = rows.map((row) => settingsOf<Settings>(fields, row));
      const there = await findNamed(db, teamId, all);
      return all.map((stored) => {
        const route = existing(stored, there);
        return { ...route, scope: scopeOf(stored, route) };
      });
    },
  },

  /** A list that is sent as it was shown changes nothing, though it lacks what was deleted. */
  async given({ tx, caller }, { stored, input }) {
    if (stored === null) return input;
    const before = existing(stored, await findNamed(tx, caller.team.id, [stored]));
    const isChange = ([name, value]: [string, unknown]) =>
      !isDeepStrictEqual(value, before[name as keyof Settings]);
    return Object.fromEntries(Object.entries(input).filter(isChange));
  },

  async check({ tx, caller }, { id, settings, input, findings }) {
    checkReferences(input, await findNamed(tx, caller.team.id, [settings]), findings);
    if (id === null || 'channels' in input || 'users' in input || 'escalation' in input)
      requireSomebody(settings, findings);
  },

  /** It applies to open alerts at once. */
  changed: ({ tx, caller, now }) => scheduleAlertsOfTeam(tx, caller.team.id, now),
});

/** The monitors, groups, channels and members that these routes name and that the team has. */
const findNamed = (db: Db, teamId: number, routes: readonly Settings[]) =>
  existingReferences(db, teamId, namedBy(routes));

function minutes() {
  return wholeNumber(1, DAY_MINUTES, 'a whole number of minutes');
}

function escalationSteps() {
  const error = `must be a list of at most ${MAX_STEPS} steps, each with after_minutes, channels and users`;
  const step = z
    .object(
      {
        after_minutes: minutes().meta({
          description: "Minutes after the alert's first notification.",
        }),
        channels: idList('alert channels').nullish(),
        users: idList('members').nullish(),
      },
      { error: 'must be a step with after_minutes, channels and users' },
    )
    .transform(({ after_minutes, channels, users }): EscalationStep => ({
      after_minutes,
      channels: channels ?? [],
      users: users ?? [],
    }));
  return z
    .array(step, { error })
    .max(MAX_STEPS, { error })
    .superRefine((steps, context) => {
      for (const [index, { after_minutes: after }] of steps.entries()) {
        if (index === 0 || after > steps[index - 1]!.after_minutes) continue;
        const message = 'must be more than that of the step before';
        context.addIssue({ code: 'custom', path: [index, 'after_minutes'], message });
      }
    });
}

type Existing = Awaited<ReturnType<typeof existingReferences>>;

const NOBODY =
  'must name at least one alert channel, unless users or escalation name somebody: the route notifies nobody';

function requireSomebody({ channels, users, escalation }: Settings, findings: Findings): void {
  const areSound = !['channels', 'users', 'escalation'].some((field) => findings.has(field));
  if (areSound && channels.length + users.length + escalation.length === 0)
    findings.add('channels', NOBODY);
  for (const [index, step] of escalation.entries()) {
    if (step.channels.length + step.users.length === 0)
      findings.add(
        `escalation.${index}.channels`,
        'must name at least one alert channel, unless users of the step names somebody',
      );
  }
}

const REFERENCES = {
  monitors: 'must be the id of a monitor of your team',
  groups: 'must be the id of a group of your team',
  channels: 'must be the id of an alert channel of your team',
  users: 'must be the id of a member of your team',
} as const;
const KINDS = Object.keys(REFERENCES) as (keyof RouteReferences)[];

/** A route or one of its escalation steps, which names only channels and users. */
type Place = { [Kind in keyof RouteReferences]?: number[] | null };

/** Reports ids in an input that the team has not; stored ones may be gone. */
function checkReferences(input: FieldInput<Settings>, there: Existing, findings: Findings): void {
  const check = (place: Place, path: string) => {
    for (const kind of KINDS)
      for (const [index, id] of (place[kind] ?? []).entries())
        if (!there[kind].has(id)) findings.add(`${path}${kind}.${index}`, REFERENCES[kind]);
  };
  check(input, '');
  for (const [index, step] of (input.escalation ?? []).entries())
    check(step, `escalation.${index}.`);
}

function namedBy(routes: readonly Settings[]): RouteReferences {
  const places: Place[] = routes.flatMap((route) => [route, ...route.escalation]);
  const all = (kind: keyof RouteReferences) => [
    ...new Set(places.flatMap((place) => place[kind] ?? [])),
  ];
  return {
    monitors: all('monitors'),
    groups: all('groups'),
    channels: all('channels'),
    users: all('users'),
  };
}

/** The route without ids that the team has not any more. */
function existing(route: Settings, there: Existing): Settings {
  const keep = <Kept extends Place>(place: Kept): Kept => {
    const kept = KINDS.filter((kind) => kind in place).map((kind) => [
      kind,
      place[kind]!.filter((id) => there[kind].has(id)),
    ]);
    return { ...place, ...Object.fromEntries(kept) };
  };
  return { ...keep(route), escalation: route.escalation.map(keep) };
}

/** A route whose monitors were all deleted is not one for everything, though its lists are as empty. */
function scopeOf(stored: Settings, alive: Settings): 'everything' | 'some' | 'nothing' {
  if (countNamed(stored) === 0) return 'everything';
  return countNamed(alive) === 0 ? 'nothing' : 'some';
}

function countNamed({ monitors, groups, tags }: Settings): number {
  return monitors.length + groups.length + tags.length;
}
