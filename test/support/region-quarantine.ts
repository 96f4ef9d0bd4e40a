import type { Database } from '../../src/store/database/contract.ts';
import { probeHealthChanges } from '../../src/store/engine/probe-health.ts';
import { REGIONS } from './rounds.ts';

/** Quarantines all regions, as stored by a process that suspects its own network. */
export function quarantineAllRegions(database: Database, now: number): Promise<void> {
  return database.transaction(async (tx) => {
    for (const region of REGIONS) {
      const reason = 'No target can be reached';
      await probeHealthChanges(tx).writeRegion({
        region,
        quarantinedAt: now,
        reason,
        changedAt: now,
      });
    }
  });
}
