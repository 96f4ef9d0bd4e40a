import { isIP, isIPv4, isIPv6 } from 'node:net';
import {
  InvalidSetting,
  requireDecodable,
  listOf,
  matching,
  network,
  wholeNumber,
  type SettingType,
} from '../lib/setting-types.ts';
import type { NamedRegion, PrivateRegion } from '../model/regions.ts';
import { parseProbeKey, type RegionKey } from '../lib/region-keys.ts';

export * from '../lib/setting-types.ts';

/** What a process does, see docs/configuration.md. */
export const ROLES = ['api', 'scheduler', 'worker', 'probe'] as const;
export type Role = (typeof ROLES)[number];

const REGION_TITLES: Record<string, string> = {
  ash: 'Ashburn',
  pdx: 'Portland',
  nbg: 'Nuremberg',
  sin: 'Singapore',
};

export function requestsPerMinute(): SettingType<number> {
  return wholeNumber(1, 1_000_000);
}

/** Roles of a process, in the order of the table; `all` is each of them. */
export function roleList(): SettingType<Role[]> {
  const role = matching(`any of ${ROLES.join(', ')}, or all alone`, (text) =>
    (ROLES as readonly string[]).includes(text) ? (text as Role) : undefined,
  );
  const list = listOf(role, (one) => one);
  return {
    allowed: `all, or a comma list of ${ROLES.join(', ')}`,
    parse(text) {
      if (text === 'all') return [...ROLES];
      const named = list.parse(text);
      return ROLES.filter((one) => named.includes(one));
    },
  };
}

/** URLs of NATS servers, all of one kind of connection. */
export function natsUrls(): SettingType<string[]> {
  const url = matching('a URL such as nats://host:4222, tls://host:4222 or wss://host', (text) => {
    const parsed = URL.parse(text);
    if (parsed === null) return undefined;
    const { protocol, hostname, search, hash } = parsed;
    const isNats = ['nats:', 'tls:', 'ws:', 'wss:'].includes(protocol);
    if (!isNats || hostname === '' || search !== '' || hash !== '') return undefined;
    requireDecodable(parsed);
    return text;
  });
  const list = listOf(url, (one) => one);
  return {
    allowed: `a comma list, each ${url.allowed}`,
    parse(text) {
      const urls = list.parse(text);
      const kinds = new Set(urls.map((one) => /^wss?:/.test(one)));
      if (kinds.size > 1)
        throw new InvalidSetting('mixes ws:// or wss:// with other URLs: use one kind');
      return urls;
    },
  };
}

export function probeKeys(): SettingType<RegionKey[]> {
  return matching(
    'a key as `npm run tocsin -- probe key REGION` prints it, or several of them joined by commas',
    (text) => {
      const keys = text.split(',').map((one) => parseProbeKey(one.trim()));
      const isComplete = keys.every((key) => key !== null);
      const areDifferent = new Set(keys.map((key) => key?.id)).size === keys.length;
      return isComplete && areDifferent ? keys : undefined;
    },
  );
}

/** Text with one or more lines, such as a certificate; a single line may write them as `\n`. */
export function pem(kind: 'CERTIFICATE' | 'PRIVATE KEY'): SettingType<string> {
  return matching(`PEM text with a ${kind}`, (text) => {
    const lines = text.includes('\n') ? text : text.replaceAll('\\n', '\n');
    return lines.includes(`${kind}-----`) ? lines : undefined;
  });
}

export function natsCredentials(): SettingType<string> {
  return matching('the content of a .creds file', (text) => {
    const lines = text.includes('\n') ? text : text.replaceAll('\\n', '\n');
    return /BEGIN NATS USER JWT[\s\S]*BEGIN USER NKEY SEED/.test(lines) ? lines : undefined;
  });
}

export function nkeySeed(): SettingType<string> {
  return matching('the seed of a user nkey, which begins with SU', (text) =>
    /^SU[A-Z2-7]{56}$/.test(text) ? text : undefined,
  );
}

const REGION_CODE = /^[a-z][a-z0-9-]{0,30}$/;

/** Region of a code with a title of its own or by default; undefined when either is malformed. */
function namedRegion(code: string, given: string | undefined): NamedRegion | undefined {
  const title = given === undefined ? (REGION_TITLES[code] ?? code) : given.trim();
  const isWellFormed =
    REGION_CODE.test(code) && title !== '' && title.length <= 60 && !/\p{Cc}/u.test(title);
  return isWellFormed ? { code, title } : undefined;
}

export function regionList(): SettingType<NamedRegion[]> {
  const region = matching(
    'name or name=Title, the name of at most 31 lower-case letters, digits and hyphens',
    (text) => {
      const [, code = '', title] = /^([^=]*)(?:=(.*))?$/u.exec(text) ?? [];
      return namedRegion(code, title);
    },
  );
  return listOf(region, ({ code }) => code);
}

export function privateRegionList(): SettingType<PrivateRegion[]> {
  const region = matching(
    'name:TEAM_ID or name:TEAM_ID=Title, the name of at most 31 lower-case letters, digits and hyphens',
    (text): PrivateRegion | undefined => {
      const [, code = '', id, title] = /^([^=:]*):([1-9]\d{0,14})(?:=(.*))?$/u.exec(text) ?? [];
      const named = namedRegion(code, title);
      return named && { ...named, teamId: Number(id) };
    },
  );
  return listOf(region, ({ code }) => code);
}

export function regionCodes(): SettingType<string[]> {
  const code = matching('the name of a region', (text) =>
    REGION_CODE.test(text) ? text : undefined,
  );
  return listOf(code, (one) => one);
}

/** Version of the key that probes of a region need; all others are withdrawn. */
export interface RegionKeyVersion {
  region: string;
  version: number;
}

export function regionKeyVersions(): SettingType<RegionKeyVersion[]> {
  const number = wholeNumber(1, 9_999);
  const one = matching('region=version, the version a whole number from 1 to 9999', (text) => {
    const [, region = '', version = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
    return REGION_CODE.test(region) ? { region, version: number.parse(version) } : undefined;
  });
  return listOf(one, ({ region }) => region);
}

/** A source of discovery, and the name of its configuration set. */
export interface DiscoveredSet {
  kind: 'docker' | 'kubernetes';
  name: string;
}

const SET_NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;

export function discoveredSets(): SettingType<DiscoveredSet[]> {
  const one = matching(
    'docker or kubernetes, or docker=NAME with the name of its configuration set, of at most 60 lower-case letters, digits and hyphens',
    (text): DiscoveredSet | undefined => {
      const [, kind, name = kind] = /^(docker|kubernetes)(?:=(.*))?$/.exec(text) ?? [];
      if (name === undefined || !SET_NAME.test(name)) return undefined;
      return { kind: kind as DiscoveredSet['kind'], name };
    },
  );
  return listOf(one, ({ name }) => name);
}

export function nameServers(): SettingType<string[]> {
  const server = matching(
    'an IP address, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353',
    (text) => {
      if (isIP(text) !== 0) return text;
      const [, six = '', four = '', port = ''] = /^(?:\[(.+)\]|(.+)):(\d{1,5})$/.exec(text) ?? [];
      const isPort = Number(port) >= 1 && Number(port) <= 65_535;
      return isPort && (isIPv6(six) || isIPv4(four)) ? text : undefined;
    },
  );
  return listOf(server, (one) => one);
}

export function secretKeys(): SettingType<string[]> {
  return matching(
    'a key of 16 characters or more, or several different ones joined by commas',
    (text) => {
      const keys = text.split(',').map((key) => key.trim());
      const areDifferent = new Set(keys).size === keys.length;
      return areDifferent && keys.every((key) => key.length >= 16) ? keys : undefined;
    },
  );
}

export function targetRule(): SettingType<string> {
  const networks = listOf(network(), (text) => text);
  return {
    allowed: 'true, false or a comma list of CIDRs such as 10.0.0.0/8 and addresses',
    parse(text) {
      if (text === 'true' || text === 'false') return text;
      if (!/[.:]/.test(text)) throw new InvalidSetting();
      return networks.parse(text).join(',');
    },
  };
}
