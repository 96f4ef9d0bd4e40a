import { domainToUnicode } from 'node:url';
import { storableText } from '../../lib/text.ts';
import { readDate } from './dates.ts';
import { normalizeStatuses } from './epp-status.ts';

type WhoisReading =
  | { state: 'known'; expiresAt: number | null; registrar: string | null; statuses: string[] }
  /** The reason completes "the server …". */
  | { state: 'unknown'; reason: string; isLimit?: boolean };

interface Line {
  /** In lower case, without surrounding dots and brackets. */
  label: string;
  value: string;
}

/** Labels of the registry's expiry date, without the dots that many are padded with. */
const EXPIRY_LABELS = new Set([
  'data de expiração',
  'date_renewal',
  'domain currently expires',
  'domain expiration',
  'domain expiration date',
  'domain expires',
  'domain expiry date',
  'domain_datebilleduntil',
  'exp date',
  'expiration',
  'expiration date',
  'expiration time',
  'expiration-date',
  'expire',
  'expire date',
  'expire-date',
  'expired',
  'expires',
  'expires at',
  'expires on',
  'expiry',
  'expiry date',
  'expiry-date',
  'fecha de expiración',
  'fecha de vencimiento',
  'paid till',
  'paid-till',
  'record expired',
  'record expires on',
  'record will expire on',
  'registered until',
  'registry expiration date',
  'registry expiry date',
  'renewal',
  'renewal date',
  'valid until',
  'valid-date',
  'validity',
  '有効期限',
]);
/** The registrar's date may differ: it is only used if there is none of the registry. */
const REGISTRAR_EXPIRY_LABELS = new Set(['registrar registration expiration date']);
const REGISTRAR_LABELS = new Set([
  'registrar',
  'registrar name',
  'registrar organization',
  'registrar-name',
  'sponsoring registrar',
]);
const STATUS_LABELS = new Set(['domain status', 'epp status', 'eppstatus', 'status']);
const DOMAIN_LABELS = new Set([
  'domain',
  'domain name',
  'domain-name',
  'domain_name',
  'domainname',
  'dominio',
  'nom de domaine',
  'nome de domínio / domain name',
  'complete domain name',
  'query',
]);

/** Labels that some servers separate with spaces only. */
const SPACED_LABEL = /^(valid-date|record expires on|domain expires|expires on)\s+(.+)$/i;
const BRACKETED = /^(?:[a-z]\.?\s*)?\[([^\]]{1,60})\]\s*(.*)$/i;
const WITH_COLON = /^([^:：]{1,70})[:：](?!\/\/)\s*(.*)$/;
const COMMENT = /^(%|#|>>>|;|--)/;

const NOT_FOUND =
  /^[ \t%#>*.-]*(?:no match|not found|no entries found|no data found|no object found|no information|no such domain|nothing found|no record|not registered|nincs talalat|object (?:does not exist|not found)|domain (?:name )?(?:not found|not registered|unknown|is available|does not exist)|(?:the )?(?:queried|requested) object does not exist|this query returned 0 objects|we do not have an entry|el dominio no (?:existe|se encuentra))|^[ \t]*(?:domain )?status\.*[ \t]*[:：][ \t]*(?:free|available|not registered|no object found)\b/im;
/** `\0` stands for the domain's name. */
const NAMED_NOT_FOUND =
  /no match for (?:domain )?["']?\0|\0["']?,? (?:is free|is not registered|is available|was not found|not found|has not been registered|does not exist)/;
const LIMIT =
  /exceed|too many|quota|rate.?limit|limit reached|denied|black-?list|blocked|try again later|temporarily unavailable|not authori[sz]ed|not permitted/i;

/**
 * Parses a registry's response. The result is `unknown` unless the text is about that very domain (ASCII); ambiguous
 * values are not guessed. `isDayFirst` is the order of this registry's numeric dates.
 */
export function readWhoisAnswer(text: string, domain: string, isDayFirst: boolean): WhoisReading {
  const lines = readLines(text);
  const expiry = readExpiry(lines, isDayFirst);
  const isMentioned = mentions(text, domain);
  if (typeof expiry !== 'number' && isNotFound(text, domain)) {
    return { state: 'unknown', reason: `does not know ${domain}` };
  }
  if (!isMentioned || (typeof expiry !== 'number' && !isAbout(lines, domain))) {
    if (LIMIT.test(text)) {
      return { state: 'unknown', reason: 'limits the rate of queries', isLimit: true };
    }
    return { state: 'unknown', reason: `sent no readable answer about ${domain}` };
  }
  if (typeof expiry === 'object' && expiry !== null) {
    const reason = `returned an ambiguous expiry date, "${expiry.doubtful}"`;
    return { state: 'unknown', reason };
  }
  const statuses = normalizeStatuses(values(lines, STATUS_LABELS));
  const named = values(lines, REGISTRAR_LABELS)[0];
  const registrar = named === undefined ? null : storableText(named.slice(0, 200));
  return { state: 'known', expiresAt: expiry, registrar, statuses };
}

function isNotFound(text: string, domain: string): boolean {
  return (
    NOT_FOUND.test(text) ||
    NAMED_NOT_FOUND.test(text.toLowerCase().replaceAll(domain.toLowerCase(), '\0'))
  );
}

/** The date, a text that should be one, or null if there is none. */
function readExpiry(lines: Line[], isDayFirst: boolean): number | { doubtful: string } | null {
  let doubtful: string | null = null;
  for (const labels of [EXPIRY_LABELS, REGISTRAR_EXPIRY_LABELS]) {
    for (const { label, value } of lines) {
      const format = /\((dd?.mm?.yyyy)\)/.exec(label);
      if (!labels.has(label) && !isPartOf(labels, label)) continue;
      const read = readDate(value, isDayFirst || format !== null);
      if (typeof read === 'number') return read;
      if (read !== 'none') doubtful ??= value.slice(0, 40);
    }
  }
  const jprs = lines.find(({ label }) => label === 'state' || label === '状態')?.value;
  const inBrackets = /\((\d{4}\/\d{2}\/\d{2})\)/.exec(jprs ?? '')?.[1];
  if (inBrackets !== undefined) {
    const read = readDate(inBrackets);
    if (typeof read === 'number') return read;
  }
  return doubtful === null ? null : { doubtful };
}

/** Whether one of several languages in a label matches, such as `data de expiração / expiration date (dd/mm/yyyy)`. */
function isPartOf(labels: ReadonlySet<string>, label: string): boolean {
  return label
    .replace(/\(.*?\)/g, '')
    .split('/')
    .some((part) => labels.has(part.trim()));
}

function values(lines: Line[], labels: ReadonlySet<string>): string[] {
  return lines
    .filter(({ label, value }) => labels.has(label) && value !== '')
    .map(({ value }) => value);
}

function readLines(text: string): Line[] {
  const rows = text.split(/\r\n|\r|\n/).map((row) => row.trim());
  const lines: Line[] = [];
  for (const [index, row] of rows.entries()) {
    if (row === '' || COMMENT.test(row)) continue;
    const [, label, value] =
      BRACKETED.exec(row) ?? SPACED_LABEL.exec(row) ?? WITH_COLON.exec(row) ?? [];
    if (label === undefined) continue;
    lines.push({
      label: label.toLowerCase().replace(/^[\s.]+|[\s.]+$/g, ''),
      // Some put the value on the next line.
      value: value?.trim() || followingValue(rows[index + 1]),
    });
  }
  return lines;
}

function followingValue(row: string | undefined): string {
  if (row === undefined || COMMENT.test(row)) return '';
  return /^[^:]{1,70}:(?:\s|$)/.test(row) ? '' : row;
}

/** Whether a line says that the text is about this domain. */
function isAbout(lines: Line[], domain: string): boolean {
  return lines.some(({ label, value }) => DOMAIN_LABELS.has(label) && mentions(value, domain));
}

/** Whether the text contains the domain, in ASCII or Unicode. */
function mentions(text: string, domain: string): boolean {
  const lower = text.toLowerCase();
  return [domain.toLowerCase(), domainToUnicode(domain).toLowerCase()].some(
    (name) => name !== '' && isWordOf(lower, name),
  );
}

/** Whether the name occurs on its own, not as a part of a longer name such as `notexample.com`. */
function isWordOf(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!/[\p{L}\p{N}.-]/u.test(before) && !/^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u.test(after)) {
      return true;
    }
  }
  return false;
}
