import { z } from 'zod';
import { CHECK_TYPES } from '../../model/monitor.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import type { Operation } from '../common/operation.ts';

const plan = z
  .object({
    name: z.string(),
    features: z.object({
      api_access: z
        .boolean()
        .meta({ description: 'Whether API tokens may be used; the dashboard always may.' }),
      check_url: z.boolean(),
      monitor_types: z.array(z.enum(MONITOR_TYPES)),
      check_types: z.array(z.enum(CHECK_TYPES)),
    }),
    limits: z.object({
      min_check_interval: z
        .number()
        .nullable()
        .meta({ description: 'Minutes; null for the least that there is, 0.5.' }),
      max_monitors: z.int().nullable().meta({ description: 'Null without limit.' }),
    }),
    usage: z.object({
      monitors: z.int().meta({ description: 'Paused ones count, deleted ones do not.' }),
    }),
  })
  .meta({ id: 'Plan', description: 'What the team may use, and how much of it is used.' });

export const PLAN_OPERATIONS = {
  getPlan: {
    tag: 'Teams',
    summary: 'See the plan',
    description:
      'What the team of the token may use, and how much of it is used. What goes beyond it is refused with 403.',
    answer: plan,
    example: {
      answer: {
        name: 'Self-hosted',
        features: {
          api_access: true,
          check_url: true,
          monitor_types: [...MONITOR_TYPES],
          check_types: [...CHECK_TYPES],
        },
        limits: { min_check_interval: null, max_monitors: null },
        usage: { monitors: 1 },
      },
    },
  },
} satisfies Record<string, Operation>;
