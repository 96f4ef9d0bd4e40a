import { startService, withFolder } from './process.ts';
import { percentile, report } from './report.ts';
import { startTarget } from './target.ts';

const MONITORS = 50;
const INTERVAL_MS = 30_000;
const RECHECK_MS = 10_000;
/** A check of a local target and the gathering of rounds take milliseconds; two checks are allowed a second. */
const CHECKS_MS = 1_000;

/** From the moment a target breaks until its incident can be read, over fifty monitors on one target. */
export async function run(): Promise<void> {
  await withFolder(async (folder) => {
    const target = await startTarget();
    const service = await startService(folder, { RATE_LIMITS: 'off' });
    for (let count = 0; count < MONITORS; count++) {
      const created = await service.post('/api/v1/monitors', {
        url: `http://127.0.0.1:${target.port}/`,
        check_interval: 0.5,
      });
      if (created.status !== 201) throw new Error(await created.text());
    }
    await pause(INTERVAL_MS + 5_000);
    await target.setBroken(true);
    const brokeAt = Date.now();
    const foundAt = new Map<number, number>();
    while (foundAt.size < MONITORS && Date.now() - brokeAt < 120_000) {
      const answer = await service.get('/api/v1/incidents?status=open&per_page=100');
      const { data } = (await answer.json()) as {
        data: { monitor_id: number; started_at: string }[];
      };
      for (const incident of data) {
        if (!foundAt.has(incident.monitor_id))
          foundAt.set(incident.monitor_id, Date.now() - brokeAt);
      }
      await pause(50);
    }
    await service.stop();
    target.stop();
    const times = [...foundAt.values()];
    const bound = INTERVAL_MS + RECHECK_MS + CHECKS_MS;
    report('detect, interval 30 s', [
      {
        name: 'incidents',
        value: times.length,
        target: String(MONITORS),
        reached: times.length === MONITORS,
      },
      { name: 'median', value: percentile(times, 0.5) / 1000, unit: 's' },
      {
        name: 'slowest',
        value: Math.max(...times) / 1000,
        unit: 's',
        target: `≤ ${bound / 1000} (interval + 10 s + two checks)`,
        reached: Math.max(...times) <= bound,
      },
    ]);
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
