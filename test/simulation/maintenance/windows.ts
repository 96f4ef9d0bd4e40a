import type { Database } from '../../../src/store/database/contract.ts';
import { occurrenceChanges } from '../../../src/store/engine/maintenance.ts';
import { insertRow } from '../../../src/store/database/rows.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { TEAM } from '../operator.ts';
import type { Story } from '../story.ts';
import { MAINTAINED_TAG, PARENT_GROUP } from './scenario.ts';
import type { MaintenanceScenario, ScheduledWindow } from './scenario.ts';

const DAY = 24 * 3_600_000;

/** Creates the maintenance windows of a world before it begins. */
export async function createWindows(
  windows: MaintenanceScenario,
  { database, clock, story }: { database: Database; clock: FakeClock; story: Story },
): Promise<void> {
  const now = clock.now();
  for (const window of windows) {
    await createWindow(window, database, now);
    const { from, lengthMs, scope, goodRounds, isRecurring } = window;
    story.add(
      `maintenance of ${scope} is announced from ${from} ms on for ${lengthMs} ms` +
        (goodRounds === null ? '' : `, until ${goodRounds} good rounds`) +
        (isRecurring ? ', daily since yesterday' : ''),
    );
  }
}

/**
 * Creates a window as the service does. The first occurrence of a recurring window is over, and its next one not yet
 * written.
 */
async function createWindow(
  window: ScheduledWindow,
  database: Database,
  now: number,
): Promise<void> {
  const { from, lengthMs, scope, goodRounds, isRecurring } = window;
  const startsAt = now + from - (isRecurring ? DAY : 0);
  const time = { from: startsAt, to: startsAt + lengthMs };
  await database.transaction(async (tx) => {
    const id = await insertRow(tx, 'maintenance_window', {
      team_id: TEAM,
      name: 'Work',
      starts_at: time.from,
      ends_at: time.to,
      rrule: isRecurring ? 'FREQ=DAILY' : null,
      timezone: 'UTC',
      monitors: scope === 'monitor' ? '[1]' : '[]',
      groups: scope === 'group' ? JSON.stringify([PARENT_GROUP]) : '[]',
      tags: scope === 'tag' ? JSON.stringify([MAINTAINED_TAG]) : '[]',
      good_rounds: goodRounds,
      next_at: isRecurring ? now : time.from,
      created_at: now,
      updated_at: now,
    });
    await occurrenceChanges(tx).insert(id, [time]);
  });
}
