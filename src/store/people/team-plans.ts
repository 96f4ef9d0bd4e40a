import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Counts teams by subscription plan, without those that have the default plan. */
export function countTeamsByPlan(db: Kysely<Schema>): Promise<{ plan: string; teams: number }[]> {
  return db
    .selectFrom('team')
    .where('plan', 'is not', null)
    .where('deleted_at', 'is', null)
    .groupBy('plan')
    .orderBy('plan')
    .select((select) => [
      select.ref('plan').$notNull().as('plan'),
      select.fn.countAll<number>().as('teams'),
    ])
    .execute();
}
