import { z } from 'zod';
import { hintFor, pathsOf } from '../../lib/schemas.ts';
import type { MonitorTypeDefinition } from '../../monitor-types/definition.ts';
import type { CompleteField } from '../../monitor-types/field.ts';
import { definitionOf, isMonitorType, MONITOR_TYPES, takes } from '../../monitor-types/registry.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';

const SETTINGS: ReadonlyMap<string, CompleteField> = new Map(
  FIELD_LIST.map(({ name, field }) => [name, field]),
);

/** Fields of monitors by their name, and those of an item that are no settings, with their kinds. */
const KINDS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  // Groups are named, not identified.
  ...FIELD_LIST.filter(({ name }) => name !== 'group_id').map(
    ({ name, field }) => [name, field.output] as const,
  ),
  ['monitor_type', z.string()],
  ['is_paused', z.boolean()],
  ['ping_aliases', z.array(z.string())],
  ['slo', z.object()],
]);

/** Short names of fields. */
const SHORT_NAMES = new Map([
  ['name', 'friendly_name'],
  ['type', 'monitor_type'],
]);

export interface DescribedMonitor {
  /** Values as text, by the name of the field, which may be short. */
  texts: Readonly<Record<string, string>>;
  /** Used where there is no text. Those that its type does not take are left out. */
  defaults: Readonly<Record<string, unknown>>;
}

export interface FieldFault {
  /** As it was given. */
  field: string;
  /** Follows the name of the field, without a full stop: `must be …`. */
  predicate: string;
}

/**
 * Reads a monitor whose settings are texts: numbers, yes or no, lists by comma, and objects as JSON. All that the API
 * refuses for the setting itself is a fault; what depends on the team or the installation only the API knows.
 */
export function readMonitorFields({ texts, defaults }: DescribedMonitor) {
  const faults: FieldFault[] = [];
  const given = new Map<string, { as: string; text: string }>();
  for (const [as, text] of Object.entries(texts)) {
    const field = SHORT_NAMES.get(as) ?? as;
    if (given.has(field)) faults.push({ field: as, predicate: 'is given twice: keep one of them' });
    given.set(field, { as, text: text.trim() });
  }
  const { as: asType = 'type', text: typeText = '' } = given.get('monitor_type') ?? {};
  const typeName = typeText || (defaults['monitor_type'] ?? 'http');
  if (!isMonitorType(typeName)) {
    const predicate = `must be one of ${MONITOR_TYPES.join(', ')}${hintFor(typeName, MONITOR_TYPES)}`;
    return { fields: {}, faults: [...faults, { field: asType, predicate }] };
  }
  const type = definitionOf(typeName);
  const own = Object.entries(defaults).filter(([field]) => isTaken(field, type));
  const fields: Record<string, unknown> = { ...Object.fromEntries(own), monitor_type: typeName };
  for (const [field, { as, text }] of given) {
    const read = readField(field, text, type);
    if ('predicate' in read) faults.push({ field: as, predicate: read.predicate });
    else if (read.value !== undefined) fields[field] = read.value;
  }
  const wrong = new Set(faults.map(({ field }) => SHORT_NAMES.get(field) ?? field));
  for (const [field, hint] of type.required) {
    if (fields[field] === undefined && !wrong.has(field))
      faults.push({ field, predicate: `is missing: ${hint}` });
  }
  const { url } = fields;
  if (type.kind === 'pull' && typeof url === 'string' && type.hostIn(url) === null)
    faults.push({ field: 'url', predicate: `must be ${type.urlForm}, such as ${type.urlExample}` });
  return { fields, faults };
}

function isTaken(field: string, type: MonitorTypeDefinition): boolean {
  const setting = SETTINGS.get(field);
  return setting === undefined || takes(type, setting.group);
}

/** The value of a text; undefined for an empty one, which leaves the field out. */
function readField(field: string, text: string, type: MonitorTypeDefinition) {
  const kind = KINDS.get(field);
  if (kind === undefined)
    return { predicate: `is no setting of a monitor${hintFor(field, [...KINDS.keys()])}` };
  if (text === '') return { value: undefined };
  if (!isTaken(field, type)) return { predicate: `is not for monitors of type ${type.name}` };
  const read = readText(kind, text);
  const setting = SETTINGS.get(field);
  if ('predicate' in read || setting === undefined) return read;
  const predicate = faultOf(field, setting, read.value, type);
  return predicate === null ? read : { predicate };
}

const YES_OR_NO = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

function readText(kind: z.ZodType, text: string): { value: unknown } | { predicate: string } {
  if (kind instanceof z.ZodBoolean) {
    const value = YES_OR_NO.get(text.toLowerCase());
    return value === undefined ? { predicate: 'must be yes or no' } : { value };
  }
  if (kind instanceof z.ZodNumber)
    return /^-?\d{1,15}(\.\d{1,15})?$/.test(text)
      ? { value: Number(text) }
      : { predicate: 'must be a number' };
  if (kind instanceof z.ZodString || kind instanceof z.ZodEnum) return { value: text };
  const isList = kind instanceof z.ZodArray;
  if (isList && !text.startsWith('[')) {
    const entries = text.split(',').map((entry) => entry.trim());
    return { value: entries.filter((entry) => entry !== '') };
  }
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null) return { value };
  } catch {
    // What is no JSON gets the same answer as JSON of another kind.
  }
  return { predicate: isList ? 'must be a list by comma, or one as JSON' : 'must be JSON' };
}

/** What the API says of the value; null for nothing. Ids of other things are keys here, which it resolves. */
function faultOf(
  field: string,
  setting: CompleteField,
  value: unknown,
  type: MonitorTypeDefinition,
): string | null {
  // Only the API knows the regions.
  if (field === 'monitored_regions') return null;
  if (field === 'depends_on')
    return (value as unknown[]).every((key) => typeof key === 'string') ? null : 'must name keys';
  const [issue] = schemaOf(field, setting, type).safeParse(value).error?.issues ?? [];
  if (issue === undefined) return null;
  const path = pathsOf(issue)[0]!.map((part) => String(part));
  return path.length === 0 ? issue.message : `(${path.join('.')}) ${issue.message}`;
}

/** Schemas by field and type: making one takes longer than using it. */
const SCHEMAS = new Map<string, z.ZodType>();

function schemaOf(field: string, { input }: CompleteField, type: MonitorTypeDefinition): z.ZodType {
  const name = `${field} ${type.name}`;
  const schema =
    SCHEMAS.get(name) ?? (typeof input === 'function' ? input({ type, regions: [] }) : input);
  SCHEMAS.set(name, schema);
  return schema;
}
