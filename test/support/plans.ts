import { createPlans } from '../../src/identity/plans.ts';
import type { TestApi } from './api.ts';

/** The default includes everything; Free does not, and has room for three monitors. */
export const TEST_PLANS = createPlans(
  JSON.stringify({
    default: 'Full',
    plans: {
      Full: {},
      Free: {
        monitor_types: ['http', 'ping', 'heartbeat'],
        check_types: ['ssl', 'dns'],
        min_check_interval: 5,
        max_monitors: 3,
        check_url: false,
      },
      'By hand': { api_access: false },
    },
  }),
);

/** Changes the plan of Alice's team, as an operator does; null for the default. */
export async function givePlan(
  { database, authenticator, alice: { teamId } }: TestApi,
  plan: string | null,
): Promise<void> {
  await database.transaction((tx) =>
    tx.updateTable('team').set({ plan }).where('id', '=', teamId).execute(),
  );
  authenticator.forget({ teamId });
}
