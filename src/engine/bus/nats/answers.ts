import { z } from 'zod';
import type { CheckResult } from '../../../model/check.ts';
import { DOWN_CODES, UNKNOWN_CODES, type FailureCode } from '../../../model/failure.ts';
import { DNS_RECORD_TYPES, type InspectionResult } from '../../../model/inspection.ts';
import type { MachineReport } from '../../../model/machine.ts';
import { packResult, unpackResult, type PackedResult } from '../../../model/packed-result.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';

/*
 * What a probe on another machine answers is judged like any input: a faulty or hostile probe may say that its targets are
 * up or down, and nothing else. Fields of newer releases are dropped.
 *
 * `sentAt` of a result is a time of the probe's clock. It crosses the bus as milliseconds since the probe received the
 * request, so that clocks need not agree.
 */

/** @param receivedAt when the probe received the request, by its clock. */
export function writeAnswer(answer: ProbeAnswer, receivedAt: number): unknown {
  if (!('vote' in answer)) return answer;
  return packResult(
    answer.sentAt === undefined
      ? answer
      : { ...answer, sentAt: Math.max(0, answer.sentAt - receivedAt) },
  );
}

/** When the probe received a request, and when its answer came here: epoch milliseconds of our clock. */
interface Travel {
  receivedAt: number;
  answeredAt: number;
}

/** Reads the answer to a request. Null when it is none to such a request. */
export function readAnswer(
  request: ProbeRequest,
  value: unknown,
  travel: Travel,
): ProbeAnswer | null {
  if (!('kind' in request)) return readCheck(value, travel);
  const schema = request.kind === 'machine' ? machineAnswer : inspections[request.kind];
  return (schema.safeParse(value).data ?? null) as MachineReport | InspectionResult | null;
}

function readCheck(value: unknown, { receivedAt, answeredAt }: Travel): CheckResult | null {
  const result = Array.isArray(value)
    ? readPlain(value)
    : // The codes are those of `model/failure.ts`: the schema has replaced all others.
      ((checkResult.safeParse(value).data ?? null) as CheckResult | null);
  if (result?.sentAt !== undefined) {
    const sentAt = Math.round(receivedAt + Math.max(0, result.sentAt));
    result.sentAt = Math.min(sentAt, answeredAt);
  }
  return result;
}

/** Reads the short form of a good result, of which there are many. */
function readPlain(values: readonly unknown[]): CheckResult | null {
  if (values.length < PLAIN_LENGTH) return null;
  const numbers = values.slice(0, 7);
  const [status] = numbers;
  const [address, sentAt, flags] = values.slice(7, PLAIN_LENGTH);
  const isAddress = address === null || (typeof address === 'string' && ADDRESS.test(address));
  const isWellFormed =
    numbers.every((one) => one === null || isTime(one)) &&
    (status === null || Number.isSafeInteger(status)) &&
    isAddress &&
    (sentAt === null || isTime(sentAt)) &&
    Number.isSafeInteger(flags);
  return isWellFormed ? unpackResult(values as unknown as PackedResult) : null;
}

const PLAIN_LENGTH = 10;
const ADDRESS = /^[\w.:%-]{1,100}$/;

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIME_MS;
}

/** A day: no check takes longer, whatever its limits. */
const MAX_TIME_MS = 86_400_000;

const MAX_NAME = 255;
const MAX_TEXT = 4_000;
const MAX_BODY = 16_384;
const MAX_LIST = 200;

/** Texts without what Postgres can't store. */
function textOf(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .transform((given) => given.replaceAll('\0', '').toWellFormed());
}

const name = textOf(MAX_NAME);
const text = textOf(MAX_TEXT);
const longText = textOf(MAX_BODY);
const time = z.number().nonnegative().max(MAX_TIME_MS);
/** Whole milliseconds that a Date can hold. */
const epoch = z.number().int().min(-8.64e15).max(8.64e15);

/** Codes that a newer probe may know and this release does not become the most general one. */
function failureOf(known: readonly string[], general: FailureCode) {
  const code = name.transform((given) => (known.includes(given) ? given : general));
  return z.object({ code, text });
}

const downFailure = failureOf(DOWN_CODES, 'connection_failed');
const unknownFailure = failureOf(UNKNOWN_CODES, 'probe_error');

const tls = z.object({
  protocol: name.nullable(),
  subject: text.nullable(),
  issuer: text.nullable(),
  validFrom: name.nullable(),
  validTo: name.nullable(),
  cipher: name.nullable(),
  chain: z
    .array(
      z.object({
        subject: text.nullable(),
        issuer: text.nullable(),
        validTo: name.nullable(),
      }),
    )
    .max(10),
});

const evidence = z.object({
  statusLine: text.nullable(),
  headers: z.record(name, longText).refine((headers) => Object.keys(headers).length <= MAX_LIST),
  body: longText.nullable(),
  redirects: z.array(longText).max(10),
  tls: tls.nullable(),
});

const content = z.object({
  kind: z.enum(['keyword', 'json']),
  passed: z.boolean(),
  outcomes: z.array(z.object({ passed: z.boolean(), text })).max(10),
});

const family = downFailure.nullable();

const measured = z.object({
  responseTimeMs: time.nullable(),
  statusCode: z.number().int().min(0).max(999).nullable(),
  timings: z.object({
    dnsMs: time.nullable(),
    tcpMs: time.nullable(),
    tlsMs: time.nullable(),
    ttfbMs: time.nullable(),
    totalMs: time.nullable(),
  }),
  remoteAddress: name.nullable(),
  isOnLink: z.literal(true).optional(),
  evidence: evidence.nullable(),
  content: content.optional(),
  certificateFault: downFailure.optional(),
  families: z.object({ ipv4: family, ipv6: family }).optional(),
  hasOneFamily: z.literal(true).optional(),
  sentAt: z.number().optional(),
});

const checkResult = z.discriminatedUnion('vote', [
  measured.extend({ vote: z.literal('up'), failure: z.null() }),
  measured.extend({ vote: z.literal('down'), failure: downFailure }),
  measured.extend({ vote: z.literal('unknown'), failure: unknownFailure }),
]);

const state = z.enum(['works', 'broken', 'unknown']);

const machine = z.object({
  ipv4: state,
  ipv6: state,
  gateway: state,
  resolver: state,
  gatewayAddress: name.nullable(),
  resolverAddress: name.nullable(),
}) satisfies z.ZodType<MachineReport>;

const certificate = z.object({
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  serialNumber: name,
  subject: text.nullable(),
  issuer: text.nullable(),
  names: z.array(text).max(100),
  validFrom: epoch,
  validTo: epoch,
  keyType: name.nullable(),
  keyBits: z.number().int().nonnegative().max(1_000_000).nullable(),
});

const sslFacts = z.object({
  address: name,
  protocol: name.nullable(),
  cipher: name.nullable(),
  certificate,
  chain: z
    .array(
      z.object({
        subject: text.nullable(),
        issuer: text.nullable(),
        validTo: epoch,
        isSpare: z.literal(true).optional(),
      }),
    )
    .max(10),
  fault: downFailure.nullable(),
  ocsp: z
    .object({
      status: z.enum(['good', 'revoked', 'unknown', 'unreadable']),
      producedAt: epoch.nullable(),
      nextUpdate: epoch.nullable(),
    })
    .nullable(),
});

const records = z.array(longText).max(1_000);
const dnsFacts = z.object({
  records: z.object(
    Object.fromEntries(DNS_RECORD_TYPES.map((type) => [type, records])) as Record<
      (typeof DNS_RECORD_TYPES)[number],
      typeof records
    >,
  ),
  source: z.enum(['authoritative', 'resolver']),
  server: name.nullable(),
});

const domainFacts = z.object({
  expiresAt: epoch.nullable(),
  registrar: text.nullable(),
  statuses: z.array(text).max(MAX_LIST),
  source: z.enum(['rdap', 'whois']),
  server: name,
});

const failed = z.object({ state: z.literal('failed'), failure: downFailure });
const unknown = z.object({
  state: z.literal('unknown'),
  reason: text,
  retryAfterMs: time.optional(),
});

/** A machine without a running probe reports as an inspection that found nothing out. */
const machineAnswer = z.union([machine, unknown]);

function inspectionOf<Facts extends z.ZodType>(facts: Facts) {
  return z.discriminatedUnion('state', [
    z.object({ state: z.literal('known'), facts }),
    failed,
    unknown,
  ]);
}

const inspections = {
  ssl: inspectionOf(sslFacts),
  dns: inspectionOf(dnsFacts),
  domain: inspectionOf(domainFacts),
};
