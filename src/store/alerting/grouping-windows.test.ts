import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { alertSteps } from './alert-steps.ts';
import { alertFacts } from './alert-facts.ts';

eachDatabase((_engine, open) => {
  test('a window is of one team and one channel, and the newest counts', async () => {
    const database = await open();
    const channel = 7;
    const begin = (teamId: number, severity: 'critical' | 'warning', now: number) =>
      database.transaction((tx) =>
        alertSteps(tx).openGroupingWindows(teamId, [{ destinationId: channel, severity }], now),
      );
    const windows = async (teamId: number, since: number) => [
      ...(await database.transaction((tx) => alertFacts(tx).groupingWindows(teamId, since))),
    ];
    // A person's own channel may be in two teams.
    await begin(1, 'critical', 1_000);
    expect(await windows(2, 0)).toEqual([]);
    await begin(2, 'warning', 2_000);
    expect(await windows(1, 0)).toEqual([[channel, { openedAt: 1_000, severity: 'critical' }]]);
    expect(await windows(2, 0)).toEqual([[channel, { openedAt: 2_000, severity: 'warning' }]]);
    await begin(1, 'warning', 40_000);
    expect(await windows(1, 0)).toEqual([[channel, { openedAt: 40_000, severity: 'warning' }]]);
    expect(await windows(1, 40_000)).toEqual([]);
  });
});
