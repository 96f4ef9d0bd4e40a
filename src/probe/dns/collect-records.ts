import { DNS_RECORD_TYPES } from '../../model/inspection.ts';
import type { DnsRecords, DnsRecordType } from '../../model/inspection.ts';
import type { DnsAnswer, DnsReply } from './client.ts';
import { replyProblem, failed, unknown } from './outcome.ts';
import type { NoRecords } from './outcome.ts';
import { normalizeRecords } from './records.ts';
import type { ResourceRecord } from './records.ts';
import { isConclusive } from './recursive.ts';

export const ADDRESS_TYPES = ['A', 'AAAA'] as const;

/** Maximum length of an alias chain, about the same as that of resolvers. */
const MAX_CHAIN = 16;

export type CollectedRecords = { state: 'complete'; records: DnsRecords } | NoRecords;

/**
 * Collects the host's own records of all types, or none: a set without one type would look like a change. If an
 * authoritative name server, given by `nameServer`, answers a type with an error, the lookup has failed. A timeout for
 * some types means unknown; so does an error of the probe's own resolver, which may refuse some types in general.
 */
export async function collectRecords(
  host: string,
  knownReplies: Partial<Record<DnsRecordType, DnsReply>>,
  ask: (type: DnsRecordType) => Promise<DnsReply>,
  nameServer: string | null,
): Promise<CollectedRecords> {
  const replies = await Promise.all(
    DNS_RECORD_TYPES.map(async (type) => ({
      type,
      reply: knownReplies[type] ?? (await ask(type)),
    })),
  );
  const values: Partial<Record<DnsRecordType, string[]>> = {};
  for (const { type, reply } of replies) {
    if (isConclusive(reply)) values[type] = valuesOf(host, type, reply.answers);
    else if (reply.state === 'answer' && nameServer !== null) {
      const text = `DNS look-up of ${host} failed for its ${type} records`;
      return failed('dns_failed', `${text}: ${replyProblem(reply, nameServer)}`);
    }
  }
  const silent = DNS_RECORD_TYPES.find((type) => values[type] === undefined);
  return silent === undefined
    ? { state: 'complete', records: normalizeRecords(values) }
    : unknown(`The ${silent} records of ${host} were not returned`);
}

/** Whether the answer says that the name doesn't exist. An alias to a name that doesn't exist is another matter. */
export function isDenied({ rcode, answers }: DnsAnswer, host: string): boolean {
  return rcode === 'NXDOMAIN' && !answers.some(({ name }) => name === host);
}

/** Values at the end of the name's alias chain; none if it is circular. */
export function valuesAtEnd(
  name: string,
  type: DnsRecordType,
  records: readonly ResourceRecord[],
): string[] {
  let at = name;
  for (let step = 0; step < MAX_CHAIN; step++) {
    const [alias] = valuesOf(at, 'CNAME', records);
    if (alias === undefined) return valuesOf(at, type, records);
    at = alias;
  }
  return [];
}

function valuesOf(name: string, type: DnsRecordType, records: readonly ResourceRecord[]): string[] {
  return records
    .filter((record) => record.name === name && record.type === type)
    .map(({ value }) => value);
}
