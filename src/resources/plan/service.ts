import type { Plans } from '../../identity/plans.ts';
import { CHECK_TYPES } from '../../model/monitor.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import type { Database } from '../../store/database/contract.ts';
import { countMonitors } from '../../store/resources/monitors.ts';
import { type Call, noun } from '../common/operation.ts';
import { z } from 'zod';

/** Features and limits of the caller's team, and its usage. */
function createPlanService({ database, plans }: { database: Database; plans: Plans }) {
  return {
    async getPlan({ caller }: Call) {
      const plan = plans.of(caller.team.plan);
      const monitors = await countMonitors(database.read, caller.team.id);
      return {
        name: plan.name,
        features: {
          api_access: plan.apiAccess,
          check_url: plan.checkUrl,
          monitor_types: plan.monitorTypes ?? MONITOR_TYPES,
          check_types: plan.checkTypes ?? CHECK_TYPES,
        },
        limits: {
          min_check_interval: plan.minCheckInterval,
          max_monitors: plan.maxMonitors,
          max_monitors_per_host: plan.maxMonitorsPerHost,
        },
        usage: { monitors },
      };
    },
  };
}

const planAnswer = z
  .object({
    name: z.string(),
    features: z.object({
      api_access: z.boolean().meta({
        description: 'True when API tokens may be used. The dashboard is always available.',
      }),
      check_url: z.boolean(),
      monitor_types: z.array(z.enum(MONITOR_TYPES)),
      check_types: z.array(z.enum(CHECK_TYPES)),
    }),
    limits: z.object({
      min_check_interval: z
        .number()
        .nullable()
        .meta({ description: 'Minutes; null for the general minimum of 0.5.' }),
      max_monitors: z.int().nullable().meta({ description: 'Null without a limit.' }),
      max_monitors_per_host: z.int().nullable().meta({
        description:
          'Monitors with the same host in their url, whatever their type and port; null without a limit.',
      }),
    }),
    usage: z.object({
      monitors: z.int().meta({ description: 'Number of monitors, paused ones included.' }),
    }),
  })
  .meta({ id: 'Plan', description: 'Features and limits of a team, and its usage.' });

export const plan = noun('Teams', createPlanService, {
  getPlan: {
    at: 'GET /plan',
    summary: 'Get the plan',
    description:
      'Features and limits of the team of the token, and its usage. Requests beyond them are refused with 403.',
    answer: planAnswer,
    example: {
      answer: {
        name: 'Self-hosted',
        features: {
          api_access: true,
          check_url: true,
          monitor_types: [...MONITOR_TYPES],
          check_types: [...CHECK_TYPES],
        },
        limits: { min_check_interval: null, max_monitors: null, max_monitors_per_host: null },
        usage: { monitors: 1 },
      },
    },
  },
});
