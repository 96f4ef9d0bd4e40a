import type { TestApi } from '../support/api.ts';
import { connectApplication } from '../support/applications.ts';
import type { Pool } from './pool.ts';

/** Connects another application of each owner, since no operation of the API connects one. */
export async function reviveApplications(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [person, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const id = await connectApplication(api.database, person, { now });
    pool.know('connected-applications', id, side);
  }
}
