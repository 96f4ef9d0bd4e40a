import { isIPv4, isIPv6 } from 'node:net';
import type { Answer } from 'dns-packet';
import { DNS_RECORD_TYPES, type DnsRecords, type DnsRecordType } from '../../model/inspection.ts';
import { parseHost } from '../../net/host.ts';

/** A record of class IN, with owner and value in normalized spelling. */
export interface ResourceRecord {
  name: string;
  type: DnsRecordType;
  value: string;
}

const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 2_000;

/** Converts a decoded record; null if it has another type or class, or is invalid. */
export function readRecord(record: Answer): ResourceRecord | null {
  if (record.type === 'OPT' || (record.class ?? 'IN') !== 'IN') return null;
  const text = valueText(record);
  if (text === null) return null;
  const type = record.type as DnsRecordType;
  const value = NORMALIZERS[type](text);
  return value === null ? null : { name: normalizeName(record.name), type, value };
}

/**
 * Normalizes the values of each type, sorted and without duplicates, so that equal sets are equal lists. Skips invalid
 * values.
 */
export function normalizeRecords(values: Partial<Record<DnsRecordType, readonly string[]>>) {
  const entries = DNS_RECORD_TYPES.map((type) => {
    const known = (values[type] ?? []).map((value) => NORMALIZERS[type](value));
    const distinct = [...new Set(known.filter((value) => value !== null))];
    return [type, distinct.toSorted(type === 'MX' ? byPreference : byText).slice(0, MAX_VALUES)];
  });
  return Object.fromEntries(entries) as DnsRecords;
}

/** Name in lower case without its final dot, safe to show; the root is `.`. */
export function normalizeName(name: string): string {
  const lower = safeText(name).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower.replace(/\.+$/, '') || '.';
}

/** Whether a query can contain the name: labels of 1 to 63 printable characters, 253 in all, or the root. */
export function isQueryable(name: string): boolean {
  if (name === '.') return true;
  return (
    name.length <= 253 && name.split('.').every((label) => /^(?!.*\\)[!-~]{1,63}$/.test(label))
  );
}

/** Whether the name is the zone's own or below it; both normalized. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

const NORMALIZERS: Record<DnsRecordType, (value: string) => string | null> = {
  A: (value) => (isIPv4(value) ? value : null),
  AAAA: canonicalIPv6,
  CNAME: nameText,
  MX: mailExchange,
  NS: nameText,
  TXT: (value) => cut(safeText(value)),
  SOA: (value) => cut(value.trim().split(/\s+/).map(normalizeName).join(' ')),
};

function valueText(record: Exclude<Answer, { type: 'OPT' }>): string | null {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.data;
    case 'CNAME':
    case 'NS':
      return withoutSpaces(record.data);
    case 'MX':
      return `${record.data.preference ?? 0} ${withoutSpaces(record.data.exchange)}`;
    case 'TXT':
      return txtText(record.data);
    case 'SOA':
      // Serial and timers change with each signature of a zone and are not significant.
      return `${withoutSpaces(record.data.mname)} ${withoutSpaces(record.data.rname)}`;
    default:
      return null;
  }
}

/** Joins the strings of a record (RFC 7208, section 3.3) and doubles backslashes, which mark escapes. */
function txtText(data: string | Buffer | (string | Buffer)[]): string {
  const bytes = Buffer.concat([data].flat().map((part) => Buffer.from(part)));
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(bytes);
  return (isText ? text : bytes.toString('latin1'))
    .replaceAll('\\', '\\\\')
    .replaceAll(/[\u0080-\u00ff]/g, (character) => (isText ? character : decimal(character, true)));
}

/** Escapes spaces as in a zone file, so that they don't end the name. */
function withoutSpaces(name: string): string {
  return name.replaceAll(/\s/g, (space) => decimal(space));
}

function nameText(value: string): string {
  return cut(normalizeName(value));
}

function mailExchange(value: string): string | null {
  const [, preference, exchange] = /^0*(\d{1,5})\s+(\S.*)$/s.exec(value.trim()) ?? [];
  return exchange === undefined ? null : cut(`${preference} ${normalizeName(exchange.trim())}`);
}

function canonicalIPv6(value: string): string | null {
  if (!isIPv6(value) || value.includes('%')) return null;
  const host = parseHost(value);
  return host?.kind === 'address' ? host.address : null;
}

/** Escapes control, invisible and line-breaking characters as `\DDD`, as in a zone file (RFC 1035, section 5.1). */
function safeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => decimal(character));
}

function decimal(character: string, isByte = false): string {
  const bytes = Buffer.from(character, isByte ? 'latin1' : 'utf8');
  return [...bytes].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('');
}

/** Shortens a text without splitting a surrogate pair. */
function cut(text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  return `${text.slice(0, MAX_VALUE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function byPreference(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10) || byText(a, b);
}
