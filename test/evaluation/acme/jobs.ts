import type { Database } from '../../../src/store/database/contract.ts';
import { writeMark } from '../../../src/store/engine/process-marks.ts';
import { storePings, type TestPing } from '../../support/pings.ts';
import { updateRows } from '../../support/rows.ts';
import { INJECTION } from './monitors.ts';
import { NOW } from './incidents.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const at = (text: string) => Date.parse(`2030-01-${text}:00Z`);

/** Newest ping, the next expected one, and all pings, by monitor. */
const JOBS: Record<string, { pings: TestPing[]; expectedAt: number }> = {
  'Invoice sync': { pings: everyFiveMinutes(), expectedAt: NOW + 4 * MINUTE_MS },
  'Nightly backup': {
    pings: ['12', '13', '14'].map((day) => ({
      at: at(`${day}T03:18`),
      durationMs: 18 * MINUTE_MS,
      exitCode: 0,
      body: `backup of day ${day} done, 41 GB. ${INJECTION}`,
    })),
    expectedAt: at('15T03:00'),
  },
  'Log rotation': {
    pings: ['13', '14', '15'].map((day) => ({
      at: at(`${day}T04:00`),
      durationMs: 12_000,
      exitCode: 0,
    })),
    expectedAt: at('16T04:00'),
  },
};

/** Stores the pings of jobs. @param idOf id of the monitor of that name. */
export async function storeJobs(database: Database, idOf: (name: string) => number): Promise<void> {
  for (const [name, { pings, expectedAt }] of Object.entries(JOBS)) {
    const id = idOf(name);
    await storePings(database, id, pings);
    await updateRows(
      database,
      'monitor_state',
      {
        first_ping_at: pings[0]!.at,
        last_heartbeat_at: pings.at(-1)!.at,
        heartbeat_expected_at: expectedAt,
        is_missed: expectedAt < NOW - DAY_MS / 24 ? 1 : 0,
      },
      { monitor_id: id },
    );
  }
  // Pings could be received the whole time.
  await database.transaction((tx) => writeMark(tx, NOW));
}

function everyFiveMinutes(): TestPing[] {
  return Array.from({ length: 12 }, (_, index) => ({ at: NOW - (56 - index * 5) * MINUTE_MS }));
}
