import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../lib/clock.ts';
import { derivedKey } from '../lib/derived-key.ts';
import type { Database } from '../store/database/contract.ts';
import { teamStore } from '../store/people/teams.ts';
import type { PageRoutingRow } from '../store/resources/page-facts.ts';
import type { AccessType } from './facts/model.ts';

/** Identity, verified domain and access of a page, by which requests are routed. */
export type PageRouting = ReturnType<typeof routingOf>;

const COOKIE_MS = 30 * 24 * 3_600_000;

export interface Visitor {
  address: string;
  cookie: string | undefined;
  signedIn(): Promise<SignedIn | null>;
}

interface SignedIn {
  /** Person of a session; null for a token, which acts on its own team only. */
  personId: number | null;
  /** Team of the session or token; null where it is withheld. */
  teamId: number | null;
}

/** Whether a visitor may see a page, and what is missing. */
export type Ruling = 'allowed' | 'password' | 'members' | 'address';

export type PageAccessRules = ReturnType<typeof createPageAccessRules>;

/**
 * @param deps.keys of SECRET_KEY: the first signs cookies, all of them verify.
 */
export function createPageAccessRules(deps: {
  keys: readonly string[];
  database: Database;
  clock: Pick<Clock, 'now'>;
  baseUrl: () => string;
}) {
  const { keys, database, clock } = deps;
  const secrets = keys.map((key) => derivedKey(key, 'tocsin status page cookie v1'));

  const isSecure = () => deps.baseUrl().startsWith('https:');

  function holdsCookie(routing: PageRouting, header: string | undefined): boolean {
    if (header === undefined) return false;
    const prefix = `${nameOf(routing, isSecure())}=`;
    return header.split(';').some((pair) => {
      const text = pair.trim();
      return text.startsWith(prefix) && isValid(routing, text.slice(prefix.length));
    });
  }

  function isValid(routing: PageRouting, value: string): boolean {
    const [, until, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(value) ?? [];
    if (until === undefined || signature === undefined || Number(until) <= clock.now())
      return false;
    const sent = Buffer.from(signature, 'base64url');
    return secrets.some((secret) => timingSafeEqual(sent, sign(secret, routing, until)));
  }

  async function ruleMembers(routing: PageRouting, visitor: Visitor): Promise<Ruling> {
    const signedIn = await visitor.signedIn();
    return signedIn !== null && (await isOfTeam(routing, signedIn)) ? 'allowed' : 'members';
  }

  async function isOfTeam({ teamId: owner }: PageRouting, { personId, teamId }: SignedIn) {
    if (teamId === owner) return true;
    if (personId === null) return false;
    // Members see the pages of all their teams; where a second factor is required, they switch to that team first.
    const membership = await teamStore(database.read).findMembership(personId, owner);
    return membership?.mfa_required === 0;
  }

  return {
    rule(routing: PageRouting, visitor: Visitor) {
      switch (routing.access.type) {
        case 'public':
          return 'allowed';
        case 'password':
          return holdsCookie(routing, visitor.cookie) ? 'allowed' : 'password';
        case 'addresses':
          return routing.access.isAllowedAddress(visitor.address) ? 'allowed' : 'address';
        case 'members':
          return ruleMembers(routing, visitor);
      }
    },
    /** Whether a visitor may see a page whatever its access, as who edits it: a member of its team, by their session. */
    async mayPreview(routing: PageRouting, visitor: Visitor) {
      const signedIn = await visitor.signedIn();
      return signedIn !== null && signedIn.personId !== null && isOfTeam(routing, signedIn);
    },
    /** Value of Set-Cookie for a visitor who knows the password. */
    cookie(routing: PageRouting, path: string) {
      const until = String(clock.now() + COOKIE_MS);
      const value = `${until}.${sign(secrets[0]!, routing, until).toString('base64url')}`;
      return [
        `${nameOf(routing, isSecure())}=${value}`,
        `Path=${path}`,
        `Max-Age=${COOKIE_MS / 1000}`,
        'HttpOnly',
        'SameSite=Lax',
        ...(isSecure() ? ['Secure'] : []),
      ].join('; ');
    },
  };
}

function sign(secret: Buffer, { id, access }: PageRouting, until: string): Buffer {
  return createHmac('sha256', secret).update(`${id}.${access.version}.${until}`).digest();
}

/** Browsers accept the prefix over TLS only, so that no other site of the domain can set the cookie over HTTP. */
function nameOf({ id }: PageRouting, isSecure: boolean): string {
  return `${isSecure ? '__Secure-' : ''}tocsin_page_${id}`;
}

export function routingOf(row: PageRoutingRow) {
  const blocks = row.access_type === 'addresses' ? blocksOf(row.access_addresses) : null;
  return {
    id: row.id,
    teamId: row.team_id,
    slug: row.slug,
    isDraft: row.draft === 1,
    domain: row.domain_verified_at === null ? null : row.custom_domain,
    access: {
      type: row.access_type as AccessType,
      password: row.access_password,
      isAllowedAddress: (address: string) => blocks !== null && contains(blocks, address),
      /** Changes with each change of access. */
      version: row.access_version,
    },
  };
}

function blocksOf(json: string): BlockList {
  const list = new BlockList();
  for (const block of JSON.parse(json) as string[]) {
    const [network = '', length] = block.split('/');
    if (!ipaddr.isValid(network)) continue;
    const parsed = ipaddr.parse(network);
    const bits = parsed.kind() === 'ipv4' ? 32 : 128;
    const prefix = length === undefined ? bits : Number(length);
    // Clients with an IPv4 address in an IPv6 one are compared by the former.
    if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && prefix >= 96)
      list.addSubnet(parsed.toIPv4Address().toString(), prefix - 96, 'ipv4');
    else list.addSubnet(network, prefix, parsed.kind());
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return list.check(client.toString(), client.kind());
}
