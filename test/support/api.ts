import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { buildApi, type ApiDeps } from '../../src/api/app.ts';
import type { Readiness } from '../../src/api/system-routes.ts';
import type { Bus } from '../../src/bus/contract.ts';
import { createAuthenticator, type Authenticator } from '../../src/identity/authenticate.ts';
import { createUncountedRateLimits } from '../../src/identity/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import type { CheckRequest, CheckResult } from '../../src/model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import { createServices, type ServicesDeps } from '../../src/service/services.ts';
import type { Database } from '../../src/store/contract.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { expectDocumented, isOfApi } from './openapi.ts';
import { settlePeople, type StandingPeople, type TestPerson } from './people.ts';
import { checkResult, inspectNothing, REGIONS } from './rounds.ts';

// The answers are asserted field by field; naming every shape here would only repeat the assertions.
export type Json = Record<string, unknown> & { id: number };

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  /** Undefined without a body. */
  body: Json;
  text: string;
}

/** The HTTP side over a real database, with scripted probes and its own clock, and who may call it. */
export interface TestApi extends StandingPeople {
  app: FastifyInstance;
  database: Database;
  clock: FakeClock;
  authenticator: Authenticator;
  /** Shards that were nudged so far. */
  nudges: number[];
  /** Checks that were asked for so far. */
  checks: { region: Region; request: CheckRequest }[];
  /** Inspections that were asked for so far. */
  inspections: InspectionRequest[];
  /** Regions whose probe is gone. */
  deadRegions: Set<Region>;
  /** What the next checks see. */
  setTarget(target: (region: Region, request: CheckRequest) => CheckResult): void;
  /** What the next inspections find; nothing until then. */
  setInspections(inspect: (request: InspectionRequest) => Promise<InspectionResult>): void;
  readiness: Readiness;
  /** Faults that were logged. */
  faults: object[];
  /** Throws when the answer is not as the OpenAPI document says. */
  call(
    who: TestPerson | string | null,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer>;
  create(body?: Record<string, unknown>, who?: TestPerson): Promise<Json>;
}

/** The limits that are in force unless the operator sets others. */
export const LIMITS = {
  standard: 120,
  monitor_check: 20,
  check_url: 20,
  anonymous: 120,
  ping: 120,
};

/** As REGIONS has them by default. */
export const REGION_TITLES = ['Ashburn', 'Portland', 'Nuremberg', 'Singapore'];

const alwaysUp = (_region: Region, _request: CheckRequest): CheckResult => checkResult('up');

export async function openApi(
  database: Database,
  overrides: Partial<ServicesDeps> = {},
  /** No requests are counted unless told otherwise: a test may call as often as it likes. */
  edge: Partial<Pick<ApiDeps, 'rateLimits' | 'trustProxy' | 'pings'>> = {},
): Promise<TestApi> {
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const people = await settlePeople(database, clock.now());
  const faults: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(fields) };
  const authenticator = createAuthenticator({ database, clock, log });
  const nudges: number[] = [];
  const checks: TestApi['checks'] = [];
  const deadRegions = new Set<Region>();
  let target = alwaysUp;
  const inspections: InspectionRequest[] = [];
  let inspect: (request: InspectionRequest) => Promise<InspectionResult> = inspectNothing;
  const services = createServices({
    database,
    clock,
    secretBox: createSecretBox(['a key for tests']),
    bus: {
      async check(region, request) {
        checks.push({ region, request });
        return target(region, request);
      },
      // The script answers the kind that it was asked for.
      inspect: ((request) => {
        inspections.push(request);
        return inspect(request);
      }) as Bus['inspect'],
      lastSeen: (region) => (deadRegions.has(region) ? null : clock.now()),
    },
    nudge: (shard) => void nudges.push(shard),
    forgetToken: (tokenId) => authenticator.forget(tokenId),
    defaults: { regions: REGIONS, checkInterval: null },
    regions: REGIONS.map((code, index) => ({ code, title: REGION_TITLES[index]! })),
    judgeTarget: (host) =>
      host === '169.254.169.254' ? { allowed: false, reason: 'is a link-local address' } : null,
    baseUrl: () => 'https://up.example.com',
    version: '0.0.0',
    ...overrides,
  });
  const readiness: Readiness = {
    ready: true,
    database: true,
    scheduleLagMs: 3,
    probes: { ash: 1 },
    diskLow: false,
  };
  const app = buildApi({
    services,
    authenticator,
    rateLimits: createUncountedRateLimits({ limits: LIMITS, clock: systemClock }),
    pings: { take: async () => ({ kind: 'unknown' }) },
    clock,
    baseUrl: () => 'https://up.example.com',
    readiness: async () => readiness,
    metrics: new Registry(),
    log,
    ...edge,
  });

  async function call(
    who: TestPerson | string | null,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const token = typeof who === 'string' || who === null ? who : who.token;
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    });
    const { statusCode: status, body: text } = response;
    if (isOfApi(path))
      expectDocumented({ method, path }, { status, headers: response.headers, text });
    const isJson = String(response.headers['content-type'] ?? '').includes('json') && text !== '';
    return {
      status,
      headers: response.headers,
      body: (isJson ? response.json() : undefined) as Json,
      text,
    };
  }

  return {
    app,
    database,
    clock,
    authenticator,
    nudges,
    checks,
    inspections,
    deadRegions,
    setTarget: (next) => (target = next),
    setInspections: (next) => (inspect = next),
    readiness,
    faults,
    call,
    async create(body = {}, who = people.alice) {
      const created = await call(who, 'POST', '/api/v1/monitors', {
        url: 'https://example.com',
        check_interval: 1,
        ...body,
      });
      if (created.status !== 201) throw new Error(`Not created: ${created.text}`);
      return created.body;
    },
    ...people,
  };
}

/** One house for a table of inputs that change nothing. */
export function sharedApi(): () => Promise<TestApi> {
  let opened: Promise<TestApi> | null = null;
  return () =>
    (opened ??= openDatabase({ engine: 'sqlite', directory: ':memory:' }).then((db) =>
      openApi(db),
    ));
}
