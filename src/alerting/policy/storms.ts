import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { hostOf } from '../../lib/url-host.ts';

/** Minimum number of incidents whose shared cause is named. */
const MIN_SHARED_CAUSE = 3;
/** From this number on, incidents that start together share a message even if they concern different channels. */
export const MIN_ANY_AUDIENCE = 10;
/** Time in which a storm that people were notified of takes in further incidents of its cause. */
export const JOIN_MS = 10 * 60_000;

export interface Groupable {
  id: number;
  /**
   * `ready`: some channel is to be notified of it now. `held`: something holds it back, such as maintenance. `notified`:
   * people have just been notified of it, and others may still join it.
   */
  state: 'ready' | 'held' | 'notified';
  size: number;
  /**
   * Causes that its incidents share and others may share, in words: `the address 203.0.113.7`. The most specific comes
   * first.
   */
  causes: readonly string[];
  /** Identifies the channels that it concerns. */
  audience: string;
}

export interface Group {
  /** The cause that all of them share; null where none is known, and with fewer than MIN_SHARED_CAUSE incidents. */
  cause: string | null;
  ids: number[];
}

export interface Waiting {
  alerts: readonly Groupable[];
  /** Causes of storms that people were notified of already: they take in any number. */
  openCauses: ReadonlySet<string>;
}

/**
 * Puts the alerts together that one message is about. Those that share the cause of an open storm join it. A cause that
 * at least half of the ready ones share gets a message of its own, together with what is held or was just notified of it.
 * The remaining ready ones share one message for each audience, and from MIN_ANY_AUDIENCE on a single one.
 */
export function storms({ alerts, openCauses }: Waiting): { kind: 'group'; groups: Group[] } {
  const left = new Map(alerts.map((alert) => [alert.id, alert]));
  const groups: Group[] = [];
  const take = (group: Group | null): boolean => {
    if (group === null) return false;
    groups.push(group);
    for (const id of group.ids) left.delete(id);
    return true;
  };
  while (take(joiningOf(left, openCauses)));
  while (take(mostShared(left)));
  const rest = readyOf(left);
  const audiences =
    rest.length >= MIN_ANY_AUDIENCE ? [rest] : groupedBy(rest, ({ audience }) => audience);
  for (const together of audiences)
    if (together.length > 1)
      groups.push({ cause: commonCause(together), ids: together.map(({ id }) => id) });
  return { kind: 'group', groups };
}

type Left = ReadonlyMap<number, Groupable>;

const readyOf = (left: Left) => [...left.values()].filter(({ state }) => state === 'ready');

/** The incidents that join the open storm whose cause most of them share. */
function joiningOf(left: Left, openCauses: ReadonlySet<string>): Group | null {
  const joining = [...left.values()].filter(({ state }) => state !== 'notified');
  return largest(joining, (cause) => openCauses.has(cause));
}

/** The cause that most of them share, if at least half of those that are ready do. */
function mostShared(left: Left): Group | null {
  const ready = readyOf(left).length;
  return largest([...left.values()], (_cause, ids) => {
    const sharing = ids.map((id) => left.get(id)!);
    const share = sharing.filter(({ state }) => state === 'ready').length;
    const incidents = sharing.reduce((sum, { size }) => sum + size, 0);
    return incidents >= MIN_SHARED_CAUSE && share > 0 && share * 2 >= ready;
  });
}

/** The largest group that is allowed; of equals the one whose cause is named earlier. */
function largest(
  alerts: readonly Groupable[],
  isAllowed: (cause: string, ids: readonly number[]) => boolean,
): Group | null {
  const sharing = new Map<string, { ids: number[]; rank: number }>();
  for (const { id, causes } of alerts) {
    for (const [rank, cause] of causes.entries()) {
      const known = sharing.get(cause);
      if (known === undefined) sharing.set(cause, { ids: [id], rank });
      else {
        known.ids.push(id);
        known.rank = Math.min(known.rank, rank);
      }
    }
  }
  let best: (Group & { rank: number }) | null = null;
  for (const [cause, { ids, rank }] of sharing) {
    const isBetter =
      best === null ||
      ids.length > best.ids.length ||
      (ids.length === best.ids.length && rank < best.rank);
    if (isBetter && isAllowed(cause, ids)) best = { cause, ids, rank };
  }
  return best && { cause: best.cause, ids: best.ids };
}

function commonCause(alerts: readonly Groupable[]): string | null {
  if (alerts.length < MIN_SHARED_CAUSE) return null;
  const [first, ...others] = alerts;
  return (
    first!.causes.find((cause) => others.every(({ causes }) => causes.includes(cause))) ?? null
  );
}

function groupedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, key).values()];
}

export interface CauseQuestion {
  type: string;
  regions: readonly string[];
  /** Name of the machine that looked for all regions, so that no region is a cause; null when there were several. */
  vantage: string | null;
  monitorUrl: string;
  groupName: string | null;
  seen: readonly {
    code: string;
    address: string | null;
    certificate: { subject: string; validTo: string } | null;
  }[];
}

/**
 * Causes that an incident may share with others, in the words of messages, the most specific first. Two incidents with
 * the same words share a cause.
 */
export function causesOf(question: CauseQuestion): string[] {
  const { type, regions, vantage, monitorUrl, groupName, seen } = question;
  const causes: string[] = [];
  for (const { address } of seen) if (address !== null) causes.push(`the address ${address}`);
  if (type === 'ssl' || seen.some(({ code }) => code.startsWith('tls_'))) {
    for (const { certificate } of seen)
      if (certificate !== null)
        causes.push(
          `the certificate of ${certificate.subject}, valid until ${certificate.validTo}`,
        );
  }
  if (type === 'dns' || seen.some(({ code }) => code.startsWith('dns_'))) {
    const domain = domainOf(monitorUrl);
    if (domain !== null) causes.push(`the name servers of ${domain}`);
  }
  if (type === 'regional' && vantage === null && regions.length > 0) {
    const names = regions.join(', ');
    causes.push(regions.length === 1 ? `the region ${names}` : `the regions ${names}`);
  }
  if (groupName !== null) causes.push(`the group ${groupName}`);
  return [...new Set(causes)];
}

function domainOf(url: string): string | null {
  const host = hostOf(url);
  if (host === null || isIP(host) > 0) return null;
  return getDomain(host) ?? host.toLowerCase();
}
