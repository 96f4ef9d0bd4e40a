import { getServers } from 'node:dns';
import {
  DNS_RECORD_TYPES,
  type DnsRecords,
  type DnsRecordType,
  type DnsRequest,
  type InspectionResult,
} from '../../model/inspection.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import type { Family, ResolvedAddress } from '../../net/host.ts';
import { isShutdown, type Inspector, type ProbeContext } from '../contract.ts';
import { probeError, shutdownFailure } from '../failures.ts';
import {
  askAgain,
  askAuthority,
  findZones,
  type AuthorityResult,
  type AuthorityDeps,
  type Zone,
} from './authority.ts';
import { createDnsClient, type DnsReply, type DnsAnswer } from './client.ts';
import { isQueryable, normalizeName, normalizeRecords, type ResourceRecord } from './records.ts';
import {
  createRecursive,
  isConclusive,
  parseServer,
  replyProblem,
  type Recursive,
} from './recursive.ts';
import type { FailureCode } from '../../model/failure.ts';

export interface DnsInspectorDeps {
  /** Recursive name servers as `address` or `address:port`; this machine's by default. */
  servers?: string[];
  /** UDP and TCP port of authoritative name servers. */
  port?: number;
}

interface Lookup {
  host: string;
  context: ProbeContext;
  recursive: Recursive;
  authority: AuthorityDeps;
}

/** Shares of the time limit: one lookup by a recursive name server, and one query to an authoritative one. */
const RECURSIVE_SHARE = 1 / 5;
const SERVER_SHARE = 1 / 12;
const DNS_PORT = 53;

/**
 * Finds the records of a host at the name servers of its zone (contract 23.11, 23.13). If none of these can be reached,
 * and for names of the local network, the answer of the machine's own resolver counts.
 */
export function createDnsInspector(deps: DnsInspectorDeps = {}): Inspector<DnsRequest> {
  return async (request, context) => {
    try {
      const result = await inspect(request, context, deps);
      const isCutShort = result.state !== 'known' && isShutdown(context.signal);
      return isCutShort ? unknown(shutdownFailure().text) : result;
    } catch (error) {
      return unknown(probeError(error).text);
    }
  };
}

async function inspect(
  { host: asked, timeoutMs }: DnsRequest,
  context: ProbeContext,
  deps: DnsInspectorDeps,
): Promise<DnsResult> {
  const host = normalizeName(asked);
  const ownAddresses = await knownWithoutDns(host, context);
  if (ownAddresses !== null)
    return knownUnlessPrivate(host, addressRecords(ownAddresses), null, context);
  if (!isQueryable(host) || host === '.') {
    return failed('dns_not_found', `"${host}" is not a valid host name`);
  }
  return lookUp(startLookup(host, timeoutMs, context, deps));
}

/** Addresses from the hosts file and `localhost`: what the resolver knows although its signal is aborted. */
async function knownWithoutDns(host: string, { resolver }: ProbeContext) {
  const resolution = await resolver.resolve(host, AbortSignal.abort('deadline'));
  return resolution.ok ? resolution.addresses : null;
}

function addressRecords(addresses: ResolvedAddress[]): DnsRecords {
  const of = (family: Family) =>
    addresses.filter((each) => each.family === family).map(({ address }) => address);
  return normalizeRecords({ A: of(4), AAAA: of(6) });
}

function startLookup(
  host: string,
  timeoutMs: number,
  context: ProbeContext,
  deps: DnsInspectorDeps,
): Lookup {
  const { clock, signal, guard, resolver } = context;
  const client = createDnsClient({ clock });
  const recursive = createRecursive({
    client,
    servers: (deps.servers ?? getServers()).map(parseServer),
    timeoutMs: timeoutMs * RECURSIVE_SHARE,
    signal,
  });
  const authority = {
    client,
    recursive,
    guard,
    hasNetwork: (family: Family, destination?: string) => resolver.hasNetwork(family, destination),
    port: deps.port ?? DNS_PORT,
    timeoutMs: timeoutMs * SERVER_SHARE,
    signal,
  };
  return { host, context, recursive, authority };
}

async function lookUp(look: Lookup): Promise<DnsResult> {
  const { host, recursive, context } = look;
  const [zones, A, AAAA] = await Promise.all([
    findZones(host, recursive),
    recursive.ask({ name: host, type: 'A' }),
    recursive.ask({ name: host, type: 'AAAA' }),
  ]);
  const resolved = { A, AAAA };
  if (isLocalName(host, [A, AAAA], zones)) return fromResolver(look, resolved);
  const said = await askAuthority({ name: host, type: 'A' }, zones, look.authority);
  if (said.state === 'answer') return fromAuthority(look, said);
  if (said.state === 'failed') return lookUpFailed(host, said.reason);
  if (isConclusive(A) || isConclusive(AAAA)) return fromResolver(look, resolved);
  const failure = resolverFailed(host, moreInformative(A, AAAA), recursive, context);
  // A problem of an authoritative name server is more specific than a failed resolver.
  if (failure.state === 'failed' && said.reason !== null) return lookUpFailed(host, said.reason);
  return failure;
}

/**
 * Whether the name belongs to the local network and not to the public tree: the machine's name server is authoritative
 * for it, or knows it although there is no zone for it below the root. Public name servers would deny such a name.
 */
function isLocalName(host: string, replies: DnsReply[], zones: Zone[]): boolean {
  const isPublic = zones.some(({ name }) => name !== '.');
  return replies.some(
    (reply) =>
      isConclusive(reply) &&
      reply.answers.some(({ name }) => name === host) &&
      (reply.isAuthoritative || !isPublic),
  );
}

async function fromAuthority(
  look: Lookup,
  { reply, server, others }: Extract<AuthorityResult, { state: 'answer' }>,
): Promise<DnsResult> {
  const { host, authority, recursive } = look;
  if (isDenied(reply, host)) return notFound(host);
  const ask = async (type: DnsRecordType): Promise<DnsReply> => {
    const question = { name: host, type };
    const said = await askAgain(question, [server, others[0] ?? server], authority);
    if (isConclusive(said) && said.isAuthoritative) return said;
    const resolved = await recursive.ask(question);
    return isConclusive(resolved) ? resolved : said;
  };
  const gathered = await collectRecords(host, { A: reply }, ask, server.name);
  return followAlias(gathered, server.address, look);
}

async function fromResolver(
  look: Lookup,
  resolved: { A: DnsReply; AAAA: DnsReply },
): Promise<DnsResult> {
  const { host, recursive } = look;
  const inHand: Partial<Record<DnsRecordType, DnsReply>> = {};
  for (const type of ADDRESS_TYPES) {
    const reply = resolved[type];
    if (!isConclusive(reply)) continue;
    if (isDenied(reply, host)) return notFound(host);
    inHand[type] = reply;
  }
  const ask = (type: DnsRecordType): Promise<DnsReply> => recursive.ask({ name: host, type });
  return followAlias(await collectRecords(host, inHand, ask, null), null, look);
}

/**
 * Adds the addresses that an alias leads to, through any zones, by the machine's resolver. An alias that leads nowhere
 * fails like a name that doesn't exist.
 */
async function followAlias(
  gathered: CollectedRecords,
  server: string | null,
  { host, recursive, context }: Lookup,
): Promise<DnsResult> {
  if (gathered.state !== 'complete') return gathered;
  const [alias] = gathered.records.CNAME;
  if (alias === undefined) {
    return server === null
      ? knownUnlessPrivate(host, gathered.records, server, context)
      : known(gathered.records, server);
  }
  const through = `${alias} (alias of ${host})`;
  if (!isQueryable(alias)) return lookUpFailed(through, 'it is not a valid host name');

  const ask = async (type: (typeof ADDRESS_TYPES)[number]): Promise<DnsReply> => {
    const reply = await recursive.ask({ name: alias, type });
    return isConclusive(reply) ? reply : recursive.ask({ name: alias, type });
  };
  const [A, AAAA] = await Promise.all([ask('A'), ask('AAAA')]);
  if (!isConclusive(A)) return resolverFailed(through, A, recursive, context);
  if (!isConclusive(AAAA)) return resolverFailed(through, AAAA, recursive, context);
  if (A.rcode === 'NXDOMAIN' && AAAA.rcode === 'NXDOMAIN') return notFound(through);
  const addresses = {
    A: valuesAtEnd(alias, 'A', A.answers),
    AAAA: valuesAtEnd(alias, 'AAAA', AAAA.answers),
  };
  return knownUnlessPrivate(
    host,
    normalizeRecords({ ...gathered.records, ...addresses }),
    server,
    context,
  );
}

const WITH_PRIVATE = createAddressGuard(true);

/**
 * Records from the machine's resolver, which may know private names: where private addresses are not allowed, they are
 * not disclosed either.
 */
function knownUnlessPrivate(
  host: string,
  records: DnsRecords,
  server: string | null,
  { guard }: ProbeContext,
): DnsResult {
  const isHidden = [...records.A, ...records.AAAA].some(
    (address) => WITH_PRIVATE.evaluate(address).allowed && !guard.evaluate(address).allowed,
  );
  if (!isHidden) return known(records, server);
  return unknown(`Target ${host} is not allowed (ALLOW_PRIVATE_TARGETS)`);
}

/** Prefers an error to a timeout. */
function moreInformative(A: DnsReply, AAAA: DnsReply): DnsReply {
  return A.state === 'timeout' || A.state === 'unreachable' ? AAAA : A;
}

const ADDRESS_TYPES = ['A', 'AAAA'] as const;

/** Maximum length of an alias chain, about the same as that of resolvers. */
const MAX_CHAIN = 16;

type CollectedRecords = { state: 'complete'; records: DnsRecords } | NoRecords;

/**
 * Collects the host's own records of all types, or none: a set without one type would look like a change. If an
 * authoritative name server, given by `nameServer`, answers a type with an error, the lookup has failed. A timeout for
 * some types means unknown; so does an error of the probe's own resolver, which may refuse some types in general.
 */
async function collectRecords(
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
function isDenied({ rcode, answers }: DnsAnswer, host: string): boolean {
  return rcode === 'NXDOMAIN' && !answers.some(({ name }) => name === host);
}

/** Values at the end of the name's alias chain; none if it is circular. */
function valuesAtEnd(name: string, type: DnsRecordType, records: readonly ResourceRecord[]) {
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

type DnsResult = InspectionResult<'dns'>;
type NoRecords = Exclude<DnsResult, { state: 'known' }>;

/** Name of this machine's resolver in texts, which don't show its address. */
const RESOLVER = 'the resolver of the probe';

/** The server is null for an answer of the resolver. */
function known(records: DnsRecords, server: string | null): DnsResult {
  const source = server === null ? 'resolver' : 'authoritative';
  return { state: 'known', facts: { records, source, server } };
}

function unknown(reason: string): NoRecords {
  return { state: 'unknown', reason };
}

function failed(code: FailureCode, text: string): NoRecords {
  return { state: 'failed', failure: { code, text } };
}

function notFound(host: string): NoRecords {
  return failed('dns_not_found', `DNS name ${host} not found (NXDOMAIN)`);
}

function lookUpFailed(host: string, reason: string): NoRecords {
  return failed('dns_failed', `DNS look-up of ${host} failed: ${reason}`);
}

/**
 * Result for a name that the resolver doesn't know. The target is only at fault if the resolver knows other names and
 * this machine has a network.
 */
function resolverFailed(
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
