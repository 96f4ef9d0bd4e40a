import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commitOf } from '../../bench/base.ts';
import { checkOut } from '../../bench/trees.ts';
import { timeUntilMoved } from './faults.ts';
import { end, PROGRAM, type Fleet, type Member } from './fleet.ts';
import type { ProcessKind } from './fleets.ts';
import { addRecord, type Change } from './judge/records.ts';
import type { SharedTables } from './shared-tables.ts';
import { sleep, systemClock } from '../../src/lib/clock.ts';

const READ = [
  'monitors',
  'monitors/overview',
  'incidents',
  'attention',
  'uptime-summary?range=24h',
  'regions',
  'webhook-endpoints',
  'groups',
];

/** A process may answer from memory for this time what another one has changed. */
const SEEN_WITHIN_MS = 5_000;

const AGAIN_MS = 100;

interface Api {
  urls: readonly string[];
  token: string;
}

/**
 * Asks every process of the API for what people look at, and sees at each what was changed at each of them.
 *
 * @throws for an answer that is none, or an edit that another process does not see.
 */
async function requireAnswers(api: Api, monitor: number): Promise<void> {
  for (const url of api.urls) {
    const paths = [...READ, `monitors/${monitor}`, `monitors/${monitor}/uptime`];
    for (const path of paths) await ask(api, url, path);
  }
  for (const url of api.urls) {
    const name = `Renamed at ${new Date().toISOString()} on ${url}`;
    await ask(api, url, `monitors/${monitor}`, { friendly_name: name });
    for (const other of api.urls) await untilSeen(api, other, monitor, name);
  }
}

async function untilSeen(api: Api, url: string, monitor: number, name: string): Promise<void> {
  const deadline = performance.now() + SEEN_WITHIN_MS;
  for (;;) {
    const { friendly_name } = (await ask(api, url, `monitors/${monitor}`)) as Monitor;
    if (friendly_name === name) return;
    if (performance.now() > deadline) throw new Error(`${url} does not see "${name}".`);
    await sleep(systemClock, AGAIN_MS);
  }
}

interface Monitor {
  friendly_name: string;
}

async function ask({ token }: Api, url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const run = promisify(execFile);

/**
 * Roles in the order in which docs/deployment.md upgrades them: those that read what others write come before these. A
 * probe reads requests of schedulers, a worker what they record, a scheduler the settings that people enter over the API.
 */
const ORDER = ['probe', 'worker', 'scheduler', 'api'];

/** The order in which processes are upgraded; those of the same roles in that of their start. Pure. */
export function upgradeOrder<One extends { kind: Pick<ProcessKind, 'env'> }>(
  members: readonly One[],
): One[] {
  // One of several roles goes with the last of them.
  const place = ({ kind }: One) => {
    const roles = kind.env['ROLES']?.split(',') ?? ORDER;
    return Math.max(...roles.map((role) => ORDER.indexOf(role)));
  };
  return members.toSorted((a, b) => place(a) - place(b));
}

interface OtherRelease {
  /** File of its program. */
  program: string;
  remove(): Promise<void>;
}

/** @throws if this clone does not have the revision. */
export async function checkOutRevision(revision: string): Promise<OtherRelease> {
  const commit = await commitOf(revision);
  if (commit === null) throw new Error(`This clone has no revision ${revision}.`);
  const { folder, remove } = await checkOut(commit);
  return { program: join(folder, 'src/start.js'), remove };
}

interface UpgradeOptions {
  folder: string;
  fleet: Fleet;
  tables: SharedTables;
  /** File of the program that is replaced. */
  older: string;
  /** Settings of the command that migrates the database. */
  database: Record<string, string>;
  /** Token of the API. */
  token: string;
  /** A monitor that may get other names. */
  monitor: number;
  /** Whether to replace the processes by the older ones again afterwards. */
  andBack: boolean;
  /** Resolves when the next process may be replaced. */
  pause(): Promise<void>;
  /** Faults that happen while half of the processes are replaced. */
  disturb(): Promise<void>;
  say(line: string): void;
}

/**
 * Migrates the database, then replaces each process by one of this tree: SIGTERM, its end, the start of the new one.
 *
 * @throws if a process does not start, or does not answer what it is asked beside those of the other release.
 */
export async function upgradeFleet(options: UpgradeOptions): Promise<void> {
  const { fleet, older, andBack, pause, disturb, say } = options;
  say(`Migration: ${await migrateNow(options)}`);
  await requireAnswersOf(options);
  await pause();
  const first = upgradeOrder(fleet.members);
  const half = Math.ceil(first.length / 2);
  for (const [index, member] of first.entries()) {
    if (index === half) await disturb();
    // A fault may have replaced it by another one of its release.
    const current = fleet.members.includes(member) ? member : nextOf(fleet, older);
    await replace(options, current, { kind: 'upgrade', program: PROGRAM });
  }
  if (!andBack) return;
  for (const member of upgradeOrder(fleet.members).toReversed()) {
    await replace(options, member, { kind: 'way back', program: older });
  }
}

const nextOf = (fleet: Fleet, program: string): Member =>
  upgradeOrder(fleet.members.filter((member) => member.program === program))[0]!;

async function requireAnswersOf({ fleet, token, monitor }: UpgradeOptions): Promise<void> {
  const urls = fleet.members.filter(({ kind }) => kind.serves).map(({ url }) => url);
  await requireAnswers({ urls, token }, monitor);
}

/**
 * Runs the command that migrates the database, of the release with that program.
 *
 * @param settings of the command.
 * @returns what it printed.
 */
export async function migrate(program: string, settings: Record<string, string>): Promise<string> {
  const command = join(dirname(program), 'tocsin.js');
  const { stdout } = await run(process.execPath, [command, 'migrate'], {
    env: { PATH: process.env['PATH'], ...settings },
  });
  return stdout.trim();
}

async function migrateNow({ folder, database }: UpgradeOptions): Promise<string> {
  const at = Date.now();
  const printed = await migrate(PROGRAM, database);
  addRecord(folder, 'faults', {
    kind: 'upgrade',
    at,
    until: Date.now(),
    process: 'migration',
    shards: [],
    movedMs: null,
  });
  return printed;
}

async function replace(
  options: UpgradeOptions,
  member: Member,
  { kind, program }: { kind: Change; program: string },
): Promise<void> {
  const { folder, fleet, tables, pause, say } = options;
  const { nodeId, name } = member;
  const shards = nodeId === null ? [] : await tables.shardsOf(nodeId);
  const at = Date.now();
  const moved =
    nodeId === null || shards.length === 0 ? null : timeUntilMoved(tables, nodeId, shards, at);
  await end(member, 'SIGTERM');
  const endedMs = Date.now() - at;
  await fleet.replace(member, program).catch((error: unknown) => {
    throw new Error(`After ${name}: ${(error as Error).message}`);
  });
  const readyMs = Date.now() - at;
  addRecord(folder, 'faults', {
    kind,
    at,
    until: null,
    process: name,
    shards,
    movedMs: await moved,
  });
  say(`${kind} ${name}: ended after ${endedMs} ms, the next one ready after ${readyMs} ms`);
  await requireAnswersOf(options);
  await pause();
}
