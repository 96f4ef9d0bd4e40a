import { numberOption } from './engine.ts';
import { load } from './load.ts';
import { preloadHistory } from './preload-history.ts';
import { preloadMonitors } from './preload.ts';
import { ADMIN_TOKEN, startService, withFolder } from './process.ts';
import { report } from './report.ts';
import { startTarget } from './target.ts';

const DAY_MS = 86_400_000;
const P99_MS = 50;
const ASKED = 100;
const CONNECTIONS = 1;

/**
 * 1,000 monitors with a year of roll-ups, 100 of which are queried for the hourly chart of the last 24 hours and for
 * their daily uptime over 90 days; `--seconds=N` (10) each, one request after another.
 */
export async function run(options: string[]): Promise<void> {
  const seconds = numberOption(options, '--seconds', 10);
  await withFolder(async (folder) => {
    const target = await startTarget();
    await preloadMonitors(folder, 1_000, `http://127.0.0.1:${target.port}/`, { interval: 5 });
    await preloadHistory(folder, 1_000, { rawDays: 1, rollupDays: 365 });
    const service = await startService(folder);
    const now = Date.now();
    const ask = (days: number, interval: 'hour' | 'day') => {
      const from = new Date(now - days * DAY_MS).toISOString();
      const paths = Array.from(
        { length: ASKED },
        (_, n) => `/api/v1/monitors/${1 + n * 10}/uptime?from=${from}&interval=${interval}`,
      );
      const port = Number(new URL(service.url).port);
      return load({ port, paths, token: ADMIN_TOKEN, connections: CONNECTIONS, seconds });
    };
    try {
      const chart = await ask(1, 'hour');
      const uptime = await ask(90, 'day');
      const figure = (name: string, p99Ms: number) => ({
        name,
        value: p99Ms,
        unit: 'ms',
        target: `≤ ${P99_MS}`,
        reached: p99Ms <= P99_MS,
      });
      report('history, 1,000 monitors, a year', [
        { name: '24 hours by the hour, p50', value: chart.p50Ms, unit: 'ms' },
        figure('24 hours by the hour, p99', chart.p99Ms),
        { name: '90 days by the day, p50', value: uptime.p50Ms, unit: 'ms' },
        figure('90 days by the day, p99', uptime.p99Ms),
      ]);
    } finally {
      await service.stop();
      target.stop();
    }
  });
}
