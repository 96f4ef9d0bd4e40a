import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A time in epoch milliseconds by the clock of the machine, which no process under test has to agree with. */
type Instant = number;

/** What is watched in a run, and when. */
export interface Plan {
  monitors: { id: number; intervalMs: number }[];
  /** Push monitors that get pings all the time. */
  jobs: number[];
  /** The judged period: from the first round of all monitors until the targets were closed. */
  from: Instant;
  to: Instant;
  /** Largest distance between the times of a process and the true ones, milliseconds. */
  skewMs: number;
}

/** A request that a scripted target received, and whether it was answered as by a target that is up. */
export interface SeenRequest {
  monitor: number;
  at: Instant;
  up: boolean;
}

/** A time in which a target was down. */
export interface Outage {
  monitor: number;
  from: Instant;
  to: Instant;
}

/** A delivery that the webhook receiver took. */
export interface ReceivedEvent {
  at: Instant;
  /** Id of the event, the same in each repetition. */
  id: string;
  event: string;
  monitor: number;
  incident: number | null;
}

/** A call of the operator webhook. */
export interface ReceivedProblem {
  at: Instant;
  type: string;
  kind: string;
  subject: string;
}

/** A ping that was acknowledged, with the unique text of its body. */
export interface AcknowledgedPing {
  monitor: number;
  at: Instant;
  mark: string;
}

/**
 * A process is killed (SIGKILL), stopped (SIGTERM), suspended for a while, cut off from Postgres or from all others, or cut
 * off from Postgres with clocks that go slowly, so that it takes leases for valid that have ended; or a server is away for a
 * moment: Postgres, with transactions in progress aborted or as after a crash, or for good, with a standby in its place; or
 * NATS; or all processes of a role are killed, and are away for minutes.
 */
export const FAULT_KINDS = [
  'kill',
  'stop',
  'suspend',
  'cut',
  'unplug',
  'slow_clock',
  'postgres_fast',
  'postgres_immediate',
  'failover',
  'nats',
  'role_away',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What happens on purpose: a process is replaced by one of another release, or the database is migrated to it. */
export type Change = 'upgrade' | 'way back';

export interface Fault {
  kind: FaultKind | Change;
  at: Instant;
  /** When it was over: the process continued, the line or server was back. Null for a process that ended. */
  until: Instant | null;
  /** The process of the service that it befell; null for a server or a role. */
  process: string | null;
  /** The role that no process had. */
  role?: string;
  /** Shards that this process owned. */
  shards: number[];
  /** Time until all of them had another owner, milliseconds; null if that was not seen. */
  movedMs: number | null;
  /** Of a process that got SIGTERM; null if another signal ended it. */
  exitCode?: number | null;
}

/** The files of a run, one line of JSON each record. */
export interface RecordFiles {
  requests: SeenRequest;
  outages: Outage;
  events: ReceivedEvent;
  pings: AcknowledgedPing;
  problems: ReceivedProblem;
  faults: Fault;
}

export interface Records {
  plan: Plan;
  requests: SeenRequest[];
  outages: Outage[];
  events: ReceivedEvent[];
  pings: AcknowledgedPing[];
  problems: ReceivedProblem[];
  faults: Fault[];
}

const PLAN = 'plan.json';
const fileOf = (folder: string, name: string) => path.join(folder, `${name}.jsonl`);

export function addRecord<Name extends keyof RecordFiles>(
  folder: string,
  name: Name,
  entry: RecordFiles[Name],
): void {
  appendFileSync(fileOf(folder, name), `${JSON.stringify(entry)}\n`);
}

/** Reads the records of a run. @throws for a folder without a plan, or a line that is not JSON. */
export function readRecords(folder: string): Records {
  const plan = JSON.parse(readFileSync(path.join(folder, PLAN), 'utf8')) as Plan;
  return {
    plan,
    requests: readLines(folder, 'requests'),
    outages: readLines(folder, 'outages'),
    events: readLines(folder, 'events'),
    pings: readLines(folder, 'pings'),
    problems: readLines(folder, 'problems'),
    faults: readLines(folder, 'faults'),
  };
}

function readLines<Name extends keyof RecordFiles>(
  folder: string,
  name: Name,
): RecordFiles[Name][] {
  const file = fileOf(folder, name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RecordFiles[Name]);
}

/** The file of the plan, which is written last. */
export const planFile = (folder: string) => path.join(folder, PLAN);
