import { DNS_RECORD_TYPES } from '../../model/inspection.ts';
import type { DnsRecords, DnsRecordType } from '../../model/inspection.ts';
import type { DnsAnswer, DnsReply } from './client.ts';
import { replyProblem, failed, unknown } from './outcome.ts';
import type { NoRecords } from './outcome.ts';
import { normalizeRecords } from './records.ts';
import type { ResourceRecord } from './records.ts';
import { isConclusive } from './recursive.ts';

export const ADDRESS_TYPES = ['A', 'AAAA'] as const;

/** Aliases of aliases are followed so far; resolvers give up at about the same length. */
const MAX_CHAIN = 16;

export type CollectedRecords = { state: 'complete'; records: DnsRecords } | NoRecords;

/**
 * The host's own records of all types, or none: a set that lacks one type would look like a change. When a name server
 * of the zone, named by `nameServer`, answers a type with an error, the look-up has failed. Silence, while other types
 * are answered, is nothing found out; so is an error of the probe's own resolver, which may refuse some types to all.
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
    : unknown(`The ${silent} records of ${host} were not told`);
}

/** Whether the answer says that there is no such name. That what an alias leads to does not exist is another matter. */
export function isDenied({ rcode, answers }: DnsAnswer, host: string): boolean {
  return rcode === 'NXDOMAIN' && !answers.some(({ name }) => name === host);
}

/** The values at the end of the aliases that lead on from the name; none when these go round in a circle. */
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
