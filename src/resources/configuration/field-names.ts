import type { ConfigurationDocument, Section } from '../../configuration/document.ts';
import { hintFor } from '../../lib/schemas.ts';
import { definitionOf, isMonitorType, takes } from '../../monitor-types/registry.ts';
import type { FieldName } from '../../monitor-types/fields.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';
import type { AnyCollection } from '../common/collection.ts';
import type { Fields } from './kinds.ts';

/** Fields of an item that are no settings of the monitor: what it is, and what has operations of its own. */
export const OWN = ['monitor_type', 'is_paused', 'slo', 'ping_aliases'] as const;

export const typeOf = ({ monitor_type: type }: Fields): unknown => type ?? 'http';

/** Names of the settings that monitors of a type have; all of an unknown one, which is refused by itself. */
export function namesOfType(word: unknown): FieldName[] {
  const type = isMonitorType(word) ? definitionOf(word) : null;
  return FIELD_LIST.filter(({ field }) => type === null || takes(type, field.group)).map(
    ({ name }) => name,
  );
}

/** Names of the fields that a monitor may have. Null is no value, and so may also stand in those of other types. */
export function monitorNames(fields: Fields): string[] {
  const empty = FIELD_LIST.map(({ name }) => name).filter((name) => fields[name] === null);
  return [...new Set<string>([...OWN, ...namesOfType(typeOf(fields)), ...empty])];
}

/** More fields than that are not listed. */
const MAX_LISTED = 15;
const MAX_ERRORS = 100;

/** Why an item can't have a field. @param known the fields that it can have. */
export function unknownField(noun: string, name: string, known: readonly string[], fields: Fields) {
  if (noun === 'monitor' && FIELD_LIST.some((one) => one.name === name))
    return `is not for monitors of type ${String(typeOf(fields))}: remove it, or take away what a preset or a default says by "${name}: null" in the item`;
  // Other services say `interval` for `check_interval`.
  const word = name.replaceAll('-', '_').toLowerCase();
  const longer = known.filter((one) => `_${one}_`.includes(`_${word}_`)).join(' or ');
  const hint = hintFor(word, known) || (longer && ` (did you mean ${longer}?)`);
  const listed = known.length > MAX_LISTED ? 'are in the API reference' : `are ${known.join(', ')}`;
  return `is no field of this ${noun}${hint || `: its fields ${listed}`}`;
}

/**
 * Fields that the items of a document can't have, by their places in it such as `monitors.3.chek_interval`. Needs no
 * server; values are not looked at. The first 100 of them.
 */
export function unknownFields(
  document: ConfigurationDocument,
  collections: readonly AnyCollection[],
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  let count = 0;
  const refuse = (section: Section, noun: string, namesOf: (fields: Fields) => readonly string[]) =>
    document[section]?.forEach((fields, index) => {
      const known = namesOf(fields);
      for (const name of Object.keys(fields)) {
        if (name === 'key' || known.includes(name)) continue;
        if (count === MAX_ERRORS) return;
        count += 1;
        const path = `${section}.${index}.${name}`;
        errors[path] = [`${path} ${unknownField(noun, name, known, fields)}.`];
      }
    });
  refuse('monitors', 'monitor', monitorNames);
  for (const { kinds, declared, fields } of collections)
    refuse(kinds as Section, declared.noun, () => Object.keys(fields));
  return errors;
}
