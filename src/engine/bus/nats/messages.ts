import type { ProbeLoad } from '../../../model/probe-load.ts';
import type { ProbeRequest } from '../../../probe/agent/child.ts';

/*
 * Messages between servers and probes, which may be one release apart:
 * - A reader ignores fields and further values of a list that it does not know.
 * - A field keeps its name and meaning; a new one is optional.
 * - A request that an older probe would carry out wrongly names what it needs in `needs`: a probe that does not know one of
 *   these refuses it. The server then reports the result as unknown, and asks for an upgrade of the probe.
 * - A change that no such rule covers gets a new `PROTOCOL`. Then a release must read both, and write the older one until
 *   every probe is known to read the newer.
 */
export const PROTOCOL = 1;

/** What requests may name in `needs`, beyond what every probe of the protocol can do. */
const KNOWN_NEEDS: ReadonlySet<string> = new Set<string>();

export interface Batch {
  protocol: number;
  /** Milliseconds of the server's monotonic clock as it was sent: it shows how much later than others the batch came. */
  sentAt?: number;
  items: BatchItem[];
}

export type BatchItem = [id: number, request: ProbeRequest, needs?: string[]];

/** Answers of a probe to a batch. The first is sent at once and shows who took the batch; it may hold no results. */
export interface BatchAnswer {
  protocol: number;
  probe: string;
  vantage: string;
  /** Set instead of any result when the probe can't read the batch. */
  refusal?: string;
  /** Read by `readAnswer`. */
  results: [id: number, answer: unknown][];
}

/** The batches that a probe still works on, sent every `UNDER_WAY_EVERY_MS`. */
interface UnderWay {
  protocol: number;
  probe: string;
  batches: string[];
}

/** Sign of life of a probe for one region, sent every `PRESENCE_EVERY_MS`. */
export interface Presence {
  protocol: number;
  probe: string;
  /** Number of messages of this run: a message that is not newer than the last one is ignored. */
  sequence: number;
  vantage: string;
  version: string;
  load: ProbeLoad[];
  now: number;
  /** Set when the probe also takes checks at the subject of its own run. */
  takesDirect?: true;
  isLeaving?: true;
}

export const UNDER_WAY_EVERY_MS = 2_000;
export const PRESENCE_EVERY_MS = 2_000;

/** Why this release can't carry out a request with these needs; null if it can. */
export function missingNeed(needs: readonly string[] = []): string | null {
  return needs.find((need) => !KNOWN_NEEDS.has(need)) ?? null;
}

/** Parses a batch; says why not if it is of another protocol. Null when it is none. */
export function parseBatch(text: string): Batch | { refusal: string } | null {
  const message = parseObject(text);
  if (message === null || typeof message['protocol'] !== 'number') return null;
  if (message['protocol'] !== PROTOCOL)
    return { refusal: `it reads protocol ${PROTOCOL} and was sent ${message['protocol']}` };
  const { items, sentAt } = message;
  if (!Array.isArray(items) || !items.every(isItem)) return null;
  return {
    protocol: PROTOCOL,
    ...(typeof sentAt === 'number' && { sentAt }),
    items: items as BatchItem[],
  };
}

function isItem(item: unknown): boolean {
  if (!Array.isArray(item)) return false;
  const [id, request, needs] = item as unknown[];
  const isRequest = typeof request === 'object' && request !== null;
  const isNeeds = needs === undefined || needs === null || isTexts(needs);
  return Number.isSafeInteger(id) && isRequest && isNeeds;
}

/** Parses the answer to a batch; null when it is none, or of a protocol that this release does not read. */
export function parseBatchAnswer(text: string): BatchAnswer | null {
  const message = parseObject(text);
  if (message === null) return null;
  const { probe, vantage, refusal, results } = message;
  if (!isShortText(probe) || !isShortText(vantage) || !Array.isArray(results)) return null;
  if (refusal !== undefined && !isShortText(refusal)) return null;
  // A refusal is readable in every protocol.
  if (message['protocol'] !== PROTOCOL && refusal === undefined) return null;
  const isWellFormed = results.every(
    (result: unknown) => Array.isArray(result) && Number.isSafeInteger(result[0]),
  );
  return isWellFormed ? (message as unknown as BatchAnswer) : null;
}

export function parseUnderWay(text: string): UnderWay | null {
  const message = parseObject(text);
  if (message === null || message['protocol'] !== PROTOCOL) return null;
  const { probe, batches } = message;
  return isShortText(probe) && isTexts(batches) ? (message as unknown as UnderWay) : null;
}

/** Parses a sign of life, of any protocol; null when it is none. */
export function parsePresence(text: string): Presence | null {
  const message = parseObject(text);
  if (message === null) return null;
  const { protocol, probe, sequence, vantage, version, load, now } = message;
  const isWellFormed =
    Number.isSafeInteger(protocol) &&
    isShortText(probe) &&
    Number.isSafeInteger(sequence) &&
    isShortText(vantage) &&
    isShortText(version) &&
    Number.isFinite(now) &&
    Array.isArray(load);
  if (!isWellFormed) return null;
  return {
    protocol: protocol as number,
    probe: probe as string,
    sequence: sequence as number,
    vantage: vantage as string,
    version: version as string,
    load: (load as unknown[]).slice(0, MAX_PROCESSES).flatMap((one) => readLoad(one) ?? []),
    now: now as number,
    ...(message['takesDirect'] === true && { takesDirect: true }),
    ...(message['isLeaving'] === true && { isLeaving: true }),
  };
}

/** Processes of a probe, of which the load is kept: a holder of the key could list any number. */
const MAX_PROCESSES = 64;

function readLoad(load: unknown): ProbeLoad | null {
  if (typeof load !== 'object' || load === null) return null;
  const { running, waiting, longestWaitMs, capacity, openFiles } = load as Record<string, unknown>;
  if (!isCount(running) || !isCount(waiting) || !isCount(longestWaitMs) || !isCount(capacity))
    return null;
  const files = isCount(openFiles) ? openFiles : null;
  return { running, waiting, longestWaitMs, capacity, openFiles: files };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

const MAX_TEXT = 200;

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/*
 * Subjects of the message bus. A probe of region nbg needs permission to subscribe to `tocsin.check.nbg.>`, and to
 * publish to `tocsin.presence.nbg.>` and `tocsin.answer.>`. A server publishes to `tocsin.check.>`, and subscribes to
 * `tocsin.presence.>` and `tocsin.answer.>`.
 */

/** Checks for the probes of a region that hold that key; any one of them takes each message. */
export function checkSubject(region: string, keyId: string): string {
  return `tocsin.check.${region}.${keyId}`;
}

/** Checks for one probe. @param probe id of its run, which `isSubjectToken` accepts. */
export function directSubject(region: string, keyId: string, probe: string): string {
  return `${checkSubject(region, keyId)}.${probe}`;
}

/** Whether a name can be one part of a subject as it is. */
export function isSubjectToken(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** Queue group of the probes that share a subject of checks. */
export const PROBE_QUEUE = 'probes';

export function presenceSubject(region: string, keyId: string): string {
  return `tocsin.presence.${region}.${keyId}`;
}

export const ALL_PRESENCE = 'tocsin.presence.>';

/** Answers to one batch of checks. @param node id of the process that asked, unique to its run. */
export function answerSubject(node: string, batch: string): string {
  return `tocsin.answer.${node}.${batch}`;
}

export function allAnswers(node: string): string {
  return `tocsin.answer.${node}.>`;
}

/** Name in place of a batch: the message lists the batches that a probe still works on. */
export const UNDER_WAY = 'under-way';

export function batchOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

export function nodeOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}
