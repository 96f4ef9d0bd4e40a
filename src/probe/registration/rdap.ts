import { readFileSync } from 'node:fs';
import type { InspectionResult } from '../../model/inspection.ts';
import { createStop, type ProbeContext } from '../contract.ts';
import { decodeBody } from '../http/body.ts';
import { exchange, type Exchange, type ExchangeContext } from '../http/exchange.ts';
import type { ResponseHead } from '../http/response.ts';
import type { TlsContexts } from '../tls/tls.ts';
import { ServerBusy, type ServerQueue } from './server-queue.ts';
import { storableText } from '../../lib/text.ts';
import { readDate } from './dates.ts';
import { normalizeStatuses } from './epp-status.ts';
import type { Log } from '../../lib/log.ts';
import { readBootstrap, type RdapServers } from '../../lib/rdap-bootstrap.ts';

type Result = InspectionResult<'domain'>;
type Unknown = Extract<Result, { state: 'unknown' }>;

interface RdapQuestion {
  /** Ends in a slash. */
  baseUrl: string;
  domain: string;
  timeoutMs: number;
}

interface RdapContext extends ProbeContext {
  queue: ServerQueue;
  tlsContexts: TlsContexts;
}

const MAX_REDIRECTS = 3;
const MAX_BYTES = 512 * 1024;
const WHOLE_BODY = { readBytes: MAX_BYTES, keepBytes: MAX_BYTES, needsAll: false };
const NO_BODY = { readBytes: 0, keepBytes: 0, needsAll: false };
/** One response of this size per server at a time needs no slot. */
const NO_SLOT = { acquire: () => true, onRevoke: () => undefined };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Rate limit exceeded: 429, and 503 which some send instead. */
const RATE_LIMIT_STATUSES = new Set([429, 503]);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DEFAULT_RETRY_MS = 60 * MINUTE_MS;

/**
 * Queries a registry for a domain by RDAP (RFC 9082, section 3.1.3). Never rejects for what the server does. The guard
 * evaluates its addresses, and those of redirects, like any target's. Ends with the context's signal.
 */
export async function askRdap(question: RdapQuestion, context: RdapContext): Promise<Result> {
  const { queue, signal } = context;
  const deadline = context.clock.monotonic() + question.timeoutMs;
  let url = new URL(`domain/${encodeURIComponent(question.domain)}`, question.baseUrl);
  for (let redirects = 0; ; redirects++) {
    const server = url.hostname;
    const current = url;
    const answer = await queue.run(server, signal, () =>
      request(current, question, deadline, context),
    );
    if (answer instanceof ServerBusy) {
      const { retryAfterMs } = answer;
      return { ...unknown(server, 'has too many queries waiting'), retryAfterMs };
    }
    if (answer instanceof URL) {
      if (redirects === MAX_REDIRECTS) return unknown(server, 'redirects too often');
      url = answer;
    } else return answer;
  }
}

/** Sends one request; returns its result, or the target of a redirect. */
async function request(url: URL, question: RdapQuestion, deadline: number, context: RdapContext) {
  const stop = createStop(context.signal);
  const inContext = { ...context, stop };
  try {
    const answer = await exchange(
      {
        method: 'GET',
        url,
        headers: { Accept: 'application/rdap+json, application/json;q=0.9' },
        body: null,
        acceptsAnyCertificate: false,
        onCertificateFault: null,
        bodyLimits: ({ status }) => (status === 200 ? WHOLE_BODY : NO_BODY),
        slot: NO_SLOT,
        timeoutMs: question.timeoutMs,
        deadline,
      },
      inContext,
    );
    return await readResponse(answer, url, question.domain, inContext);
  } finally {
    stop.release();
  }
}

async function readResponse(
  { failure, head, body, bodyComplete }: Exchange,
  url: URL,
  domain: string,
  { clock, stop }: ExchangeContext,
): Promise<Result | URL> {
  const server = url.hostname;
  if (failure !== null) return unknown(server, `did not answer: ${failure.text}`);
  if (head === null) return unknown(server, 'did not answer');
  const { status } = head;
  if (REDIRECTS.has(status)) {
    return redirected(head, url) ?? unknown(server, 'redirects to an address that is not valid');
  }
  if (status === 404) return unknown(server, `does not know ${domain}`);
  if (RATE_LIMIT_STATUSES.has(status)) {
    const retryAfterMs = readRetryAfter(header(head, 'retry-after'), clock.now());
    return {
      ...unknown(server, `limits the rate of queries (HTTP ${status})`),
      retryAfterMs,
    };
  }
  if (status !== 200) return unknown(server, `answered HTTP ${status}`);
  if (!bodyComplete) return unknown(server, 'sent more than 512 KiB');

  const encoding = header(head, 'content-encoding') ?? '';
  const unpacked = await decodeBody(
    { bytes: body, encoding, complete: true, limit: MAX_BYTES },
    stop,
  );
  if (unpacked.state !== 'ok') return unknown(server, "sent an answer that can't be unpacked");
  if (unpacked.truncated) return unknown(server, 'sent more than 512 KiB');
  const read = readRdapDomain(unpacked.bytes.toString('utf8'), domain);
  if (!read.ok) return unknown(server, read.reason);
  const { expiresAt, registrar, statuses } = read;
  return { state: 'known', facts: { expiresAt, registrar, statuses, source: 'rdap', server } };
}

/** Never redirects from https to http. */
function redirected(head: ResponseHead, from: URL): URL | null {
  const to = URL.parse(header(head, 'location') ?? '', from.href);
  if (to === null || !/^https?:$/.test(to.protocol)) return null;
  if (from.protocol === 'https:' && to.protocol !== 'https:') return null;
  to.username = '';
  to.password = '';
  to.hash = '';
  return to;
}

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, to milliseconds between a minute and a day; an
 * hour if it is absent or invalid.
 */
export function readRetryAfter(value: string | null, now: number): number {
  const text = value?.trim() ?? '';
  const wanted = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wanted) ? DEFAULT_RETRY_MS : Math.min(Math.max(wanted, MINUTE_MS), DAY_MS);
}

function header({ headers }: ResponseHead, name: string): string | null {
  return headers.find(([each]) => each === name)?.[1] ?? null;
}

function unknown(server: string, what: string): Unknown {
  return { state: 'unknown', reason: `RDAP server ${server} ${what}` };
}

/** Facts from an RDAP response, or what is wrong with it, as the end of "the server …". */
type RdapReading =
  | { ok: true; expiresAt: number | null; registrar: string | null; statuses: string[] }
  | { ok: false; reason: string };

type Members = Record<string, unknown>;

/** Parses a domain object (RFC 9083, section 5.3). Skips invalid parts. */
export function readRdapDomain(json: string, domain: string): RdapReading {
  let answer: unknown;
  try {
    answer = JSON.parse(json);
  } catch {
    return { ok: false, reason: 'sent an answer that is not JSON' };
  }
  if (!isObject(answer)) return { ok: false, reason: 'sent an answer that is not a domain' };
  if (!isAbout(answer, domain)) {
    return { ok: false, reason: `sent an answer that is not about ${domain}` };
  }
  const events = objects(answer['events']);
  return {
    ok: true,
    expiresAt: latest(events, 'expiration') ?? latest(events, 'registrar expiration'),
    registrar: registrarName(objects(answer['entities'])),
    statuses: normalizeStatuses(list(answer['status']).filter((each) => typeof each === 'string')),
  };
}

/** Compares names regardless of case and final dot. Without a name, the object's class must match. */
function isAbout(answer: Members, domain: string): boolean {
  const name = answer['ldhName'];
  if (typeof name !== 'string') return answer['objectClassName'] === 'domain';
  return name.toLowerCase().replace(/\.$/, '') === domain.toLowerCase();
}

function latest(events: Members[], action: string): number | null {
  const dates = events
    .filter(({ eventAction }) => eventAction === action)
    .map(({ eventDate }) => (typeof eventDate === 'string' ? readDate(eventDate) : 'none'))
    .filter((date) => typeof date === 'number');
  return dates.length === 0 ? null : Math.max(...dates);
}

/** Full name in the vCard (RFC 7095) of the registrar, else its handle. */
function registrarName(entities: Members[]): string | null {
  const registrar = entities.find(({ roles }) => list(roles).includes('registrar'));
  if (registrar === undefined) return null;
  const properties = list(list(registrar['vcardArray'])[1]);
  const fullName = properties.find((property) => list(property)[0] === 'fn');
  for (const name of [list(fullName)[3], registrar['handle']]) {
    if (typeof name === 'string' && name.trim() !== '')
      return storableText(name.trim().slice(0, 200));
  }
  return null;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function objects(value: unknown): Members[] {
  return list(value).filter(isObject);
}

/**
 * RDAP servers by top-level domain. An outdated row does no harm: WHOIS is used if RDAP fails. RDAP_BOOTSTRAP_FILE
 * replaces the table.
 */
export const RDAP_SERVERS: RdapServers = readTable(
  readFileSync(new URL('./rdap-servers.txt', import.meta.url), 'utf8'),
);

/** Parses rows of a base URL and its top-level domains; the file describes its format. */
function readTable(text: string): RdapServers {
  const rows = text.replace(/^#.*/gm, '').split(/\n(?=\S)/);
  return new Map(
    rows.flatMap((row) => {
      const [baseUrl = '', ...domains] = row.trim().split(/\s+/);
      return domains.map((domain) => [domain, baseUrl.replaceAll('TLD', domain)] as const);
    }),
  );
}

/**
 * Reads RDAP_BOOTSTRAP_FILE; without it, returns the built-in table. The service validated the file at startup: if it
 * has become invalid since, logs an error and uses the table.
 */
export function loadRdapServers(file: string | null, log: Log): RdapServers {
  if (file === null) return RDAP_SERVERS;
  try {
    const read = readBootstrap(readFileSync(file, 'utf8'));
    if (read.ok) return read.servers;
    // Log: The bundled list is used.
    log.error({ file, problem: read.message }, "RDAP_BOOTSTRAP_FILE can't be used.");
  } catch (error) {
    // Log: The bundled list is used.
    log.error({ file, problem: String(error) }, "RDAP_BOOTSTRAP_FILE can't be read.");
  }
  return RDAP_SERVERS;
}
