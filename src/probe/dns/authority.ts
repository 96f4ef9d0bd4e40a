import type { AddressGuard } from '../../net/address-guard.ts';
import { canReach } from '../../net/local-network.ts';
import type { LocalNetwork } from '../../net/local-network.ts';
import type { DnsAnswer, DnsClient, DnsQuestion, DnsReply, DnsServer } from './client.ts';
import { isQueryable, isWithin } from './records.ts';
import type { ResourceRecord } from './records.ts';
import { replyProblem } from './outcome.ts';
import { isConclusive } from './recursive.ts';
import type { Recursive } from './recursive.ts';

/** A part of the tree of names, with the names of those who speak for it. */
export interface Zone {
  name: string;
  nameServers: string[];
  /** Addresses that came with the names, of name servers within the zone above. */
  glue: ResourceRecord[];
}

export interface NameServer extends DnsServer {
  name: string;
}

/** What those who speak for a name say of it. */
export type AuthorityResult =
  | { state: 'answer'; reply: DnsAnswer; server: NameServer; others: NameServer[] }
  /** They can be spoken to, and do not know what they should; the reason is a sentence without a full stop. */
  | { state: 'failed'; reason: string }
  /** None of them can be spoken to, or somebody in between may have answered instead; the complaint of one, if any. */
  | { state: 'unknown'; reason: string | null };

export interface AuthorityDeps {
  client: DnsClient;
  recursive: Recursive;
  guard: AddressGuard;
  hasNetwork: LocalNetwork;
  /** UDP and TCP port of name servers. */
  port: number;
  /** Of one question to one server. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** Further name servers of one zone are not asked. */
const MAX_SERVERS = 4;
/** Names have seldom more labels; below that the referrals of a zone above lead on. */
const MAX_ZONES = 10;
const MAX_REFERRALS = 10;

/** The zones that the host lies in, the deepest first, as far as this machine's name servers know them. */
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
 * Asks the name servers of the host's zone. When they fail, those of the zone above, since they may know newer ones; and
 * that these can be spoken to shows that nobody stands in between who answers for everybody, as routers of companies do.
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
    // Silence is more likely a closed port on the way than a matter that the zone above knows better.
    if (search.problems.length === 0) break;
  }
  const [reason = null] = search.problems;
  return reason !== null && search.isPathProven
    ? { state: 'failed', reason }
    : { state: 'unknown', reason };
}

/** Asks another question of a server that has answered one, or of the next one that might. */
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
  /** A server has spoken with authority, if only to refer to others. */
  isPathProven: boolean;
}

/** From zone to deeper zone, as the name servers refer; each is deeper than the last, so that it ends. */
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

/** A server that can't be reached is no complaint about the zone: the way to it may be closed on our side. */
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

/** The name servers that may and can be spoken to and were not yet, always in the same order, so that the same one is asked. */
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
  // One address of each first: two of one machine fail together.
  for (const { name, record } of offered.toSorted((a, b) => a.position - b.position)) {
    const address = record.value;
    if (search.asked.has(address) || servers.has(address)) continue;
    const family = record.type === 'AAAA' ? 6 : 4;
    const isOpen = canReach({ address, family }, hasNetwork) && guard.evaluate(address).allowed;
    if (isOpen) servers.set(address, { name, address, port });
  }
  return [...servers.values()].slice(0, MAX_SERVERS);
}

/** Null when nobody could tell. */
async function addressesOf(
  name: string,
  zone: Zone,
  { recursive }: AuthorityDeps,
): Promise<ResourceRecord[] | null> {
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

/** The deeper zone that a server refers to, which must lie between its own zone and the name. */
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

/** IPv4 first, which more machines have. */
function byValue(a: ResourceRecord, b: ResourceRecord): number {
  const left = `${a.type} ${a.value}`;
  const right = `${b.type} ${b.value}`;
  return left < right ? -1 : Number(left > right);
}
