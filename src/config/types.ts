import { isIP, isIPv4, isIPv6 } from 'node:net';
import {
  InvalidSetting,
  listOf,
  matching,
  network,
  quote,
  wholeNumber,
} from '../lib/setting-types.ts';
import type { SettingType } from '../lib/setting-types.ts';

export interface RegionConfig {
  code: string;
  /** Display name, such as `Ashburn`. */
  title: string;
}

const ROLES = ['api', 'scheduler', 'worker', 'probe'];

const REGION_TITLES: Record<string, string> = {
  ash: 'Ashburn',
  pdx: 'Portland',
  nbg: 'Nuremberg',
  sin: 'Singapore',
};

export function requestsPerMinute(): SettingType<number> {
  return wholeNumber(1, 1_000_000);
}

export function allRoles(): SettingType<'all'> {
  return {
    allowed: 'all',
    parse(text) {
      const named = new Set(text.split(',').map((role) => role.trim()));
      if (
        text === 'all' ||
        (named.size === ROLES.length && ROLES.every((role) => named.has(role)))
      ) {
        return 'all';
      }
      if ([...named].every((role) => ROLES.includes(role))) {
        throw new InvalidSetting(
          `is ${quote(text)}, but must be all: processes with roles of their own come with the message bus. ` +
            'To share the work now, start several whole processes on one DATABASE_URL',
        );
      }
      throw new InvalidSetting();
    },
  };
}

const REGION_CODE = /^[a-z][a-z0-9-]{0,30}$/;

export function regionList(): SettingType<RegionConfig[]> {
  const region = matching(
    'name or name=Title, the name of at most 31 lower-case letters, digits and hyphens',
    (text): RegionConfig | undefined => {
      const [, code = '', given] = /^([^=]*)(?:=(.*))?$/u.exec(text) ?? [];
      const title = given === undefined ? (REGION_TITLES[code] ?? code) : given.trim();
      const isWellFormed =
        REGION_CODE.test(code) && title !== '' && title.length <= 60 && !/\p{Cc}/u.test(title);
      return isWellFormed ? { code, title } : undefined;
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

/** Name servers in the format of `node:dns`. */
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
