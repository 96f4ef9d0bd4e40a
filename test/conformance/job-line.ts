import type { RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { Alive } from '../../src/engine/heartbeat/alive.ts';
import { createIngest, type PingIngest } from '../../src/engine/heartbeat/ingest.ts';
import { createSweep } from '../../src/engine/heartbeat/sweep.ts';
import type { RateLimits } from '../../src/identity/rate-limits.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { interruptible, throwingLog } from '../support/engine-harness.ts';
import { call as callPing, type PingAnswer } from '../support/ping-edge.ts';
import { client, expectStatus, NOW, type Client, type Json } from '../support/client.ts';
import { openInMemory } from '../support/memory-database.ts';

/** The whole line from a call of a ping URL, over the network, to an incident, with a clock of its own. */
export interface JobLine extends Client {
  api: TestApi;
  /** Lets so much time pass. */
  pass(milliseconds: number): Promise<void>;
  /** The job behind that monitor calls its ping URL, with a suffix and query. */
  ping(monitor: Json, suffix?: string, options?: PingOptions): Promise<PingAnswer>;
  /** Anybody calls that path. */
  dial(path: string, options?: PingOptions): Promise<PingAnswer>;
  /** From now on the database refuses all work, or does it again. */
  setDatabaseDown(away: boolean): void;
  read(monitor: Json): Promise<Json>;
  /** The pings that were recorded, oldest first. */
  pingsOf(monitor: Json): Promise<Json[]>;
  /** Its incidents, oldest first, each with its activities. */
  incidentsOf(monitor: Json): Promise<Json[]>;
}

type PingOptions = RequestOptions & { body?: string | Buffer | Buffer[] };

interface JobLineOptions {
  /** At which its clock begins, epoch milliseconds. */
  from?: number;
  /** Pings a minute for each ping URL; none unless given. */
  limit?: number;
  rateLimits?: RateLimits;
}

/** Ends with the test that asked for it. */
export async function openJobs(options: JobLineOptions = {}): Promise<JobLine> {
  const { limit = null, rateLimits } = options;
  const stored = await openInMemory();
  let isAway = false;
  const database = interruptible(stored, () => isAway);
  let ingest: PingIngest | null = null;
  const edge = {
    pings: {
      take: (ping: Parameters<PingIngest['take']>[0]) => ingest!.take(ping),
      announce: (tokenHash: string, at: number) => ingest!.announce(tokenHash, at),
    },
    ...(rateLimits && { rateLimits }),
  };
  const api = await openApi(database, {}, edge);
  const { app, clock } = api;
  clock.stepWall((options.from ?? NOW) - clock.now());
  const log = throwingLog;
  const alive = new Alive({ database, clock, log });
  const pings = createIngest({
    database,
    clock,
    limit,
    onRefused: (time) => alive.reportFailure(time),
  });
  ingest = pings;
  const sweep = createSweep({
    database,
    clock,
    log,
    isCertain: () => alive.isCertain(),
    oldestWaitingAt: () => pings.oldestWaitingAt(),
    heldUpSince: (monitorId) => pings.heldUpSince(monitorId),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  void alive.start();
  sweep.start();

  /** Time stands still until that has happened. */
  async function soon<Value>(promise: Promise<Value>): Promise<Value> {
    const unfinished = new Set([promise]);
    const finish = () => void unfinished.delete(promise);
    promise.then(finish, finish);
    while (unfinished.size > 0) await clock.settle();
    return promise;
  }

  onTestFinished(async () => {
    isAway = false;
    await soon(Promise.all([app.close(), sweep.stop()]));
    await soon(pings.close());
    await soon(alive.stop());
    await stored.close();
    expect(api.faults).toEqual([]);
  });

  const calls = client(async () => api);
  const body = async (path: string) => {
    const answer = await calls.get(path);
    expectStatus(answer, 200);
    return answer.body;
  };
  const oldestFirst = async (path: string) =>
    ((await body(`${path}?per_page=100`))['data'] as Json[]).toReversed();
  const dial: JobLine['dial'] = (path, asked = {}) => soon(callPing({ port }, path, asked));
  return {
    ...calls,
    api,
    pass: (milliseconds) => clock.advance(milliseconds),
    ping: (monitor, suffix = '', asked = {}) => dial(pathOf(monitor) + suffix, asked),
    dial,
    setDatabaseDown: (away) => void (isAway = away),
    read: ({ id }) => body(`/monitors/${id}`),
    pingsOf: ({ id }) => oldestFirst(`/monitors/${id}/pings`),
    async incidentsOf({ id }) {
      const listed = await oldestFirst(`/monitors/${id}/incidents`);
      return Promise.all(listed.map((incident) => body(`/incidents/${incident.id}`)));
    },
  };
}

/** The path of a monitor's ping URL: where it leads is the public address of the service, which tests don't have. */
export const pathOf = (monitor: Json): string => new URL(String(monitor['ping_url'])).pathname;

/** A job that is to call every minute, with a grace of 30 s unless told otherwise. */
export async function minutely(line: JobLine, fields: object = {}): Promise<Json> {
  return line.monitor('heartbeat', { heartbeat_interval: 60, heartbeat_grace: 30, ...fields });
}

/** The same in a service of its own, after it called once at the beginning. */
export async function called(fields: object = {}): Promise<{ line: JobLine; job: Json }> {
  const line = await openJobs();
  const job = await minutely(line, fields);
  await line.ping(job);
  return { line, job };
}

export const statusOf = async (line: JobLine, job: Json) => (await line.read(job))['status'];

/** The only incident that the job ever had. */
export async function theIncident(line: JobLine, job: Json): Promise<Json> {
  const [incident, ...others] = await line.incidentsOf(job);
  expect(others).toEqual([]);
  expect(incident).toBeDefined();
  return incident!;
}

export const posted = (body: string | Buffer | Buffer[], headers = {}): PingOptions => ({
  method: 'POST',
  headers,
  body,
});
