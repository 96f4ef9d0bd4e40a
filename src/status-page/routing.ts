import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { PageRoutingRow } from '../store/resources/page-facts.ts';
import type { AccessType } from './facts/model.ts';

/** Who may see a page. */
export interface PageAccess {
  type: AccessType;
  /** Hash of the password; null without one. */
  password: string | null;
  /** Whether a client address is one of those that may see the page. */
  isAllowedAddress(address: string): boolean;
  /** Changes with each change of access. */
  version: number;
}

/** Identity, domain and access of a page, by which requests are routed. */
export interface PageRouting {
  id: number;
  teamId: number;
  slug: string;
  /** Verified domain; null for none. */
  domain: string | null;
  access: PageAccess;
}

export function routingOf(row: PageRoutingRow): PageRouting {
  const blocks = row.access_type === 'addresses' ? blocksOf(row.access_addresses) : null;
  return {
    id: row.id,
    teamId: row.team_id,
    slug: row.slug,
    domain: row.domain_verified_at === null ? null : row.custom_domain,
    access: {
      type: row.access_type as AccessType,
      password: row.access_password,
      isAllowedAddress: (address) => blocks !== null && contains(blocks, address),
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
