import type { AddressGuard } from '../../net/address-guard.ts';
import { canReach, type LocalNetwork } from '../../net/resolver.ts';
import type { DnsAnswer, DnsClient, DnsQuestion, DnsReply, DnsServer } from './client.ts';
import { isQueryable, isWithin, type ResourceRecord } from './records.ts';
import { isConclusive, replyProblem, type Recursive } from './recursive.ts';

/** A DNS zone with the names of its name servers. */
export interface Zone {
  name: string;
  nameServers: string[];
  /** Addresses that came with a referral, for name servers within the parent zone. */
  glue: ResourceRecord[];
}

export interface NameServer extends DnsServer {
  name: string;
}

export type AuthorityResult =
  | { state: 'answer'; reply: DnsAnswer; server: NameServer; others: NameServer[] }
  /** The servers can be reached but answer wrongly; the reason is a sentence without a full stop. */
  | { state: 'failed'; reason: string }
  /** No server can be reached, or a device in between may have answered instead; with the problem of one, if any. */
  | { state: 'unknown'; reason: string | null };

export interface AuthorityDeps {
  client: DnsClient;
  recursive: Recursive;
  guard: AddressGuard;
  hasNetwork: LocalNetwork;
  port: number;
  timeoutMs: number;
  signal: AbortSignal;
}

const MAX_SERVERS = 4;
/** Names seldom have more labels; below that the referrals of a parent zone lead on. */
const MAX_ZONES = 10;
const MAX_REFERRALS = 10;

/** Finds the zones that contain the host, deepest first, as known to this machine's name servers. */
export async function findZones(host: string, recursive: Recursive): Promise<Zone[]> {
  const labels = host.split('.');
  const ancestors = labels.map((_label, index) => labels.slice(index).join('.'));
  const names = [...ancestors, '.'].slice(-MAX_ZONES);
  const replies = await Promise.all(names.map((name) => recursive.ask({ name, type: 'NS' })));
  return replies.flatMap((reply, index) => {
    if (reply.state !== 'answer' || reply.rcode !== 'NOERROR') return [];
    return zoneOf(names[index]!, reply.answers, []) ?? [];
  });
}

/**
 * Queries the name servers of the host's zone. If they fail, queries those of the parent zone, which may know newer
 * ones; and reaching those proves that no device in between answers every query, as corporate routers do.
 */
export async function askAuthority(
  question: DnsQuestion,
  zones: readonly Zone[],
  deps: AuthorityDeps,
): Promise<AuthorityResult> {
  const search: Search = { question, deps, asked: new Set(), problems: [], isPathProven: false };
  for (const zone of zones.slice(0, 2)) {
    const answer = await descend(zone, search);
    if (answer !== null) return answer;
    // A timeout more likely means a closed port on the path than a problem that the parent zone can solve.
    if (search.problems.length === 0) break;
  }
  const [reason = null] = search.problems;
  return reason !== null && search.isPathProven
    ? { state: 'failed', reason }
    : { state: 'unknown', reason };
}

/** Sends another query to a server that has answered one, or to the next candidates. */
export async function askAgain(
  question: DnsQuestion,
  servers: readonly NameServer[],
  deps: AuthorityDeps,
): Promise<DnsReply> {
  let said: DnsReply = { state: 'timeout' };
  for (const server of servers) {
    said = await askOne(server, question, deps);
    if (isConclusive(said) && said.isAuthoritative) break;
  }
  return said;
}

interface Search {
  question: DnsQuestion;
  deps: AuthorityDeps;
  /** Addresses. */
  asked: Set<string>;
  problems: string[];
  /** A server has answered with authority, if only with a referral. */
  isPathProven: boolean;
}

/** Follows referrals from zone to deeper zone; each is deeper than the last, which bounds the number. */
async function descend(zone: Zone, search: Search): Promise<AuthorityResult | null> {
  let current: Zone | null = zone;
  for (let count = 0; current !== null && count <= MAX_REFERRALS; count++) {
    const servers = await serversOf(current, search);
    let referral: Zone | null = null;
    for (const [index, server] of servers.entries()) {
      if (search.deps.signal.aborted) return null;
      search.asked.add(server.address);
      const reply = await askOne(server, search.question, search.deps);
      if (isConclusive(reply) && reply.isAuthoritative) {
        return { state: 'answer', reply, server, others: servers.slice(index + 1) };
      }
      referral = referralIn(reply, current, search.question.name);
      if (referral !== null) {
        search.isPathProven = true;
        break;
      }
      addProblem(search, replyProblem(reply, server.name), reply);
    }
    current = referral;
  }
  return null;
}

/** Ignores servers that can't be reached: the path may be closed on the probe's side. */
function addProblem(search: Search, text: string | null, reply: DnsReply): void {
  if (text !== null && reply.state !== 'unreachable') search.problems.push(text);
}

function askOne(
  server: NameServer,
  question: DnsQuestion,
  { client, timeoutMs, signal }: AuthorityDeps,
): Promise<DnsReply> {
  return client.ask(server, question, { recursive: false, timeoutMs, signal });
}

/**
 * Name servers that are allowed, reachable and not queried yet, in a stable order so that the same one is queried each
 * time.
 */
async function serversOf(zone: Zone, search: Search): Promise<NameServer[]> {
  const { guard, hasNetwork, port } = search.deps;
  const names = zone.nameServers.slice(0, MAX_SERVERS);
  const found = await Promise.all(names.map((name) => addressesOf(name, zone, search.deps)));
  if (found.every((addresses) => addresses?.length === 0)) {
    search.problems.push(`no name server of ${zone.name} has an address`);
  }
  const offered = names.flatMap((name, index) =>
    (found[index] ?? []).map((record, position) => ({ name, record, position })),
  );
  const servers = new Map<string, NameServer>();
  // One address of each server first: two addresses of one machine fail together.
  for (const { name, record } of offered.toSorted((a, b) => a.position - b.position)) {
    const address = record.value;
    if (search.asked.has(address) || servers.has(address)) continue;
    const family = record.type === 'AAAA' ? 6 : 4;
    const isOpen = canReach({ address, family }, hasNetwork) && guard.evaluate(address).allowed;
    if (isOpen) servers.set(address, { name, address, port });
  }
  return [...servers.values()].slice(0, MAX_SERVERS);
}

/** Null if the lookup failed. */
async function addressesOf(name: string, zone: Zone, { recursive }: AuthorityDeps) {
  const glue = zone.glue.filter((record) => record.name === name);
  if (glue.length > 0) return glue;
  const replies = await Promise.all([
    recursive.ask({ name, type: 'A' }),
    recursive.ask({ name, type: 'AAAA' }),
  ]);
  const addresses = replies.flatMap((reply) =>
    reply.state === 'answer' ? reply.answers.filter(isAddress) : [],
  );
  return addresses.length > 0 || replies.every(isConclusive) ? addresses.toSorted(byValue) : null;
}

/** The deeper zone of a referral, which must lie between the server's own zone and the name. */
function referralIn(reply: DnsReply, above: Zone, host: string): Zone | null {
  if (reply.state !== 'answer' || reply.rcode !== 'NOERROR' || reply.answers.length > 0)
    return null;
  const owner = reply.authorities.find(({ type }) => type === 'NS')?.name;
  if (owner === undefined || owner === above.name) return null;
  if (!isWithin(owner, above.name) || !isWithin(host, owner)) return null;
  const glue = reply.additionals.filter(
    (record) => isAddress(record) && isWithin(record.name, above.name),
  );
  return zoneOf(owner, reply.authorities, glue);
}

function zoneOf(name: string, records: ResourceRecord[], glue: ResourceRecord[]): Zone | null {
  const own = records.filter((record) => record.type === 'NS' && record.name === name);
  const nameServers = [...new Set(own.map(({ value }) => value))].filter(isQueryable).toSorted();
  return nameServers.length === 0 ? null : { name, nameServers, glue };
}

function isAddress({ type }: ResourceRecord): boolean {
  return type === 'A' || type === 'AAAA';
}

/** Sorts IPv4 first, which more machines have. */
function byValue(a: ResourceRecord, b: ResourceRecord): number {
  const left = `${a.type} ${a.value}`;
  const right = `${b.type} ${b.value}`;
  return left < right ? -1 : Number(left > right);
}
