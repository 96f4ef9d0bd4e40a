/**
 * Sentences in which the API says causes, in English, by the code of the failure. A name in braces stands for a part that
 * differs: `number…` for a figure, `cause…` for a sentence of its own, `peer`, `phrase…` and `duration…` for one of the rows of
 * these names below, any other for text that is shown as it is. Sentences that are more exact come first.
 */
export const CAUSE_SENTENCES = {
  dns_not_found: [
    'DNS name {name} not found (NXDOMAIN)',
    'DNS name {name} not found',
    '"{name}" is not a valid host name',
  ],
  dns_timeout: ['DNS timeout looking up {name}'],
  dns_failed: [
    'DNS look-up of {name} failed for its {type} records: {reason}',
    'DNS look-up of {name} failed: {reason}',
    'DNS look-up of {name} failed',
  ],
  connection_refused: ['Connection refused by {peer}'],
  connection_timeout: [
    'Connection to {peer} timed out after {number} s',
    'Connection to {peer} timed out',
  ],
  connection_reset: ['Connection reset by {peer}', 'The connection was closed without a response'],
  connection_failed: [
    'Connection to {peer} failed ({reason})',
    'The connection was closed before it was made',
  ],
  host_unreachable: ['Host {address} is unreachable: {reason}', 'Host {address} is unreachable'],
  tls_expired: [
    'TLS certificate has expired',
    'TLS certificate expired on {day}',
    "The authority's TLS certificate {name} expired on {day}",
  ],
  tls_not_yet_valid: [
    'TLS certificate is not valid yet',
    'TLS certificate is not valid before {day}',
    "The authority's TLS certificate {name} is not valid before {day}",
  ],
  tls_wrong_host: [
    'TLS certificate is for another name',
    'TLS certificate is for {names}, not {host}',
    'TLS certificate names no host: browsers ignore its subject {name}',
  ],
  tls_untrusted: [
    'TLS certificate is missing: the server sent none',
    'TLS certificate is not trusted: {phrase}',
    'TLS certificate is not trusted ({reason})',
  ],
  tls_handshake: [
    'TLS handshake not finished within {number} s',
    'TLS handshake failed: {phrase}',
    'TLS failed: {reason}',
    'The server sent no TLS certificate',
  ],
  no_response: [
    'No response within {number} s',
    'Response not complete within {number} s',
    'No response: connection to {peer} lost',
  ],
  no_echo: ['No reply to ping from {address} within {number} s'],
  http_status: ['HTTP {status}'],
  redirect_loop: [
    'Redirect loop: {url} leads back to itself',
    'Redirect loop: more than {number} redirects',
  ],
  redirect_invalid: [
    'The redirect leads to an address that is not valid',
    'The redirect leads to {scheme} and not to http or https',
  ],
  response_too_large: [
    'Response too large: a content check reads up to 10 MiB, decompressed',
    'Response too large: a content check reads up to 10 MiB',
    'The response is longer than {number} bytes',
  ],
  response_cut_short: [
    'Response cut short after {numberRead} of {numberAll} bytes of body{how}',
    'Response cut short after {number} bytes of body{how}',
    'Response cut short within its headers{how}',
    'Connection closed by {peer} without a response',
    'The connection was closed before the response was complete',
  ],
  response_invalid: [
    'The answer is not valid HTTP: {reason}',
    'The answer is not valid HTTP ({reason})',
    'The response does not match its Content-Encoding',
  ],
  error_text: ['The page shows a server error: {text}'],
  target_not_allowed: ['Target {target} is not allowed (ALLOW_PRIVATE_TARGETS)'],
  keyword_missing: ['Keyword {keyword} is missing'],
  keyword_found: ['Keyword {keyword} was found'],
  json_assertion: [
    'The answer is not JSON',
    'The answer is nested deeper than {number} levels',
    'The answer has more than {number} values and names',
    "JSON {path} can't be read as a path",
    'JSON {path} is missing, expected {phrase}',
    'JSON {path} is {value}, expected {phrase}',
  ],
  probe_no_network: ['The probe has no network', 'The probe has no IPv{family} network'],
  aborted: ['The probe stopped before the check ended', 'The request was stopped before it ended'],
  ping_missed: [
    'The run that started at {start} did not end in time: its end was expected at {time} or in the {duration} after',
    'The run that started at {start} did not end in time: its end was expected at {time}',
    'No ping ever came; one was expected at {time}',
    'No ping came at {time}, when it was expected, nor in the {duration} after',
    'No ping came at {time}, when it was expected',
  ],
  job_failed: ['The job reported a failure', 'The job ended with exit code {code}'],
  run_unfinished: ['The run that started at {start} did not finish within {duration}'],
  tls_expiring: [
    'TLS certificate expires in {duration}, on {day}',
    "The authority's TLS certificate {name} expires in {duration}, on {day}",
    'TLS certificate expires on {day}',
    "The authority's TLS certificate {name} expires on {day}",
  ],
  tls_revoked: ['TLS certificate is revoked'],
  domain_expired: [
    'Domain {domain} expired on {day}',
    'Domain {domain} is in its redemption period',
    'Domain {domain} is about to be deleted',
  ],
  domain_expiring: [
    'Domain {domain} expires in {duration}, on {day}',
    'Domain {domain} expires on {day}',
  ],
  ipv4_broken: ['IPv4 is broken while IPv6 works: {cause}'],
  ipv6_broken: ['IPv6 is broken while IPv4 works: {cause}'],
  budget_burns_fast: [
    'The error budget of {duration} (target {numberTarget} %) burned {numberRate} times as fast as it lasts: the last hour spent {numberSpent} % of it',
  ],
  budget_burns_slowly: [
    'The error budget of {duration} (target {numberTarget} %) burned {numberRate} times as fast as it lasts: the last 6 hours spent {numberSpent} % of it',
  ],
  /** Causes without a code, and what follows any of them. */
  none: [
    'Response time of {numberTime} ms is over the threshold of {numberLimit} ms',
    'The check failed',
    'The probe did not answer',
    '{cause} (from {regions} only)',
    '{cause} (in {numberFailed} of {numberAll} checks from {machine})',
    '{cause} (and {number} more)',
    '{cause}. Seen from {machine}',
  ],
  /** How an incident ended by itself. */
  recovery: [
    'The monitor recovered',
    'The job reported a success',
    'The page is as it should be',
    'The answer is as it should be',
    'Both families of addresses answer, or there is one only',
    'The certificate is good',
    'The name can be looked up',
    'The registration is good',
    'The error budget burns no faster than it lasts',
    'The monitor looks at another target now',
  ],
  peer: ['{address} port {port}'],
  phrase: [
    'it is self-signed',
    'its chain ends in an unknown authority',
    'the server does not send its chain, or the authority is unknown',
    'its authority is unknown',
    'it is revoked',
    'the server closed the connection',
    'the server does not speak TLS on port {port}',
    'the server refused it ({alert})',
    'the server speaks HTTP/2 only, not HTTP/1.1',
    'to exist',
    'not to exist',
    'other than {value}',
    'to contain {value}',
    'not to contain {value}',
    'greater than {value}',
    'at least {value}',
    'less than {value}',
    'at most {value}',
    'to match {value}',
    'not to match {value}',
  ],
  duration: [
    'less than a day',
    'day',
    'hour',
    'minute',
    'second',
    '{number} day',
    '{number} days',
    '{number} hour',
    '{number} hours',
    '{number} minute',
    '{number} minutes',
    '{number} second',
    '{number} seconds',
    '{durationFirst} and {durationLast}',
    '{durationFirst}, {durationLast}',
  ],
} as const;

type Sentences = typeof CAUSE_SENTENCES;
type AsMany<Rows extends readonly string[]> = { readonly [Row in keyof Rows]: string };

/** The same sentences in another language, row by row, with the same names in braces. */
export type CauseWords = { [Code in keyof Sentences]: AsMany<Sentences[Code]> };

type Group = keyof CauseWords;

interface Template {
  group: Group;
  row: number;
  pattern: RegExp;
  names: string[];
}

/** Characters that mean something in a pattern. */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;
const NAME = /\{(\w+)\}/g;
/** A group whose rows are parts of sentences and no causes. */
const PARTS: ReadonlySet<Group> = new Set<Group>(['peer', 'phrase', 'duration']);

let compiled: Template[] | null = null;

/** What titles say in place of long causes, in each language. */
export interface ShortCauses {
  slow: (ms: string, limit: string) => string;
  missed: string;
  neverPinged: string;
  unfinished: string;
}

/** Causes that a title has no room for; their times stand beside it, and their whole text is on the page of the incident. */
const LONG: [RegExp, (words: ShortCauses, ms: string, limit: string) => string][] = [
  [
    /^Response time of ([\d,.]+) ms is over the threshold of ([\d,.]+) ms/,
    (words, ms, limit) => words.slow(ms, limit),
  ],
  [/^No ping came at /, (words) => words.missed],
  [/^No ping ever came/, (words) => words.neverPinged],
  [/^The run that started at .* did not (?:end|finish) /, (words) => words.unfinished],
];

/** A cause as a title has it; null for one that is short as it is. Pure. */
export function shortCause(cause: string, words: ShortCauses, locale: string): string | null {
  for (const [pattern, write] of LONG) {
    const found = pattern.exec(cause);
    if (found === null) continue;
    const [ms = '', limit = ''] = found.slice(1).map((text) => numberOf(text, locale));
    return write(words, ms, limit);
  }
  return null;
}

/**
 * A cause in the words of a language, found by the sentence in which the API says it; null when it is none of those that
 * are known, such as one that a person wrote.
 */
export function translatedCause(cause: string, words: CauseWords, locale: string): string | null {
  return translated(cause, (group) => !PARTS.has(group), words, locale);
}

function translated(
  text: string,
  isAsked: (group: Group) => boolean,
  words: CauseWords,
  locale: string,
): string | null {
  compiled ??= templates();
  for (const { group, row, pattern, names } of compiled) {
    if (!isAsked(group)) continue;
    const found = pattern.exec(text);
    if (found === null) continue;
    const parts = new Map<string, string | null>(
      names.map((name, at) => [name, partOf(name, found[at + 1]!, words, locale)]),
    );
    // A sentence within this one that is not known: another row may know the whole.
    if ([...parts.values()].includes(null)) continue;
    const rows: readonly string[] = words[group];
    const sentence = rows[row]!;
    return sentence.replaceAll(NAME, (_, name: string) => parts.get(name) ?? '');
  }
  return null;
}

/** A part of a sentence; null for a cause or a duration that is not known. Other parts stay as they are. */
function partOf(name: string, text: string, words: CauseWords, locale: string): string | null {
  if (name.startsWith('cause')) return translatedCause(text, words, locale);
  if (name.startsWith('duration'))
    return translated(text, (group) => group === 'duration', words, locale);
  if (name === 'peer' || name.startsWith('phrase')) {
    const asked = name === 'peer' ? name : 'phrase';
    return translated(text, (group) => group === asked, words, locale) ?? text;
  }
  return name.startsWith('number') ? numberOf(text, locale) : text;
}

function numberOf(text: string, locale: string): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  return Number(text.replaceAll(',', '')).toLocaleString(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** What follows a cause is taken off first, so that no part of another sentence holds it. */
function templates(): Template[] {
  const groups = Object.keys(CAUSE_SENTENCES) as Group[];
  return groups
    .flatMap((group) => CAUSE_SENTENCES[group].map((text, row) => templateOf(group, text, row)))
    .toSorted((a, b) => Number(b.names[0] === 'cause') - Number(a.names[0] === 'cause'));
}

function templateOf(group: Group, text: string, row: number): Template {
  const pieces = text.split(/\{\w+\}/).map((piece) => piece.replaceAll(SPECIAL, String.raw`\$&`));
  const names = [...text.matchAll(NAME)].map(([, name]) => name!);
  const source = pieces.reduce((before, piece, at) => before + captureOf(names[at - 1]!) + piece);
  return { group, row, names, pattern: new RegExp(`^${source}$`, 's') };
}

function captureOf(name: string): string {
  if (name.startsWith('number')) return String.raw`([\d,]+(?:\.\d+)?)`;
  // What happened to a response that was cut short may be left out.
  return name === 'how' ? '(.*)' : '(.+)';
}
