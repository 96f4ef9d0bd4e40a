import type { DnsRecords, InspectionResult } from '../../model/inspection.ts';
import type { FailureCode } from '../../model/failure.ts';
import type { ProbeContext } from '../contract.ts';
import { failure } from '../failures.ts';
import type { DnsReply } from './client.ts';
import { isConclusive } from './recursive.ts';
import type { Recursive } from './recursive.ts';

export type DnsResult = InspectionResult<'dns'>;
export type NoRecords = Exclude<DnsResult, { state: 'known' }>;

/** Name of this machine's resolver in texts, which don't show its address. */
export const RESOLVER = 'the resolver of the probe';

/** The server is null for an answer of the resolver. */
export function known(records: DnsRecords, server: string | null): DnsResult {
  const source = server === null ? 'resolver' : 'authoritative';
  return { state: 'known', facts: { records, source, server } };
}

export function unknown(reason: string): NoRecords {
  return { state: 'unknown', reason };
}

export function failed(code: FailureCode, text: string): NoRecords {
  return { state: 'failed', failure: failure(code, text) };
}

export function notFound(host: string): NoRecords {
  return failed('dns_not_found', `DNS name ${host} not found (NXDOMAIN)`);
}

export function lookUpFailed(host: string, reason: string): NoRecords {
  return failed('dns_failed', `DNS look-up of ${host} failed: ${reason}`);
}

/** Describes a reply without an answer, such as `SERVFAIL from ns1.example.com`; null for a timeout. */
export function replyProblem(reply: DnsReply, from: string): string | null {
  switch (reply.state) {
    case 'timeout':
      return null;
    case 'unreadable':
      return `unreadable answer from ${from}`;
    case 'unreachable':
      return `${from} can't be reached (${reply.reason})`;
    case 'answer':
      return isConclusive(reply) ? `${from} is not authoritative` : `${reply.rcode} from ${from}`;
  }
}

/**
 * Result for a name that the resolver doesn't know. The target is only at fault if the resolver knows other names and
 * this machine has a network.
 */
export function resolverFailed(
  host: string,
  reply: DnsReply,
  recursive: Recursive,
  { resolver }: ProbeContext,
): NoRecords {
  if (!resolver.hasNetwork(4) && !resolver.hasNetwork(6))
    return unknown('The probe has no network');
  const said = replyProblem(reply, RESOLVER);
  if (!recursive.isWorking() || reply.state === 'unreachable') {
    return unknown(`The probe can't look up names: ${said ?? `no answer from ${RESOLVER}`}`);
  }
  return said === null
    ? failed('dns_timeout', `DNS timeout looking up ${host}`)
    : lookUpFailed(host, said);
}
