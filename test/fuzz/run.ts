import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { ServicesDeps } from '../../src/resources/services.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { NO_MAIL, openApi, type Answer, type TestApi } from '../support/api.ts';
import { SAMPLE_DASHBOARD } from '../support/sample-dashboard.ts';
import { injectOnce } from '../support/event-streams.ts';
import { contract, isOfApi } from '../support/openapi.ts';
import { giveToken } from '../support/people.ts';
import { createFuzzedLinks } from './alert-links.ts';
import { revive, settleCrowd } from './people.ts';
import { createPool, type Pool } from './pool.ts';
import { anyRequest, encoded, SLOW, type CallerName, type FuzzRequest } from './requests.ts';
import { leaveSetupLink } from './setup-link.ts';
import { truthOf, type Truth } from './truth.ts';
import { isExisting, Raw, type Existing } from './values.ts';

export interface FuzzReport {
  /** Null if every response was right. */
  failure: string | null;
  /** Number of responses by operation and status. */
  answers: Map<string, Map<number, number>>;
}

/** A request as it is sent. */
interface Outgoing {
  token: string | null;
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: string | undefined;
}

/** Requests in flight at once, as from several clients. */
const MOST_AT_ONCE = 5;
/** Number of requests after which people and tokens are restored. */
const BURSTS_OF_A_LIFE = 10;
/** Maximum number of extra requests for each operation without a success. */
const REQUESTS_FOR_RARE = 200;
const TURNS_FOR_RARE = 8;
/** A response that takes longer each time is a hang. */
const SLOWEST_MS = 10_000;
/** How often a slow request is sent: on a machine with other work a large report takes seconds. */
const TIMES_IF_SLOW = 6;
/** Bursts that are tried after one has failed, to find a smaller one: the failure is reported before the test times out. */
const MOST_ATTEMPTS = 300;

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Whether operations without a success get extra requests; true by default. */
  isEachDone?: boolean;
  /** Parts of the services that replace the usual ones. */
  overrides?: Partial<ServicesDeps>;
}

/** Requests without an answer for this long may wait for the clock, which then goes on by a leap; in milliseconds. */
const STUCK_MS = 500;
const LEAP_MS = 250;

/** Sends about that many requests to an API on a new database; the same seed sends the same requests. */
export async function fuzz(
  database: Database,
  { requests, seed, isEachDone = true, overrides }: FuzzOptions,
): Promise<FuzzReport> {
  // Without mail, links are returned instead, which allows more operations.
  const alertLinks = createFuzzedLinks();
  // Paths with dot segments also lead to pages, which answer 503 while there is no dashboard.
  const dashboard = { builds: SAMPLE_DASHBOARD, version: 'test' };
  const services = { mailQueue: NO_MAIL, alertLinks, ...overrides };
  const api = await openApi(database, services, { dashboard });
  const { document } = contract();
  const world = {
    api,
    pool: createPool(),
    truth: truthOf(document),
    tokens: await tokensOf(api),
    answers: new Map<string, Map<number, number>>(),
  };
  const crowd = await settleCrowd(api, world.pool);
  const people = { pool: world.pool, crowd };
  await revive(api, world.tokens, people);
  await leaveSetupLink(api, world.pool);
  await alertLinks.leave(api);
  let wrong = '';
  let bursts = 0;
  let attempts = 0;
  const burstOf = (only?: readonly string[]) =>
    fc.array(anyRequest(document, only), { minLength: 1, maxLength: MOST_AT_ONCE });
  const judge = async (burst: FuzzRequest[]) => {
    if (wrong !== '' && (attempts += 1) > MOST_ATTEMPTS) return;
    if ((bursts += 1) % BURSTS_OF_A_LIFE === 0) {
      await revive(api, world.tokens, people);
      await leaveSetupLink(api, world.pool);
      await alertLinks.leave(api);
    }
    const outgoing = burst.map((request) => resolved(request, world));
    const sent = await timeGoesOn(api, Promise.all(outgoing.map((one) => patiently(api, one))));
    const faults = sent.flatMap((one, index) =>
      faultsOf(burst[index]!, outgoing[index]!, one, world),
    );
    faults.push(...api.faults.splice(0).map((fault) => `A fault was logged: ${inWords(fault)}`));
    if (faults.length === 0) return;
    wrong = outgoing.map(asCurl).join(' &\n');
    throw new Error(faults.map((fault) => fault.slice(0, 2_000)).join('\n'));
  };
  const check = (burst: fc.Arbitrary<FuzzRequest[]>, count: number, turn = 0) => {
    const numRuns = Math.ceil(count / ((1 + MOST_AT_ONCE) / 2));
    return fc.check(fc.asyncProperty(burst, judge), { numRuns, seed: seed + turn });
  };
  let details = await check(burstOf(), requests);
  // Some operations never got a valid request by chance: these get extra ones.
  const turns = isEachDone ? TURNS_FOR_RARE : 0;
  for (let turn = 1; turn <= turns && !details.failed; turn += 1) {
    const rare = neverDone(world.answers);
    if (rare.length === 0) break;
    const asked = withCreators(rare);
    details = await check(burstOf(asked), asked.length * REQUESTS_FOR_RARE, turn);
  }
  if (!details.failed) return { failure: null, answers: world.answers };
  const error = String(details.errorInstance ?? 'interrupted');
  const again = `npm run fuzz -- --requests ${requests} --seed ${seed}`;
  const after = `burst ${details.numRuns}, made smaller ${details.numShrinks} times`;
  return { failure: `${error}\n${after}:\n${wrong}\nAgain: ${again}`, answers: world.answers };
}

const nounOf = (path: string) => path.split('/')[1];
const nameOf = (operation: unknown) => (operation as { operationId: string }).operationId;

/** Together with the operations that create their objects, which may all be deleted. */
function withCreators(names: readonly string[]): string[] {
  const paths = Object.entries(contract().document.paths ?? {});
  const wanted = paths
    .filter(([, item]) => Object.values(item as object).some((one) => names.includes(nameOf(one))))
    .map(([path]) => path);
  // Such as `/announcements` and `/announcements/{id}/updates` for `/announcements/{id}/updates/{update}`.
  const isAbove = (path: string) =>
    wanted.some(
      (one) => one.startsWith(`${path}/`) || (!path.includes('{') && nounOf(one) === nounOf(path)),
    );
  const creators = paths.flatMap(([path, item]) =>
    item?.post !== undefined && isAbove(path) ? [nameOf(item.post)] : [],
  );
  return [...new Set([...names, ...creators.filter((name) => !SLOW.has(name))])];
}

/** Operations without a successful request. */
export function neverDone(answers: FuzzReport['answers']): string[] {
  const items = Object.values(contract().document.paths ?? {});
  return items
    .flatMap((item) => Object.values(item as Record<string, { operationId: string }>))
    .map(({ operationId }) => operationId)
    .filter((name) => ![...(answers.get(name) ?? [])].some(([status]) => status < 300));
}

/** Share of the requests that succeeded, from 0 to 1. */
export function shareDone(answers: FuzzReport['answers']): number {
  const counts = [...answers.values()].flatMap((byStatus) => [...byStatus]);
  const sum = (some: typeof counts) => some.reduce((total, [, count]) => total + count, 0);
  return sum(counts.filter(([status]) => status < 300)) / sum(counts);
}

interface World {
  api: TestApi;
  pool: Pool;
  truth: Truth;
  tokens: Record<CallerName, string | null>;
  answers: FuzzReport['answers'];
}

async function tokensOf(api: TestApi): Promise<World['tokens']> {
  const permissions = ['read'] as const;
  return {
    alice: api.alice.token,
    ed: api.ed.token,
    vera: api.vera.token,
    mallory: api.mallory.token,
    reader: await giveToken(api.database, api.alice, { permissions, now: api.clock.now() }),
    nobody: null,
    garbage: 'tocsin_garbage',
  };
}

function resolved(
  { who, method, path, query, body, headers }: FuzzRequest,
  world: World,
): Outgoing {
  const segments = path.map((segment) =>
    isExisting(segment) ? world.pool.idOf(segment, who) : segment,
  );
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const payload =
    body === undefined
      ? undefined
      : 'text' in body
        ? body.text
        : jsonOf(body.json, (one) => world.pool.idOf(one, who));
  // Resolves dot segments as clients do.
  const { pathname } = new URL(`http://localhost/api/${segments.join('/')}`);
  return {
    token: world.tokens[who],
    method,
    url: `${pathname}${search === '' ? '' : `?${search}`}`,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    payload,
  };
}

/** JSON with placeholders replaced by ids. */
function jsonOf(value: unknown, idOf: (existing: Existing) => number): string {
  if (value instanceof Raw) return value.json;
  if (isExisting(value)) return String(idOf(value));
  if (Array.isArray(value)) return `[${value.map((one) => jsonOf(one, idOf)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${jsonOf(one, idOf)}`,
  );
  return `{${fields.join(',')}}`;
}

/** Faults of a response, in sentences; adds its objects to the pool. */
function faultsOf(
  { who, query }: FuzzRequest,
  { method, url, payload }: Outgoing,
  { answer: { status, headers, text }, milliseconds }: Sent,
  { pool, truth, answers }: World,
): string[] {
  const found = isOfApi(url) ? contract().find({ method, path: url }) : undefined;
  const name = found?.name ?? 'no operation';
  const counts = answers.get(name) ?? new Map<number, number>();
  answers.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));

  const isSuccess = status < 300 && method !== 'HEAD';
  const body = isSuccess ? parsed(text) : undefined;
  const accepted = { query, body: parsed(payload ?? ''), answer: body };
  const documented = () => contract().faultsOf({ method, path: url }, { status, headers, text });
  const faults = [
    ...(status >= 500 ? [`It answered ${status}: ${text}`] : []),
    ...(milliseconds > SLOWEST_MS ? [`It took ${Math.round(milliseconds)} ms.`] : []),
    ...(isOfApi(url) ? documented() : []),
    ...(isSuccess && found !== undefined ? truth.liesOf(found, accepted) : []),
    ...pool.foreignIn(who, url, body),
  ];
  pool.learn(who, method, url, status, body);
  return faults.map((fault) => `${method} ${url.slice(0, 100)}: ${fault}`);
}

interface Sent {
  answer: Pick<Answer, 'status' | 'headers' | 'text'>;
  milliseconds: number;
}

/** A slow request is sent again, since the machine may be busy. */
async function patiently(api: TestApi, outgoing: Outgoing): Promise<Sent> {
  let sent = await send(api, outgoing);
  for (let times = 1; sent.milliseconds > SLOWEST_MS && times < TIMES_IF_SLOW; times += 1)
    sent = await send(api, outgoing);
  return sent;
}

/** Lets the clock go on while requests wait for it, such as those of an overview in a storm of changes. */
async function timeGoesOn<Answers>(
  { clock }: TestApi,
  answers: Promise<Answers>,
): Promise<Answers> {
  const isAnswered = answers.then(
    () => true,
    () => true,
  );
  for (;;) {
    const pause = new AbortController();
    const paused = setTimeout(STUCK_MS, false, { signal: pause.signal }).catch(() => false);
    const isDone = await Promise.race([isAnswered, paused]);
    pause.abort();
    if (isDone) return answers;
    await clock.advance(LEAP_MS);
  }
}

async function send(
  api: TestApi,
  { token, method, url, headers, payload }: Outgoing,
): Promise<Sent> {
  const begun = performance.now();
  const response = await injectOnce(api.app, {
    method: method as 'GET',
    url,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    ...(payload !== undefined && { payload }),
  });
  return {
    answer: { status: response.statusCode, headers: response.headers, text: response.body },
    milliseconds: performance.now() - begun,
  };
}

function inWords(fields: object): string {
  return 'error' in fields && fields.error instanceof Error
    ? String(fields.error.stack)
    : JSON.stringify(fields);
}

function asCurl({ token, method, url, headers, payload }: Outgoing): string {
  const all = { ...(token !== null && { authorization: 'Bearer $TOKEN' }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = payload === undefined ? [] : [`--data-binary ${quoted(payload)}`];
  return ['curl -i -g --path-as-is', `-X ${method}`, ...lines, ...data, quoted(`$BASE_URL${url}`)]
    .map((part) =>
      part.length > 3_000 ? `${part.slice(0, 3_000)}… (${part.length} characters)` : part,
    )
    .join(' ');
}

/** A shell command; its variables are not expanded. */
function quoted(text: string): string {
  const isPlain = !/["\\`!]/.test(text);
  return isPlain ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
