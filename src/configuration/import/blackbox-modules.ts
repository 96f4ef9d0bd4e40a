import {
  basic,
  bodyUpTo,
  headersOf,
  methodOf,
  secret,
  statusCodesOf,
  takesBody,
} from './common.ts';
import { Content } from './content.ts';
import { quoted, type Notes } from './notes.ts';
import { isOn, listOf, objectOf, textOf, type Given } from './values.ts';

export interface Module {
  /** `http`, `tcp`, `icmp`, `dns`, `grpc` or another one. */
  prober: string;
  /** Of its prober. */
  settings: Given;
  timeout: unknown;
}

/** Probers of modules whose definition is not there, by the names that people give them. */
const GUESSES: readonly (readonly [RegExp, string])[] = [
  [/^https?(?:_|$)/i, 'http'],
  [/^(?:icmp|ping)/i, 'icmp'],
  [/^dns/i, 'dns'],
  [/^grpc/i, 'grpc'],
  [/^(?:tcp|tls)(?:_|$)|banner|starttls/i, 'tcp'],
];

/** A module by its name: as it is defined, or as those of that name mostly are; null for one that is not known. */
export function moduleOf(name: string, modules: Readonly<Given>): Module | null {
  if (Object.hasOwn(modules, name)) {
    const module = objectOf(modules[name]);
    const prober = textOf(module['prober']) ?? '';
    return { prober, settings: objectOf(module[prober]), timeout: module['timeout'] };
  }
  const guess = GUESSES.find(([pattern]) => pattern.test(name));
  if (guess === undefined) return null;
  const settings = /^https?_post/i.test(name) ? { method: 'POST' } : {};
  return { prober: guess[1], settings, timeout: undefined };
}

/** What has no counterpart, by the name of a setting of the http prober. */
const UNKNOWN: Readonly<Record<string, string>> = {
  fail_if_ssl: 'that the answer is not encrypted',
  fail_if_header_matches: 'its headers',
  fail_if_header_not_matches: 'its headers',
  fail_if_body_json_matches_cel: 'its body by CEL',
  fail_if_body_json_not_matches_cel: 'its body by CEL',
};
const OTHER_WAYS: Readonly<Record<string, string>> = {
  proxy_url: 'through a proxy',
  oauth2: 'with a token by OAuth 2',
  enable_http3: 'by HTTP/3',
  body_file: 'with a body from a file',
};

/** Fields of an http monitor by a module of the http prober (CONFIGURATION.md of blackbox_exporter 0.28). */
export function httpFields(settings: Given, url: string, notes: Notes) {
  for (const [name, what] of Object.entries(UNKNOWN))
    if (isSet(settings[name])) notes.change(`Tocsin does not check ${what}.`);
  for (const [name, how] of Object.entries(OTHER_WAYS))
    if (isSet(settings[name])) notes.change(`It is no longer checked ${how}.`);
  if (isOn(settings['fail_if_not_ssl']) && !/^https:/i.test(url))
    notes.change('Tocsin does not check that the answer is encrypted.');
  const { method, http_method } = methodOf(settings['method'], notes);
  const codes = listOf(settings['valid_status_codes']);
  const tls = objectOf(settings['tls_config']);
  if (['ca_file', 'cert_file', 'key_file', 'server_name'].some((name) => isSet(tls[name])))
    notes.change('It is no longer checked with certificates or a name of its own (tls_config).');
  return {
    http_method,
    request_headers: headersOf(headers(settings), notes),
    request_body: takesBody(method) ? bodyUpTo(settings['body'], notes) : undefined,
    accepted_status_codes: codes.length === 0 ? ['2xx'] : statusCodesOf(codes, notes),
    ...contentOf(settings, notes).fields(notes),
    follow_redirects:
      settings['follow_redirects'] === false || isOn(settings['no_follow_redirects'])
        ? false
        : undefined,
    verify_ssl: isOn(tls['insecure_skip_verify']) ? false : undefined,
    ...credentials(settings, notes),
  };
}

const isSet = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

function headers(settings: Given): (readonly [string, unknown])[] {
  const more = Object.entries(objectOf(settings['http_headers'])).map(([name, given]) => {
    const { values, secrets } = objectOf(given);
    return [name, listOf(secrets).at(-1) ?? listOf(values).at(-1)] as const;
  });
  return [...Object.entries(objectOf(settings['headers'])), ...more];
}

function credentials(settings: Given, notes: Notes) {
  const { username, password, password_file: file } = objectOf(settings['basic_auth']);
  const {
    type,
    credentials: given,
    credentials_file: tokenFile,
  } = objectOf(settings['authorization']);
  const token = secret(settings['bearer_token'] ?? given);
  if (file !== undefined || tokenFile !== undefined || settings['bearer_token_file'] !== undefined)
    notes.change(
      'It is checked without its password or token, which is in a file: set auth_password.',
    );
  if (username !== undefined && password !== undefined) return basic(username, password, notes);
  if (token === undefined) return {};
  const isBearer = /^bearer$/i.test(textOf(type) ?? 'Bearer');
  if (!isBearer)
    notes.change(
      `It signs in by a token of the type bearer instead of ${quoted(textOf(type) ?? '')}.`,
    );
  return { auth_type: 'bearer', auth_password: token };
}

function contentOf(settings: Given, notes: Notes): Content {
  const content = new Content();
  for (const [name, mode] of [
    ['fail_if_body_matches_regexp', 'must_not_contain'],
    ['fail_if_body_not_matches_regexp', 'must_contain'],
  ] as const) {
    const patterns = settings[name];
    for (const pattern of Array.isArray(patterns) ? (patterns as unknown[]) : [patterns]) {
      const text = textOf(pattern) ?? '';
      if (text === '') continue;
      const literal = literalOf(text);
      const fault =
        literal === null
          ? 'only texts in the body are known, and no patterns'
          : content.addKeyword({ phrase: literal.text, mode, case_sensitive: literal.isExact });
      if (fault !== null) notes.change(`Its pattern ${quoted(text)} is left out: ${fault}.`);
    }
  }
  return content;
}

/** The text that a pattern stands for, if it stands for one: `.*` around it means nothing. */
function literalOf(pattern: string): { text: string; isExact: boolean } | null {
  const [, flags = '', rest = ''] = /^(\(\?i\))?(.*)$/s.exec(pattern)!;
  const inner = rest.replace(/^(?:\.\*)+|(?:\.\*)+$/g, '');
  if (!/^(?:[^\\.*+?^${}()|[\]]|\\[^A-Za-z0-9])+$/.test(inner)) return null;
  return { text: inner.replace(/\\(.)/gs, '$1'), isExact: flags === '' };
}
