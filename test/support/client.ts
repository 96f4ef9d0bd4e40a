import { expect } from 'vitest';
import { giveToken } from './people.ts';
import type { Permission } from '../../src/identity/caller.ts';
import { openApi, sharedApi, type Answer, type Json, type TestApi } from './api.ts';
import { openEngineHarness, type EngineHarness } from './engine-harness.ts';
import { checkResult, inspectNothing } from './rounds.ts';
import { openInMemory } from './memory-database.ts';
import { PLAIN_SECRETS } from './plain-secrets.ts';

export type { Answer, Json };

/** One of the standing people, a token, or nobody. */
export type Who = 'alice' | 'ed' | 'vera' | 'mallory' | { token: string } | null;

/** Calls of an API; paths are below `/api/v1`. Alice calls unless told otherwise. */
export interface Client {
  open(): Promise<TestApi>;
  call(who: Who, method: string, path: string, body?: unknown): Promise<Answer>;
  get(path: string, who?: Who): Promise<Answer>;
  post(path: string, body?: unknown, who?: Who): Promise<Answer>;
  put(path: string, body: unknown, who?: Who): Promise<Answer>;
  del(path: string, who?: Who): Promise<Answer>;
  /** A new monitor of that type: what it requires, and these fields. */
  monitor(type?: MonitorType, fields?: object, who?: Who): Promise<Json>;
  /** A new incident by hand on that monitor. */
  incident(monitorId: number, fields?: object): Promise<Json>;
  /** Another token of Alice's, or of somebody else, with these permissions only. */
  token(permissions: readonly Permission[], who?: 'alice' | 'ed' | 'vera'): Promise<Who>;
}

/** What a monitor of each type requires, and nothing else (contract 6.3). */
export const REQUIRED = {
  http: { url: 'https://example.com', check_interval: 1 },
  ping: { monitor_type: 'ping', url: 'example.com', check_interval: 1 },
  port: { monitor_type: 'port', url: 'example.com', port: 443, check_interval: 1 },
  heartbeat: { monitor_type: 'heartbeat', friendly_name: 'Backup', heartbeat_interval: 3600 },
  cron: { monitor_type: 'cron', friendly_name: 'Report', heartbeat_cron_expression: '0 6 * * *' },
} as const;

export type MonitorType = keyof typeof REQUIRED;
export const TYPES = Object.keys(REQUIRED) as MonitorType[];

export const KEYWORDS = { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] };
export const ASSERTIONS = { assertions: [{ path: 'status', operator: 'equals', value: 'ok' }] };
/** A list of names, written without quotes. */
export const names = (text: string): string[] => text.trim().split(/\s+/);

export const BULLETS = '••••••••';

/** At which the clock of an API in a test stands still. */
export const NOW = Date.UTC(2030, 0, 1);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** ISO 8601, UTC, with milliseconds and `Z`; so long after the time at which the tests stand. */
export const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

/** An API for the tests of a file that don't disturb each other, or the one that is given. */
export function client(open: () => Promise<TestApi> = sharedApi()): Client {
  const call: Client['call'] = async (who, method, path, body) => {
    const api = await open();
    const caller = who === null ? null : typeof who === 'string' ? api[who] : who.token;
    return api.call(caller, method, `/api/v1${path}`, body);
  };
  const created = async (path: string, body: unknown, who: Who = 'alice') => {
    const answer = await call(who, 'POST', path, body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  return {
    open,
    call,
    get: (path, who = 'alice') => call(who, 'GET', path),
    post: (path, body, who = 'alice') => call(who, 'POST', path, body),
    put: (path, body, who = 'alice') => call(who, 'PUT', path, body),
    del: (path, who = 'alice') => call(who, 'DELETE', path),
    monitor: (type = 'http', fields = {}, who = 'alice') =>
      created('/monitors', { ...REQUIRED[type], ...fields }, who),
    incident: (monitorId, fields = {}) =>
      created('/incidents', {
        monitor_id: monitorId,
        started_at: at(-MINUTE),
        status: 'open',
        ...fields,
      }),
    async token(permissions, who = 'alice') {
      const { database, clock, [who]: holder } = await open();
      return { token: await giveToken(database, holder, { permissions, now: clock.now() }) };
    },
  };
}

/** An API of its own over an empty database in memory. */
export async function freshApi(...rest: DropFirst<Parameters<typeof openApi>>): Promise<TestApi> {
  return openApi(await openInMemory(), ...rest);
}

type DropFirst<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** The whole line from an HTTP call to a confirmed incident, with scripted targets and a clock of its own. */
export interface Line extends Client {
  harness: EngineHarness;
  /** Lets so much time pass. */
  pass(milliseconds: number): Promise<void>;
  /** From now on the target of that monitor answers so in these regions, or in all. */
  turn(id: number, vote: 'up' | 'down' | 'unknown', regions?: readonly string[]): void;
  /** Lets time pass until the monitor has that status. */
  until(id: number, status: string): Promise<void>;
  /** A monitor that was seen to be up. */
  watched(fields?: object): Promise<number>;
  statusOf(id: number): Promise<unknown>;
  incidentsOf(id: number, query?: string): Promise<Json[]>;
}

/** `inspect` is what inspections find; nothing unless it is given. */
export async function openLine(inspect = inspectNothing): Promise<Line> {
  const harness = await openEngineHarness();
  const opened = openApi(harness.database, {
    clock: harness.clock,
    // The engine reads the columns as they are.
    secretBox: PLAIN_SECRETS,
    wakeScheduler: (shard) => harness.scheduler.wake(shard),
    bus: {
      check: async (region, request) =>
        harness.targets.get(request.monitorId)?.(region, request) ?? checkResult('up'),
      inspect,
      lastSeen: (region) => (harness.deadRegions.has(region) ? null : harness.clock.now()),
      vantageOf: () => 'office',
      probesOf: () => [],
    },
  });
  const calls = client(() => opened);
  const statusOf = async (id: number) => (await calls.get(`/monitors/${id}`)).body['status'];
  const until = (id: number, status: string) =>
    harness.clock.runUntil(async () => (await harness.status(id)) === status, 10 * MINUTE);
  return {
    ...calls,
    harness,
    pass: (milliseconds) => harness.clock.advance(milliseconds),
    turn: (id, vote, regions) =>
      void harness.targets.set(id, (region) =>
        checkResult(!regions || regions.includes(region) ? vote : 'up'),
      ),
    until,
    async watched(fields = {}) {
      const { id } = await calls.monitor('http', { check_interval: 0.5, ...fields });
      await until(id, 'online');
      return id;
    },
    statusOf,
    async incidentsOf(id, query = '') {
      const { status, body, text } = await calls.get(`/monitors/${id}/incidents?${query}`);
      expect(status, text).toBe(200);
      return body['data'] as Json[];
    },
  };
}

/** The answer is a 422 that finds fault with exactly these fields, in words. */
export function expectRefused({ status, body, text }: Answer, ...fields: string[]): void {
  expect(status, text).toBe(422);
  const errors = body['errors'] as Record<string, string[]>;
  expect(Object.keys(errors).toSorted(), text).toEqual(fields.toSorted());
  for (const texts of Object.values(errors)) {
    expect(texts.length).toBeGreaterThan(0);
    for (const each of texts) expect(each).toMatch(/\w+ \w+/);
  }
}

/** The answer has that status; its body is what a failing test shows. */
export function expectStatus({ status, text }: Answer, expected: number): void {
  expect(status, text).toBe(expected);
}

export const idsOf = ({ body }: Answer): number[] =>
  (body['data'] as { id: number }[]).map(({ id }) => id);

export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
