import { setTimeout as pause } from 'node:timers/promises';
import { numberOption } from './options.ts';
import { preloadMonitors } from './preload.ts';
import { familyUsage, withFolder, withService } from './process.ts';
import { atMost, report } from './report.ts';
import { median } from './statistics.ts';
import { startTarget } from './target.ts';

const STARTS = 5;
const IDLE_MS = 10_000;
/** An hourly check of a port that refuses at once: the start is measured, not the checks. */
const UNUSED = { url: 'http://127.0.0.1:9/', interval: 60 };
/** Every 5 minutes, as many monitors are: 1,333 checks a second of 100,000. */
const RUNNING_INTERVAL = 5;

/**
 * Cold start until /readyz, median of five starts; memory of all processes when idle for ten seconds, without monitors and
 * with `--monitors=N` (100,000) that are checked every 5 minutes from four regions, after `--seconds=N` (330), in which each
 * was checked.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 100_000);
  const seconds = numberOption(options, '--seconds', 330);
  const count = monitors.toLocaleString('en');
  report('start', [
    atMost('ready with 0 monitors', await medianStart(0), 2, 's'),
    atMost('ready with 10,000 monitors', await medianStart(10_000), 5, 's'),
    atMost('memory when idle, 0 monitors', await idleMemory(), 170, 'MiB'),
    atMost(`memory, ${count} running`, await runningMemory(monitors, seconds), 600, 'MiB'),
  ]);
}

/** Seconds. */
async function medianStart(monitors: number): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await withFolder(async (folder) => {
      if (monitors > 0) await preloadMonitors(folder, monitors, UNUSED.url, UNUSED);
      await withService(folder, async ({ readyMs }) => void times.push(readyMs / 1000));
    });
  }
  return median(times);
}

async function idleMemory(): Promise<number> {
  return withFolder((folder) => memoryAfter(folder, IDLE_MS));
}

async function runningMemory(monitors: number, seconds: number): Promise<number> {
  return withFolder(async (folder) => {
    const target = await startTarget();
    const url = `http://127.0.0.1:${target.port}/`;
    await preloadMonitors(folder, monitors, url, { interval: RUNNING_INTERVAL });
    try {
      return await memoryAfter(folder, seconds * 1000);
    } finally {
      target.stop();
    }
  });
}

/** MiB of all processes of a service that has run for that time. */
function memoryAfter(folder: string, milliseconds: number): Promise<number> {
  return withService(folder, async ({ pid }) => {
    await pause(milliseconds);
    return (await familyUsage(pid)).memoryMiB;
  });
}
