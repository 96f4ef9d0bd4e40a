import { z } from 'zod';
import type { EscalationStep } from '../../alerting/policy/index.ts';
import { json, plain } from '../../lib/columns.ts';
import { nameText, wholeNumber } from '../../lib/schemas.ts';
import { SEVERITIES } from '../../model/condition.ts';
import { severitiesInput } from '../channels/fields.ts';
import type { Fields } from '../common/fields.ts';
import { idList, tagNames } from '../common/lists.ts';

const MAX_STEPS = 10;
const DAY_MINUTES = 1_440;

/** Settings of an alert route. */
export interface RouteSettings {
  name: string;
  monitors: number[];
  groups: number[];
  tags: string[];
  severities: string[];
  channels: number[];
  users: number[];
  reminder_minutes: number | null;
  escalation: EscalationStep[];
  sort_order: number;
}

const IDS = { codec: json, output: z.array(z.int()), unset: [] };

/** All fields of an alert route. */
export const ROUTE_FIELDS: Fields<RouteSettings> = {
  name: {
    codec: plain,
    input: nameText(100),
    output: z.string(),
    required: 'give the route a name for lists',
    meaning: 'The name of the route in lists.',
  },
  monitors: {
    ...IDS,
    input: idList('monitors'),
    meaning:
      'Ids of monitors. A route without monitors, groups and tags applies to all monitors of the team.',
  },
  groups: {
    ...IDS,
    input: idList('groups'),
    meaning: 'Ids of groups; the monitors of their subgroups are included.',
  },
  tags: {
    codec: json,
    input: tagNames(),
    output: z.array(z.string()),
    unset: [],
    meaning: 'The monitors that have one of these tags, by its exact text.',
  },
  severities: {
    codec: json,
    input: severitiesInput(),
    output: z.array(z.enum(SEVERITIES)),
    unset: [...SEVERITIES],
    meaning: 'The severities that it applies to. All unless set.',
  },
  channels: {
    ...IDS,
    input: idList('alert channels'),
    meaning: 'Ids of channels of the team that are notified.',
  },
  users: {
    ...IDS,
    input: idList('members'),
    meaning: 'Ids of people, who are notified by their own channels.',
  },
  reminder_minutes: {
    codec: plain,
    input: minutes(),
    output: z.int(),
    meaning: 'Minutes between reminders while nobody acknowledges; null for none.',
  },
  escalation: {
    codec: json,
    input: escalation(),
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
    codec: plain,
    input: wholeNumber(0, 2_147_483_647),
    output: z.int(),
    unset: 0,
    meaning: 'Lists are sorted by it; it has no other effect.',
  },
};

function minutes() {
  return wholeNumber(1, DAY_MINUTES, 'a whole number of minutes');
}

function escalation() {
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
