import { setTimeout as pause } from 'node:timers/promises';
import { startService, withFolder } from './process.ts';
import { ms, percentile, report, type Figure } from './report.ts';
import { startTarget } from './target.ts';

const DELAYS_MS = [0, 10, 100, 1000];
const MONITORS_EACH = 20;
const LOAD_CONNECTIONS = 4;
/** The first rounds, which run all at once in processes that have just started, are not measured. */
const SETTLE_MS = 35_000;
const SECONDS = 95;

/**
 * Reported response time of targets with a known response time, while four clients query lists from the API as fast as
 * they can. Each monitor is read once per interval; a loopback connection takes less than a millisecond, which counts
 * as error.
 */
export async function run(): Promise<void> {
  await withFolder(async (folder) => {
    const target = await startTarget();
    const service = await startService(folder);
    const delays = new Map<number, number>();
    for (const delay of DELAYS_MS) {
      for (let count = 0; count < MONITORS_EACH; count++) {
        const url = `http://127.0.0.1:${target.port}/after/${delay}`;
        const { id } = await service.create('/api/v1/monitors', { url, check_interval: 0.5 });
        delays.set(id, delay);
      }
    }
    await pause(SETTLE_MS);
    const settledAt = Date.now();
    const load = { isOn: true, asked: 0 };
    const clients = Array.from({ length: LOAD_CONNECTIONS }, async () => {
      while (load.isOn) {
        await (await service.get('/api/v1/monitors?per_page=20')).arrayBuffer();
        load.asked++;
      }
    });
    const errors = new Map<number, Map<string, number>>(
      DELAYS_MS.map((delay) => [delay, new Map()]),
    );
    const endsAt = Date.now() + SECONDS * 1000;
    while (Date.now() < endsAt) {
      for (const [id, delay] of delays) {
        const monitor = (await (await service.get(`/api/v1/monitors/${id}`)).json()) as {
          response_times: { region: string; response_time: number; checked_at: string }[];
        };
        for (const one of monitor.response_times) {
          if (Date.parse(one.checked_at) < settledAt) continue;
          const key = `${id} ${one.region} ${one.checked_at}`;
          errors.get(delay)!.set(key, Math.abs(one.response_time - delay));
        }
      }
    }
    load.isOn = false;
    await Promise.all(clients);
    await service.stop();
    target.stop();
    const figures: Figure[] = DELAYS_MS.flatMap((delay) => {
      const values = [...errors.get(delay)!.values()];
      const name = `after ${delay} ms, error`;
      return [
        ms(`${name} median`, percentile(values, 0.5)),
        { name: '  of results', value: values.length },
        ms(`${name} p99`, percentile(values, 0.99), 5),
      ];
    });
    report('accuracy', [
      ...figures,
      { name: 'list requests meanwhile', value: load.asked / SECONDS, unit: '/s' },
    ]);
  });
}
