import { createRegions } from '../../src/model/regions.ts';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { buildApi } from '../../src/api/app.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { Readiness } from '../../src/api/system-server.ts';
import type { Bus } from '../../src/engine/bus/contract.ts';
import { createAuthenticator, type Authenticator } from '../../src/identity/authenticate.ts';
import {
  createMailQueue,
  openMail,
  type MailContent,
  type MailQueue,
} from '../../src/store/alerting/mails.ts';
import { FULL_PLANS } from '../../src/identity/plans.ts';
import { createClientKeys, createUncountedRateLimits } from '../../src/identity/rate-limits.ts';
import { createPasswordQueue, SCRYPT } from '../../src/identity/password.ts';
import { createOauth } from '../../src/identity/oauth.ts';
import { createSignIn, type SignIn } from '../../src/identity/sign-in.ts';
import type { SignInSettings } from '../../src/identity/sign-in-options.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import type { SignInSecret } from '../../src/identity/session-cookie.ts';
import type { CheckRequest, CheckResult } from '../../src/model/check.ts';
import type { InspectionRequest, InspectionResult } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import { createAlertLinks } from '../../src/alerting/message/index.ts';
import type { ChannelTools } from '../../src/alerting/channels/index.ts';
import { createReportLinks } from '../../src/report/links.ts';
import { createLiveFeed, type LiveFeed } from '../../src/live/feed.ts';
import type { InstallationFacts } from '../../src/resources/installation.ts';
import { createSpendCheck } from '../../src/resources/checks/check-limits.ts';
import { checkLimits } from '../../src/model/outgoing.ts';
import { createServices, type Services, type ServicesDeps } from '../../src/resources/services.ts';
import { createDomains } from '../../src/status-page/domains.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { injectOnce } from './event-streams.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { expectDocumented, isOfApi } from './openapi.ts';
import {
  SESSION_SECRET,
  settlePeople,
  type StandingPeople,
  type TestPerson,
  type TestSession,
} from './people.ts';
import { checkResult, inspectNothing, REGIONS } from './rounds.ts';
import { QUICK_PASSWORDS } from './quick-passwords.ts';
import { openInMemory } from './memory-database.ts';

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
  /** Configuration sets, as the operator reaches them. */
  configuration: Services['configuration'];
  database: Database;
  clock: FakeClock;
  authenticator: Authenticator;
  signIn: SignIn;
  live: LiveFeed;
  /** Shards that were nudged so far. */
  nudges: number[];
  /** Checks that were asked for so far. */
  checks: { region: Region; request: CheckRequest }[];
  /** Inspections that were asked for so far. */
  inspections: InspectionRequest[];
  /** The region of each of them; undefined for any shared one. */
  inspectionRegions: (Region | undefined)[];
  /** Regions whose probe is gone. */
  deadRegions: Set<Region>;
  /** What the next checks see. */
  setTarget(target: (region: Region, request: CheckRequest) => CheckResult): void;
  /** What the next inspections find; nothing until then. */
  setInspections(inspect: (request: InspectionRequest) => Promise<InspectionResult>): void;
  readiness: Readiness;
  /** Faults that were logged. */
  faults: object[];
  /** The mails that were enqueued so far, the oldest first; none is ever sent. */
  mails(): Promise<(MailContent & { kind: string; expiresAt: number })[]>;
  /** Throws when the answer is not as the OpenAPI document says. */
  call(
    who: TestPerson | TestSession | string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  create(body?: Record<string, unknown>, who?: TestPerson): Promise<Json>;
}

/** The limits that are in force unless the operator sets others. */
export const LIMITS = {
  standard: 120,
  monitor_check: 20,
  check_url: 20,
  webhook_test: 10,
  ...checkLimits(40, false),
  subscriber_import: 10,
  tool_server: 60,
  session: 600,
  anonymous: 120,
  web: 1_200,
  ping: 120,
  auth: 10,
  auth_mail: 10,
  sign_in: 10,
  sign_in_hour: 60,
  sign_in_client: 60,
  register_client: 20,
  refresh_token: 60,
};

/** For `overrides`: what channels have at hand where nobody can be reached. */
export function unreachable(now: () => number): ChannelTools {
  const text = 'The connection was refused';
  const failure = { code: 'connection_refused', text } as const;
  return {
    http: { request: async () => ({ ok: false, failure }) },
    mailer: { send: async () => ({ outcome: 'failed', reason: text }) },
    vapid: async () => ({ publicKey: 'BPublic', privateKey: 'private', subject: BASE_URL }),
    now,
  };
}

/** For `overrides`: an installation without SMTP_URL. */
export const NO_MAIL: MailQueue = {
  isConfigured: false,
  enqueue: () => Promise.reject(new Error('No mail may be enqueued.')),
  enqueueForSubscribers: () => Promise.reject(new Error('No mail may be enqueued.')),
  spend: () => Promise.reject(new Error('No mail may be sent.')),
};

/** The probe of every region. */
const PROBE = {
  vantage: 'office',
  version: '0.0.0',
  seenAt: Date.UTC(2030, 0, 1),
  takesChecks: true,
  isRemote: false,
  load: [{ running: 1, waiting: 0, longestWaitMs: 0, capacity: 100, openFiles: null }],
};

export const INSTALLATION: InstallationFacts = {
  freeBytes: 1_000_000,
  signInProviders: [],
  settings: [
    {
      name: 'RAW_RETENTION_DAYS',
      meaning: 'Days to keep single results.',
      default: '3',
      isDefault: false,
      isSecret: false,
      value: '7',
    },
  ],
};

/** The public address that tests have. */
export const BASE_URL = 'https://up.example.com';

/** As REGIONS has them by default. */
export const REGION_TITLES = ['Ashburn', 'Portland', 'Nuremberg', 'Singapore'];

const CURRENT_SECRET: SignInSecret = { version: 1, value: SESSION_SECRET };

const PASSWORD_ALONE: SignInSettings = {
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecret: null,
  oidcName: 'Single sign-on',
  githubClientId: null,
  githubClientSecret: null,
  googleClientId: null,
  googleClientSecret: null,
  openSignup: false,
};

const alwaysUp = (_region: Region, _request: CheckRequest): CheckResult => checkResult('up');

export async function openApi(
  database: Database,
  overrides: Partial<ServicesDeps> = {},
  /** No requests are counted unless told otherwise: a test may call as often as it likes. */
  edge: Partial<
    Pick<ApiDeps, 'rateLimits' | 'trustProxy' | 'pings' | 'onAnswered' | 'dashboard'>
  > & {
    secrets?: readonly SignInSecret[];
    /** Those who are there already. */
    people?: StandingPeople;
    log?: Log;
    /** The clock of whatever else works on the database. */
    clock?: FakeClock;
  } = {},
  /** By password alone, for those who are there, unless told otherwise. */
  signInSettings: Partial<SignInSettings> = {},
): Promise<TestApi> {
  const { secrets = [CURRENT_SECRET], clock = createFakeClock({ now: Date.UTC(2030, 0, 1) }) } =
    edge;
  const people = edge.people ?? (await settlePeople(database, clock.now()));
  const faults: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(fields), ...edge.log };
  const authenticator = createAuthenticator({
    database,
    clock,
    log,
    cookies: () => ({ secrets, isSecure: true }),
  });
  const secretBox = createSecretBox(['a key for tests']);
  const passwords = createPasswordQueue(QUICK_PASSWORDS);
  const live = createLiveFeed({ database, clock, log });
  const rateLimits =
    edge.rateLimits ?? createUncountedRateLimits({ limits: LIMITS, clock: systemClock });
  const nudges: number[] = [];
  const checks: TestApi['checks'] = [];
  const deadRegions = new Set<Region>();
  let target = alwaysUp;
  const inspections: InspectionRequest[] = [];
  const inspectionRegions: TestApi['inspectionRegions'] = [];
  let inspect: (request: InspectionRequest) => Promise<InspectionResult> = inspectNothing;
  const services = createServices({
    database,
    clock,
    secretBox,
    bus: {
      async check(region, request) {
        checks.push({ region, request });
        return target(region, request);
      },
      // The script answers the kind that it was asked for.
      inspect: ((request, region) => {
        inspections.push(request);
        inspectionRegions.push(region);
        return inspect(request);
      }) as Bus['inspect'],
      lastSeen: (region) => (deadRegions.has(region) ? null : clock.now()),
      vantageOf: () => 'office',
      probesOf: () => [PROBE],
    },
    live,
    wakeScheduler: (shard) => void nudges.push(shard),
    forget: (who) => authenticator.forget(who),
    plans: FULL_PLANS,
    spendCheck: createSpendCheck(rateLimits),
    keys: ['a key for tests'],
    openSignup: false,
    passwords: createPasswordQueue(SCRYPT),
    mailQueue: createMailQueue({
      secretBox,
      keys: ['a key'],
      isConfigured: true,
      openSignup: false,
    }),
    defaults: { regions: REGIONS, checkInterval: null },
    regions: createRegions(REGIONS.map((code, index) => ({ code, title: REGION_TITLES[index]! }))),
    targetRule: (host) =>
      host === '169.254.169.254' ? { allowed: false, reason: 'is a link-local address' } : null,
    allowHttpWebhooks: false,
    channelTools: unreachable(clock.now),
    alertLinks: createAlertLinks({ keys: ['a key for tests'], baseUrl: () => BASE_URL }),
    // No domain has a record.
    domains: createDomains({
      database,
      clock,
      log,
      lookUp: async () => [],
      baseUrl: () => BASE_URL,
    }),
    reportLinks: createReportLinks({ keys: ['a key for tests'], baseUrl: () => BASE_URL }),
    baseUrl: () => BASE_URL,
    signInOffer: () => signIn.offer,
    installation: async () => INSTALLATION,
    version: '0.0.0',
    ...overrides,
  });
  const readiness: Readiness = {
    ready: true,
    database: true,
    scheduleLagMs: 3,
    checksDue: 40,
    checksLate: 2,
    roundsInFlight: 4,
    probes: { ash: 1 },
    overload: null,
    quarantinedRegions: [],
    diskLow: false,
    problems: [],
    roles: ['api', 'scheduler', 'worker', 'probe'],
    isBusConnected: null,
  };
  const mailQueue =
    overrides.mailQueue ??
    createMailQueue({ secretBox, keys: ['a key'], isConfigured: true, openSignup: false });
  const signInDeps = {
    database,
    clock,
    log,
    authenticator,
    mailQueue,
    settings: { ...PASSWORD_ALONE, ...signInSettings },
    passwords,
    secrets,
    baseUrl: () => BASE_URL,
  };
  const signIn = createSignIn(signInDeps);
  const app = buildApi({
    services,
    authenticator,
    signIn,
    oauth: createOauth(signInDeps),
    rateLimits,
    clientKeys: createClientKeys('a key for tests'),
    plans: overrides.plans ?? FULL_PLANS,
    toolServer: { keys: ['a key for tests'], version: '0.0.0' },
    pings: { take: async () => ({ kind: 'unknown' }), announce: () => () => {} },
    clock,
    baseUrl: () => BASE_URL,
    readiness: async () => readiness,
    metrics: new Registry(),
    log,
    ...edge,
  });

  async function call(
    who: TestPerson | TestSession | string | null,
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const shown = typeof who === 'string' ? { token: who } : (who ?? {});
    const response = await injectOnce(app, {
      method: method as 'GET',
      url: path,
      headers: {
        ...('token' in shown && { authorization: `Bearer ${shown.token}` }),
        // As a page of ours sends it.
        ...('cookie' in shown && { cookie: shown.cookie, origin: BASE_URL }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more,
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
      body: (isJson ? JSON.parse(text) : undefined) as Json,
      text,
    };
  }

  return {
    app,
    configuration: services.configuration,
    database,
    clock,
    authenticator,
    signIn,
    live,
    nudges,
    checks,
    inspections,
    inspectionRegions,
    deadRegions,
    setTarget: (next) => (target = next),
    setInspections: (next) => (inspect = next),
    readiness,
    faults,
    async mails() {
      const rows = await database.read
        .selectFrom('delivery')
        .innerJoin('destination', 'destination.id', 'delivery.destination_id')
        .select([
          'delivery.kind',
          'delivery.message_id as messageId',
          'delivery.body as sealed',
          'delivery.expires_at as expiresAt',
        ])
        .where('destination.kind', '=', 'mail')
        .orderBy('delivery.id')
        .execute();
      return rows.map(({ kind, expiresAt, ...mail }) => ({
        kind,
        expiresAt,
        ...openMail(secretBox, mail),
      }));
    },
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

/** The `errors` of a refusal, from a predicate for each field: `{ name: 'must be text' }`. */
export const sentences = (predicates: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(predicates).map(([field, predicate]) => [field, [`${field} ${predicate}.`]]),
  );

/** One house for a table of inputs that change nothing. */
export function sharedApi(): () => Promise<TestApi> {
  let opened: Promise<TestApi> | null = null;
  return () => (opened ??= openInMemory().then((db) => openApi(db)));
}
