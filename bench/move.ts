import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { numberOption } from './options.ts';
import { startPostgres, type BenchPostgres } from './postgres.ts';
import { preloadRounds } from './preload-history.ts';
import { inDatabase, preloadMonitors } from './preload.ts';
import { cpuSeconds, folderBytes, withFolder } from './process.ts';
import { atMost, report, type Figure } from './report.ts';

const SAMPLE_MS = 250;
/** A few hundred MB, however large the database is. */
const MOST_MIB = 400;

/**
 * The command `move`, from SQLite to Postgres: `--monitors=N` (10,000) with rounds every 30 seconds of `--days=N` (3) days.
 * It is measured from outside: its own lines say when it copies and when it compares.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const days = numberOption(options, '--days', 3);
  await withFolder(async (folder) => {
    await preloadMonitors(folder, monitors, 'http://127.0.0.1:9/');
    await inDatabase(folder, (database) =>
      preloadRounds(database, monitors, Date.now() - days * 86_400_000),
    );
    const postgres = await startPostgres();
    try {
      const sourceGb = (await folderBytes(folder)) / 1e9;
      report('move', [
        {
          name: `${monitors.toLocaleString('en')} monitors, ${days} days`,
          value: sourceGb,
          unit: 'GB',
        },
        ...(await measureMove(folder, postgres)),
      ]);
    } finally {
      await postgres.stop();
    }
  });
}

async function measureMove(dataDir: string, { url }: BenchPostgres): Promise<Figure[]> {
  const child = spawn(process.execPath, ['src/tocsin.js', 'move', '--to', url], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const startedAt = performance.now();
  let [copyAt, compareAt, endAt, cpu, rows] = [0, 0, 0, 0, 0];
  const sampling = setInterval(async () => {
    cpu = Math.max(cpu, await cpuSeconds(child.pid!).catch(() => 0));
  }, SAMPLE_MS);
  const peak = peakMemory(child);
  createInterface({ input: child.stderr! }).on('line', (line) => {
    console.error(line);
    if (line.startsWith('Copying ')) copyAt = performance.now();
    if (line.startsWith('Comparing ')) compareAt = performance.now();
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const [, total] = /^Moved and compared ([\d,]+) rows/.exec(line) ?? [];
    if (total === undefined) return;
    rows = Number(total.replaceAll(',', ''));
    endAt = performance.now();
  });
  const [status] = await ended;
  clearInterval(sampling);
  if (status !== 0) throw new Error(`The move ended with ${status}.`);
  const perSecond = (from: number, to: number) => (rows * 1_000) / (to - from);
  return [
    { name: 'rows', value: rows },
    { name: 'until the copy begins', value: (copyAt - startedAt) / 1_000, unit: 's' },
    { name: 'copied', value: perSecond(copyAt, compareAt), unit: 'rows/s' },
    { name: 'compared', value: perSecond(compareAt, endAt), unit: 'rows/s' },
    { name: 'in all', value: (endAt - startedAt) / 1_000, unit: 's' },
    { name: 'CPU of the command', value: cpu, unit: 's' },
    atMost('memory of the command at most', await peak, MOST_MIB, 'MiB'),
  ];
}

/** The most that a process had in memory at a time, in MiB, once it has ended. */
async function peakMemory(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const text = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1_024);
    await pause(SAMPLE_MS);
  }
  return peak;
}
