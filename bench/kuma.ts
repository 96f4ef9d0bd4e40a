import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../test/support/free-ports.ts';
import { familyUsage, withFolder } from './process.ts';

/** It starts its monitors one after another, 0.65 s apart on average, so there are few with a short interval. */
const MONITORS = 60;
const INTERVAL_S = 1;
const START_MS = MONITORS * 650 + 10_000;
const LONGEST_START_MS = 60_000;

/** What uptime-kuma needs for a beat: one check from one place whose result is stored. */
export interface KumaFigures {
  beats: number;
  cpuMsPerBeat: number;
  memoryMiB: number;
}

/**
 * Runs the uptime-kuma of a folder on these targets: a clone of a release with its packages (`npm ci --omit=dev`), on
 * SQLite, with `interval` 1 s. Monitors are written into its database, as its API is a socket that needs a client.
 *
 * @param urls targets in turn.
 * @throws if it does not start or stores no successful beats.
 */
export async function measureKuma(
  folder: string,
  urls: readonly string[],
  options: { seconds: number; authorityFile: string },
): Promise<KumaFigures> {
  return withFolder(async (data) => {
    await writeFile(path.join(data, 'db-config.json'), '{"type":"sqlite"}');
    const file = path.join(data, 'kuma.db');
    // The first start makes the tables, the second one reads the monitors.
    await stop(await start(folder, data, options.authorityFile));
    addMonitors(file, urls);
    const kuma = await start(folder, data, options.authorityFile);
    try {
      await pause(START_MS);
      const before = { beats: countBeats(file), ...(await familyUsage(kuma.pid!)) };
      await pause(options.seconds * 1000);
      const after = { beats: countBeats(file), ...(await familyUsage(kuma.pid!)) };
      const beats = after.beats - before.beats;
      if (beats < MONITORS) throw new Error(`uptime-kuma stored only ${beats} successful beats.`);
      return {
        beats,
        cpuMsPerBeat: ((after.cpuSeconds - before.cpuSeconds) * 1000) / beats,
        memoryMiB: after.memoryMiB,
      };
    } finally {
      await stop(kuma);
    }
  });
}

async function start(folder: string, data: string, authorityFile: string): Promise<ChildProcess> {
  const [port] = (await freePorts(1)) as [number];
  const child = spawn(process.execPath, ['server/server.js'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      DATA_DIR: data,
      UPTIME_KUMA_HOST: '127.0.0.1',
      UPTIME_KUMA_PORT: String(port),
      NODE_EXTRA_CA_CERTS: authorityFile,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const until = Date.now() + LONGEST_START_MS;
  // While its tables are made another server answers at this address, whose page does not have this path.
  while (!(await isReady(port, data))) {
    if (child.exitCode !== null || Date.now() > until) {
      child.kill();
      throw new Error(`uptime-kuma did not start:\n${errors}`);
    }
    await pause(200);
  }
  return child;
}

async function isReady(port: number, data: string): Promise<boolean> {
  if (!existsSync(path.join(data, 'kuma.db'))) return false;
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
  await answer?.arrayBuffer();
  // It asks for a password.
  return answer?.status === 401;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
}

function addMonitors(file: string, urls: readonly string[]): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  const insert = database.prepare(
    `insert into monitor (name, active, interval, retry_interval, timeout, type, url, expiry_notification)
     values (?, 1, ?, ?, 5, 'http', ?, 0)`,
  );
  for (let index = 0; index < MONITORS; index++) {
    insert.run(`Monitor ${index}`, INTERVAL_S, INTERVAL_S, urls[index % urls.length]!);
  }
  database.close();
}

/** Successful beats so far. */
function countBeats(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  const row = database.prepare('select count(*) as beats from heartbeat where status = 1').get();
  database.close();
  return Number(row!['beats']);
}
