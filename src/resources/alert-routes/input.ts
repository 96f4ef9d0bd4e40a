import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import type { EscalationStep } from '../../alerting/policy/index.ts';
import { severitiesInput } from '../channels/channel-input.ts';
import { nameText, text, wholeNumber } from '../../lib/schemas.ts';

/** So many ids or tags one route may name of a kind. */
const MOST_NAMED = 500;
const MOST_STEPS = 10;
/** A day, in minutes. */
const DAY = 1_440;

/** What a route is, as people see it: ids and texts, all of them there. */
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

export const ROUTE_DEFAULTS: Omit<RouteSettings, 'name'> = {
  monitors: [],
  groups: [],
  tags: [],
  severities: [...SEVERITIES],
  channels: [],
  users: [],
  reminder_minutes: null,
  escalation: [],
  sort_order: 0,
};

function ids(what: string) {
  const list = `must be a list of at most ${MOST_NAMED} ids of ${what} of your team, each at most once`;
  return listOf(z.int({ error: `must be the id of one of the ${what} of your team` }).min(1), list);
}

function listOf<Item extends z.ZodType>(item: Item, error: string) {
  return z
    .array(item, { error })
    .max(MOST_NAMED, { error })
    .refine((list) => new Set(list).size === list.length, { error })
    .meta({ override: { uniqueItems: true } });
}

const STEPS = `must be a list of at most ${MOST_STEPS} steps, each with after_minutes, channels and users`;

function escalationInput() {
  const step = z
    .object(
      {
        after_minutes: wholeNumber(1, DAY, 'a whole number of minutes').meta({
          description: 'Since the first people were told.',
        }),
        channels: ids('alert channels').nullish(),
        users: ids('members').nullish(),
      },
      { error: 'must be a step with after_minutes, channels and users' },
    )
    .transform(({ after_minutes, channels, users }): EscalationStep => ({
      after_minutes,
      channels: channels ?? [],
      users: users ?? [],
    }));
  return z
    .array(step, { error: STEPS })
    .max(MOST_STEPS, { error: STEPS })
    .superRefine((steps, context) => {
      for (const [index, { after_minutes: after }] of steps.entries()) {
        if (index === 0 || after > steps[index - 1]!.after_minutes) continue;
        const message = 'must be more than that of the step before';
        context.addIssue({ code: 'custom', path: [index, 'after_minutes'], message });
      }
    })
    .meta({ description: 'Who is told next, for as long as nobody acknowledges.' });
}

/** What people send for a route; to change one, every field may be left out. */
export const alertRouteInput = z.object({
  name: nameText(100),
  monitors: ids('monitors')
    .nullish()
    .meta({
      description: 'Ids. Without monitors, groups and tags it is for all that the team has.',
      override: { uniqueItems: true },
    }),
  groups: ids('groups')
    .nullish()
    .meta({
      description: 'Ids; the monitors of their subgroups are meant, too.',
      override: { uniqueItems: true },
    }),
  tags: listOf(text(50), `must be a list of at most ${MOST_NAMED} tags, each at most once`)
    .nullish()
    .meta({
      description: 'Monitors that have one of them, by its exact text.',
      override: { uniqueItems: true },
    }),
  severities: severitiesInput().nullish().meta({ description: 'All of them, if left out.' }),
  channels: ids('alert channels')
    .nullish()
    .meta({
      description: 'Ids of channels of the team that are told.',
      override: { uniqueItems: true },
    }),
  users: ids('members')
    .nullish()
    .meta({
      description: 'Ids of people, who are told by their own channels.',
      override: { uniqueItems: true },
    }),
  reminder_minutes: wholeNumber(1, DAY, 'a whole number of minutes').nullish().meta({
    description: 'Between reminders while nobody acknowledges; null for none.',
  }),
  escalation: escalationInput().nullish(),
  sort_order: wholeNumber(0, 2_147_483_647).nullish().meta({
    description: 'Of its place in lists, and of no other consequence; 0, if left out.',
  }),
});

/** As it is read: what is required is looked for afterwards, so that all errors are told at once. */
export const alertRouteChange = alertRouteInput.extend({
  name: alertRouteInput.shape.name.nullish(),
});

export type RouteInput = z.output<typeof alertRouteChange>;
