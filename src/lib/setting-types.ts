import { isIP } from 'node:net';

/** Format of a setting's value. */
export interface SettingType<T> {
  /** Completes "it must be …", in errors and in the documentation. */
  allowed: string;
  /** Throws InvalidSetting. */
  parse(text: string): T;
}

/** Value that doesn't match its type. Without a problem of its own, the message uses the type's `allowed`. */
export class InvalidSetting extends Error {
  readonly problem: string | null;
  /** Whether the problem repeats nothing of the value, and so may be shown of a secret. */
  readonly isDiscreet: boolean;
  constructor(problem: string | null = null, { isDiscreet = false } = {}) {
    super(problem ?? 'not allowed');
    this.problem = problem;
    this.isDiscreet = isDiscreet;
  }
}

/** Quotes a value on one line, shortened to 60 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Type whose `accept` returns undefined for invalid values. */
export function matching<T>(
  allowed: string,
  accept: (text: string) => T | undefined,
): SettingType<T> {
  return {
    allowed,
    parse(text) {
      const value = accept(text);
      if (value === undefined) throw new InvalidSetting();
      return value;
    },
  };
}

/** Comma-separated list without duplicates, compared by `key`. Reports all invalid entries at once. */
export function listOf<T>(item: SettingType<T>, key: (value: T) => string): SettingType<T[]> {
  return {
    allowed: `a comma list, each ${item.allowed}`,
    parse(text) {
      const values: T[] = [];
      const refused: string[] = [];
      for (const part of text.split(',').map((one) => one.trim())) {
        try {
          values.push(item.parse(part));
        } catch (error) {
          if (error instanceof InvalidSetting && error.isDiscreet) throw error;
          refused.push(quote(part));
        }
      }
      if (refused.length > 0) {
        throw new InvalidSetting(`has ${refused.join(', ')}, but each must be ${item.allowed}`);
      }
      const keys = values.map(key);
      const twice = keys.filter((one, index) => keys.indexOf(one) !== index);
      if (twice.length > 0)
        throw new InvalidSetting(`has ${twice.map(quote).join(', ')} more than once`);
      return values;
    },
  };
}

export function wholeNumber(min: number, max: number): SettingType<number> {
  return matching(`a whole number from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^\d{1,9}$/.test(text) && value >= min && value <= max ? value : undefined;
  });
}

export function minutes(min: number, max: number): SettingType<number> {
  return matching(`a number of minutes from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^\d+(\.\d+)?$/.test(text) && value >= min && value <= max ? value : undefined;
  });
}

export function oneOf<const T extends string>(values: readonly T[]): SettingType<T> {
  return matching(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text));
}

export function singleLineText(maxLength: number): SettingType<string> {
  return matching(`one line of at most ${maxLength} characters`, (text) =>
    text.length <= maxLength && !/\p{Cc}/u.test(text) ? text : undefined,
  );
}

export function hostName(): SettingType<string> {
  return matching('an IP address without brackets or a host name, without a port', (text) =>
    isIP(text) > 0 || isHostName(text) ? text : undefined,
  );
}

export interface HostAndPort {
  host: string;
  port: number;
}

/** Comma-separated list such as `192.0.2.1:53`, `[2001:db8::1]:443` or `example.com:443`. */
export function hostsAndPorts(maxCount: number): SettingType<HostAndPort[]> {
  const host = hostName();
  const port = wholeNumber(1, 65_535);
  const one = matching(
    'host:port, an IPv6 address in brackets',
    (text): HostAndPort | undefined => {
      const [, inBrackets, plain, digits = ''] =
        /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d+)$/.exec(text) ?? [];
      const name = inBrackets ?? plain ?? '';
      if ((inBrackets !== undefined) !== (isIP(name) === 6)) return undefined;
      return { host: host.parse(name), port: port.parse(digits) };
    },
  );
  const list = listOf(one, (target) => `${target.host}:${target.port}`);
  return {
    allowed: `${list.allowed}, at most ${maxCount}`,
    parse(text) {
      const targets = list.parse(text);
      if (targets.length <= maxCount) return targets;
      throw new InvalidSetting(`has ${targets.length} entries, but may have at most ${maxCount}`);
    },
  };
}

/** Host names by RFC 1123; a last label of digits would be a malformed address. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= 253 &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** Base URL; trailing slashes are removed. */
export function baseUrl(): SettingType<string> {
  return matching(
    'an absolute http or https URL without user, query or fragment, such as https://status.example.com',
    (text) => {
      if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || /[?#\s]/.test(text)) {
        return undefined;
      }
      const url = new URL(text);
      return url.username || url.password ? undefined : url.href.replace(/\/+$/, '');
    },
  );
}

/** URL that is called, with any path and query. Credentials before the host are refused, as they would not be sent. */
export function callUrl(): SettingType<string> {
  return matching('an absolute http or https URL without user', (text) => {
    const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
    return url === null || url.username || url.password ? undefined : text;
  });
}

export function postgresUrl(): SettingType<string> {
  return matching('a URL such as postgres://user:password@host:5432/database', (text) => {
    // The URL standard doesn't allow a user without a host, which Postgres does: user@/database?host=/socket/folder
    const standard = text.replace('@/', '@localhost/');
    const url = URL.parse(standard);
    if (!/^postgres(ql)?:\/\/./.test(text) || url === null) return undefined;
    requireDecodable(url);
    return text;
  });
}

/** Checks the form only. */
export function emailAddress(): SettingType<string> {
  return matching('an e-mail address', (text) =>
    text.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text) ? text : undefined,
  );
}

export function apiToken(): SettingType<string> {
  return matching('32 or more visible ASCII characters without spaces', (text) =>
    /^[\x21-\x7e]{32,}$/.test(text) ? text : undefined,
  );
}

function isCidr(text: string): boolean {
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  return version > 0 && !address.includes('%') && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** Network such as `10.0.0.0/8`, or a single address. */
export function network(): SettingType<string> {
  return matching('a CIDR such as 10.0.0.0/8 or an address', (text) =>
    isCidr(text) || (isIP(text) > 0 && !text.includes('%')) ? text : undefined,
  );
}

/** Trusted proxies, as in Fastify's `trustProxy`: `true` for all, a number of hops, or a list of addresses. */
export function proxyRule(): SettingType<boolean | number | string[]> {
  const proxies = listOf(network(), (text) => text);
  const hops = wholeNumber(1, 10);
  return {
    allowed:
      'true, false, the number of proxies (1 to 10) or a comma list of their addresses and CIDRs',
    parse(text) {
      if (text === 'true' || text === 'false') return text === 'true';
      if (/^\d+$/.test(text)) return hops.parse(text);
      if (!/[.:]/.test(text)) throw new InvalidSetting();
      return proxies.parse(text);
    },
  };
}

export function trueOrFalse(): SettingType<boolean> {
  return matching('true or false', (text) =>
    text === 'true' ? true : text === 'false' ? false : undefined,
  );
}

/** Same rule as for users' passwords. */
export function password(): SettingType<string> {
  return matching('a password of 8 to 128 characters', (text) =>
    text.length >= 8 && text.length <= 128 && !/\p{Cc}/u.test(text) ? text : undefined,
  );
}

export function smtpUrl(): SettingType<string> {
  return matching('a URL such as smtps://user:password@mail.example.com:465', (text) => {
    const url = URL.parse(text);
    const isSmtp = url !== null && ['smtp:', 'smtps:'].includes(url.protocol);
    if (!isSmtp || url.hostname === '') return undefined;
    requireDecodable(url);
    const problem = problemOfSmtp(Object.fromEntries(url.searchParams));
    if (problem !== null) throw new InvalidSetting(problem, { isDiscreet: true });
    return text;
  });
}

const SMTP_SWITCHES = ['ignoreTLS', 'requireTLS', 'tls.rejectUnauthorized'];
const SMTP_PARAMETERS = [...SMTP_SWITCHES, 'name'];

function problemOfSmtp(given: Record<string, string>): string | null {
  const unknown = Object.keys(given).find((name) => !SMTP_PARAMETERS.includes(name));
  if (unknown !== undefined)
    return `has the parameter ${quote(unknown)}, but only ${SMTP_PARAMETERS.join(', ')} are known`;
  const unclear = SMTP_SWITCHES.find((name) => !['true', 'false', undefined].includes(given[name]));
  if (unclear !== undefined) return `says neither true nor false for ${unclear}`;
  if (given['ignoreTLS'] === 'true' && given['requireTLS'] === 'true')
    return 'has both ignoreTLS and requireTLS: keep one of them';
  return null;
}

/** Throws InvalidSetting where the user or the password of a URL can't be decoded. */
export function requireDecodable(url: URL): void {
  try {
    decodeURIComponent(url.username);
    decodeURIComponent(url.password);
  } catch {
    throw new InvalidSetting(
      'has a user or password with a % that begins no code: write %25 for it',
      { isDiscreet: true },
    );
  }
}

/** `ops@example.com` or `Operations <ops@example.com>`. */
export function mailAddress(): SettingType<string> {
  return matching('an e-mail address, or a name and the address in angle brackets', (text) => {
    const address = /^[^<>\p{Cc}]*<([^<>]+)>$/u.exec(text)?.[1] ?? text;
    return address.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(address) ? text : undefined;
  });
}
