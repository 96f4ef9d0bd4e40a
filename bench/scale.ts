import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startBenchNameServer } from './name-server.ts';
import { numberOption, numbersOption, textOption } from './options.ts';
import { addMixedMonitors } from './preload.ts';
import { report } from './report.ts';
import { databaseOf, startMembers, stopMembers } from './scale-fleet.ts';
import { LAYOUTS, chosenLayouts, type LayoutName } from './scale-layouts.ts';
import { measureRollups } from './scale-rollups.ts';
import { scaleFigures, statementLines } from './scale-report.ts';
import { measureFleet, type Measured } from './scale-sample.ts';
import { withServers, type SharedServers } from './scale-servers.ts';
import { PARTS_FILE, type MeasuredLayout, type ScalingParts } from './scaling-parts.ts';
import { canCountSocketBytes } from './socket-bytes.ts';
import { startTarget, type TargetServer } from './target.ts';

/** From the start of the last process: shares are divided, and workers have looked through what is kept. */
const IDLE_SETTLE_MS = 15_000;
const IDLE_SECONDS = 15;
/** More than an interval, so that each monitor has had its first round and failures are confirmed. */
const SETTLE_MS = 33_000;

/**
 * Costs by process and of Postgres and NATS, for sets of processes that share a Postgres with the settings of a new
 * installation: `--layouts=whole,roles` (bench/scale-layouts.ts), each when idle and then with `--monitors=N,N` (5,000, and
 * the first and third layout also 10,000) that are checked every 30 s from four regions, 2 of 100 failing and 1 of 100
 * hanging, for `--seconds=N` (45) each. `roles` rolls up an hour as well. `--save` writes the figures for docs/scaling.md.
 *
 * @throws with `--save`, where something can't be counted.
 */
export async function run(options: string[]): Promise<void> {
  const names = chosenLayouts(textOption(options, '--layouts'));
  const saves = options.includes('--save');
  if (saves && !(await canCountSocketBytes()))
    throw new Error('--save needs ss (iproute2): bytes from and to Postgres would be 0.');
  const seconds = numberOption(options, '--seconds', 45);
  const sizes = numbersOption(options, '--monitors');
  const layouts: MeasuredLayout[] = [];
  for (const layout of names)
    layouts.push(
      await measureLayout(layout, {
        sizes: sizes ?? DEFAULT_SIZES[layout] ?? [5_000],
        seconds,
        saves,
      }),
    );
  report('scale', layouts.flatMap(scaleFigures));
  for (const line of layouts.flatMap(statementLines)) console.log(line);
  if (!saves) return;
  const command = ['npm run bench -- scale', ...options].join(' ');
  const parts: ScalingParts = { command, processors: os.availableParallelism(), layouts };
  await writeFile(PARTS_FILE, `${JSON.stringify(parts, null, 2)}\n`);
  console.log('bench/scaling-parts.json written; `npm run generate` writes docs/scaling.md.');
}

/** The model is compared with the larger size of these. */
const DEFAULT_SIZES: Partial<Record<LayoutName, number[]>> = {
  whole: [5_000, 10_000],
  roles: [5_000, 10_000],
};

/** Runs a layout on servers of its own, so that none inherits the log and the garbage of another. */
async function measureLayout(layout: LayoutName, load: LayoutRun): Promise<MeasuredLayout> {
  const target = await startTarget();
  const names = await startBenchNameServer();
  return withServers({ nameServer: names.address }, (servers) =>
    measure(layout, { ...servers, target }, load),
  ).finally(() => {
    names.stop();
    target.stop();
  });
}

interface LayoutRun {
  /** Monitors of each load, the smallest first. */
  sizes: readonly number[];
  seconds: number;
  saves: boolean;
}

async function measure(
  layout: LayoutName,
  { place, nats, postgres, target }: SharedServers & { target: TargetServer },
  { sizes, seconds, saves }: LayoutRun,
): Promise<MeasuredLayout> {
  if (saves && !postgres.countsStatements)
    throw new Error('--save needs the extension pg_stat_statements: statements would be 0.');
  const members = await startMembers(LAYOUTS[layout], place);
  const owner = databaseOf(place, 'tocsin');
  const observed = { members, postgres, nats, targetPid: target.pid };
  try {
    await pause(IDLE_SETTLE_MS);
    const idle = await measureFleet(observed, { monitors: 0, seconds: IDLE_SECONDS });
    const loads: Measured[] = [];
    let first = 1;
    for (const monitors of sizes) {
      await addMixedMonitors(owner, { first, last: monitors }, target.port);
      await postgres.execute('vacuum analyze monitor, monitor_state');
      await pause(SETTLE_MS);
      loads.push(await measureFleet(observed, { monitors, seconds }));
      first = monitors + 1;
    }
    // An hour that is not rolled up in time must not cost the figures of all that was measured before.
    const rollupsPerSecond =
      layout === 'roles'
        ? await measureRollups(owner, postgres).catch((error: Error) => {
            console.error(error.message);
            return null;
          })
        : null;
    return { layout, idle, loads, rollupsPerSecond };
  } finally {
    await stopMembers(members);
  }
}
