import { DNS_RECORD_TYPES } from '../../model/inspection.ts';
import type {
  DnsRecords,
  DnsRecordType,
  Finding,
  InspectionResult,
} from '../../model/inspection.ts';

/** The finding of a look-up of a host's records: a failed look-up is a problem, no set of records is. */
export function dnsFinding(result: InspectionResult<'dns'>): Finding {
  switch (result.state) {
    case 'known':
      return { says: 'good' };
    case 'failed':
      return { says: 'bad', condition: 'dns', ...result.failure };
    case 'unknown':
      return { says: 'unknown' };
  }
}

const MAX_CHARACTERS = 500;
/**
 * Maximum number of values shown of one list, and of characters of one value; the records themselves are kept whole.
 */
const SHOWN_VALUES = 3;
const SHOWN_CHARACTERS = 80;

/**
 * One sentence on how two sets of records differ, such as `DNS records changed: A added 192.0.2.7, removed 192.0.2.1.`;
 * null when they are the same. At most 500 characters: what finds no room is counted or named by its type.
 */
export function describeDnsChange(before: DnsRecords, after: DnsRecords): string | null {
  const changed = DNS_RECORD_TYPES.flatMap((type) => {
    const text = typeChange(type, before[type], after[type]);
    return text === null ? [] : [{ type, text }];
  });
  if (changed.length === 0) return null;
  for (let shown = changed.length; shown > 0; shown--) {
    const rest = changed.slice(shown).map(({ type }) => type);
    const parts = changed.slice(0, shown).map(({ text }) => text);
    const sentence = `DNS records changed: ${[...parts, ...changesIn(rest)].join('; ')}.`;
    if (sentence.length <= MAX_CHARACTERS) return sentence;
  }
  return `DNS records changed: ${changesIn(changed.map(({ type }) => type)).join()}.`;
}

function changesIn(types: DnsRecordType[]): string[] {
  return types.length === 0 ? [] : [`further changes in ${types.join(', ')}`];
}

function typeChange(type: DnsRecordType, before: string[], after: string[]): string | null {
  const added = listed(type, without(after, before));
  const removed = listed(type, without(before, after));
  const changes = [
    ...(added === null ? [] : [`added ${added}`]),
    ...(removed === null ? [] : [`removed ${removed}`]),
  ];
  return changes.length === 0 ? null : `${type} ${changes.join(', ')}`;
}

function without(values: string[], others: string[]): string[] {
  const known = new Set(others);
  return [...new Set(values)].filter((value) => !known.has(value));
}

function listed(type: DnsRecordType, values: string[]): string | null {
  if (values.length === 0) return null;
  const shown = values.slice(0, SHOWN_VALUES).map((value) => shownValue(type, value));
  const more = values.length - shown.length;
  const items = more === 0 ? shown : [...shown, `${more} more`];
  return items.length === 1 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function shownValue(type: DnsRecordType, value: string): string {
  const short = shortened(value);
  return type === 'TXT' ? `"${short.replaceAll('"', '\\"')}"` : short;
}

function shortened(value: string): string {
  if (value.length <= SHOWN_CHARACTERS) return value;
  return `${value
    .slice(0, SHOWN_CHARACTERS - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}
