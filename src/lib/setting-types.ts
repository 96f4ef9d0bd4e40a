import { isIP } from 'node:net';

/** A way of writing a value in a setting. */
export interface Type<T> {
  /** Completes "it must be …", in errors and in the documentation. */
  allowed: string;
  /** Throws Refused. */
  parse(text: string): T;
}

/** A text that is no value of its type. Without a problem of its own, the type's `allowed` says what is wrong. */
export class Refused extends Error {
  readonly problem: string | null;
  constructor(problem: string | null = null) {
    super(problem ?? 'not allowed');
    this.problem = problem;
  }
}

/** In quotes on one line, and not endless. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** A type whose `accept` answers undefined for what it refuses. */
export function matching<T>(allowed: string, accept: (text: string) => T | undefined): Type<T> {
  return {
    allowed,
    parse(text) {
      const value = accept(text);
      if (value === undefined) throw new Refused();
      return value;
    },
  };
}

/** A comma list without repetitions, told apart by `key`; all bad entries are named at once. */
export function listOf<T>(item: Type<T>, key: (value: T) => string): Type<T[]> {
  return {
    allowed: `a comma list, each ${item.allowed}`,
    parse(text) {
      const values: T[] = [];
      const refused: string[] = [];
      for (const part of text.split(',').map((one) => one.trim())) {
        try {
          values.push(item.parse(part));
        } catch {
          refused.push(quote(part));
        }
      }
      if (refused.length > 0) {
        throw new Refused(`has ${refused.join(', ')}, but each must be ${item.allowed}`);
      }
      const keys = values.map(key);
      const twice = keys.filter((one, index) => keys.indexOf(one) !== index);
      if (twice.length > 0) throw new Refused(`has ${twice.map(quote).join(', ')} more than once`);
      return values;
    },
  };
}

export function wholeNumber(least: number, most: number): Type<number> {
  return matching(`a whole number from ${least} to ${most}`, (text) => {
    const value = Number(text);
    return /^\d{1,9}$/.test(text) && value >= least && value <= most ? value : undefined;
  });
}

/** Minutes, fractions too. */
export function minutes(least: number, most: number): Type<number> {
  return matching(`a number of minutes from ${least} to ${most}`, (text) => {
    const value = Number(text);
    return /^\d+(\.\d+)?$/.test(text) && value >= least && value <= most ? value : undefined;
  });
}

export function oneOf<const T extends string>(values: readonly T[]): Type<T> {
  return matching(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text));
}

export function plainText(most: number): Type<string> {
  return matching(`one line of at most ${most} characters`, (text) =>
    text.length <= most && !/\p{Cc}/u.test(text) ? text : undefined,
  );
}

export function hostName(): Type<string> {
  return matching('an IP address without brackets or a host name, without a port', (text) =>
    isIP(text) > 0 || isHostName(text) ? text : undefined,
  );
}

export interface HostAndPort {
  host: string;
  port: number;
}

/** Such as `192.0.2.1:53`, `[2001:db8::1]:443` or `example.com:443`; at most so many. */
export function hostsAndPorts(most: number): Type<HostAndPort[]> {
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
    allowed: `${list.allowed}, at most ${most}`,
    parse(text) {
      const targets = list.parse(text);
      if (targets.length <= most) return targets;
      throw new Refused(`has ${targets.length} entries, but may have at most ${most}`);
    },
  };
}

/** RFC 1123 names; a last label of digits would be a misspelt address. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= 253 &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** Its trailing slashes are dropped. */
export function baseUrl(): Type<string> {
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

export function postgresUrl(): Type<string> {
  return matching('a URL such as postgres://user:password@host:5432/database', (text) => {
    // "user@/database?host=/socket/folder" is a Postgres URL, though the URL standard knows no user without a host.
    const standard = text.replace('@/', '@localhost/');
    return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(standard) ? text : undefined;
  });
}

/** Only its shape: whether it exists, a mail to it tells. */
export function emailAddress(): Type<string> {
  return matching('an e-mail address', (text) =>
    text.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text) ? text : undefined,
  );
}

export function apiToken(): Type<string> {
  return matching('32 or more visible ASCII characters without spaces', (text) =>
    /^[\x21-\x7e]{32,}$/.test(text) ? text : undefined,
  );
}

/** A network such as `10.0.0.0/8`; bits behind the prefix may be set. */
function isCidr(text: string): boolean {
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  return version > 0 && !address.includes('%') && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** A network such as `10.0.0.0/8`, or one address. */
export function network(): Type<string> {
  return matching('a CIDR such as 10.0.0.0/8 or an address', (text) =>
    isCidr(text) || (isIP(text) > 0 && !text.includes('%')) ? text : undefined,
  );
}

/** `true` believes everybody, a number that many hops, a list these addresses (as Fastify's `trustProxy`). */
export function proxyRule(): Type<boolean | number | string[]> {
  const proxies = listOf(network(), (text) => text);
  const hops = wholeNumber(1, 10);
  return {
    allowed:
      'true, false, the number of proxies (1 to 10) or a comma list of their addresses and CIDRs',
    parse(text) {
      if (text === 'true' || text === 'false') return text === 'true';
      if (/^\d+$/.test(text)) return hops.parse(text);
      if (!/[.:]/.test(text)) throw new Refused();
      return proxies.parse(text);
    },
  };
}

export function trueOrFalse(): Type<boolean> {
  return matching('true or false', (text) =>
    text === 'true' ? true : text === 'false' ? false : undefined,
  );
}

/** As people's passwords are: 8 to 128 characters. */
export function password(): Type<string> {
  return matching('a password of 8 to 128 characters', (text) =>
    text.length >= 8 && text.length <= 128 && !/\p{Cc}/u.test(text) ? text : undefined,
  );
}

export function smtpUrl(): Type<string> {
  return matching('a URL such as smtps://user:password@mail.example.com:465', (text) => {
    const url = URL.parse(text);
    const isSmtp = url !== null && ['smtp:', 'smtps:'].includes(url.protocol);
    return isSmtp && url.hostname !== '' ? text : undefined;
  });
}

/** `ops@example.com` or `Operations <ops@example.com>`. */
export function mailAddress(): Type<string> {
  return matching('an e-mail address, or a name and the address in angle brackets', (text) => {
    const address = /^[^<>\p{Cc}]*<([^<>]+)>$/u.exec(text)?.[1] ?? text;
    return address.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(address) ? text : undefined;
  });
}
