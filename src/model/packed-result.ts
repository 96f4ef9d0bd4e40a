import type { CheckResult } from './check.ts';

/**
 * A check result as it crosses a process boundary: a result without failure, evidence or content as a short list of its
 * values, which takes a third of the bytes and of the time; anything else as it is. JSON keeps both.
 */
export type PackedResult = CheckResult | PlainValues;

/** Times in milliseconds as in `CheckResult` and `Timings`. */
type PlainValues = [
  statusCode: number | null,
  responseTimeMs: number | null,
  dnsMs: number | null,
  tcpMs: number | null,
  tlsMs: number | null,
  ttfbMs: number | null,
  totalMs: number | null,
  remoteAddress: string | null,
  sentAt: number | null,
  flags: number,
];

/** All fields that the list holds: a result with another one is sent as it is. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set<keyof CheckResult>([
  'vote',
  'failure',
  'responseTimeMs',
  'statusCode',
  'timings',
  'remoteAddress',
  'evidence',
  'isOnLink',
  'hasOneFamily',
  'sentAt',
]);
const ON_LINK = 1;
const ONE_FAMILY = 2;

export function packResult(result: CheckResult): PackedResult {
  if (!isPlain(result)) return result;
  const { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs } = result.timings;
  return [
    result.statusCode,
    result.responseTimeMs,
    dnsMs,
    tcpMs,
    tlsMs,
    ttfbMs,
    totalMs,
    result.remoteAddress,
    result.sentAt ?? null,
    (result.isOnLink ? ON_LINK : 0) | (result.hasOneFamily ? ONE_FAMILY : 0),
  ];
}

function isPlain(result: CheckResult): boolean {
  if (result.vote !== 'up' || result.failure !== null || result.evidence !== null) return false;
  for (const name in result) if (!PLAIN_FIELDS.has(name)) return false;
  return true;
}

export function unpackResult(packed: PackedResult): CheckResult {
  if (!Array.isArray(packed)) return packed;
  const [statusCode, responseTimeMs, dnsMs, tcpMs, tlsMs, ttfbMs, totalMs] = packed;
  const [, , , , , , , remoteAddress, sentAt, flags] = packed;
  const result: CheckResult = {
    vote: 'up',
    failure: null,
    responseTimeMs,
    statusCode,
    timings: { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs },
    remoteAddress,
    evidence: null,
  };
  if ((flags & ON_LINK) !== 0) result.isOnLink = true;
  if ((flags & ONE_FAMILY) !== 0) result.hasOneFamily = true;
  if (sentAt !== null) result.sentAt = sentAt;
  return result;
}
