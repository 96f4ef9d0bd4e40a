import { preloadMonitors } from './preload.ts';
import { familyUsage, startService, withFolder } from './process.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';

const RUNS = 5;

/** Cold start until /readyz, median of five runs, and the memory of all processes when idle for ten seconds. */
export async function run(): Promise<void> {
  const figures: Figure[] = [];
  for (const [monitors, seconds] of [
    [0, 2],
    [10_000, 5],
  ] as const) {
    const times: number[] = [];
    let memory = 0;
    for (let count = 0; count < RUNS; count++) {
      await withFolder(async (folder) => {
        // An hourly check of a port that refuses at once: the start is measured, not the checks.
        if (monitors > 0)
          await preloadMonitors(folder, monitors, 'http://127.0.0.1:9/', { interval: 60 });
        const service = await startService(folder);
        times.push(service.readyMs);
        if (monitors === 0 && count === RUNS - 1) {
          await new Promise((resolve) => setTimeout(resolve, 10_000));
          memory = (await familyUsage(service.pid)).memoryMiB;
        }
        await service.stop();
      });
    }
    const median = times.toSorted((a, b) => a - b)[RUNS >> 1]! / 1000;
    const name = `ready with ${monitors.toLocaleString('en')} monitors`;
    figures.push({
      name,
      value: median,
      unit: 's',
      target: `≤ ${seconds}`,
      reached: median <= seconds,
    });
    if (memory > 0) {
      figures.push({
        name: 'memory when idle',
        value: memory,
        unit: 'MiB',
        target: '≤ 220',
        reached: memory <= 220,
      });
    }
  }
  report('start', figures);
}
