import {
  openIfPossible,
  plain,
  readColumn,
  writeColumn,
  type Open,
  type Seal,
  type Stored,
} from '../lib/columns.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { MonitorTypeDefinition } from './definition.ts';
import type { CompleteField, Field, MonitorDefaults } from './field.ts';
import {
  FIELDS,
  INSPECTION_FIELDS,
  type FieldName,
  type InspectionSettings,
  type MonitorSettings,
} from './fields.ts';
import { takes, TYPES_IN_WORDS } from './registry.ts';

const meaningOf = ({ meaning }: Pick<Field, 'meaning'>) =>
  typeof meaning === 'string' ? meaning : meaning(TYPES_IN_WORDS);

export const FIELD_LIST = Object.entries(FIELDS).map(([name, field]) => ({
  name: name as FieldName,
  field: { ...(field as CompleteField), meaning: meaningOf(field) },
}));

export const SECRET_FIELDS = FIELD_LIST.filter(({ field }) => field.secret).map(({ name }) => name);

/** Fields that answers show only to callers who may update, besides secrets. */
export const EDITORS_FIELDS = FIELD_LIST.filter(({ field }) => field.visibleTo === 'editors').map(
  ({ name }) => name,
);

/** The columns of the fields: booleans are 0 or 1, lists and objects JSON, secrets sealed. */
export type FieldColumns = {
  [Name in Exclude<FieldName, 'depends_on'>]: ColumnOf<MonitorSettings[Name]>;
};
type ColumnOf<Value> = Value extends null | undefined
  ? null
  : Value extends boolean | number
    ? number
    : string;

/** A row that holds the columns of the fields, and the ids that `depends_on` reads. */
export type SettingsRow = FieldColumns & {
  /** Ids joined by commas; null for none. */
  depends_on?: string | null;
};

/**
 * An object with these names, to be copied and filled: V8 makes objects slow that get many properties one by one, but
 * neither those that JSON describes nor their copies.
 */
export function blankOf(names: readonly string[]): Record<string, unknown> {
  const blank = Object.fromEntries(names.map((name) => [name, null]));
  return JSON.parse(JSON.stringify(blank)) as Record<string, unknown>;
}

const BLANK = blankOf(FIELD_LIST.map(({ name }) => name));

/** The settings of a stored monitor; those are undefined that no key of SECRET_KEY opens. */
export function readableSettings(row: SettingsRow & { team_id: number }, secretBox: SecretBox) {
  return settingsOf(row, openIfPossible(secretBox.of('monitor', row.team_id)));
}

/** @param open answers undefined for what it can't open, or throws. */
export function settingsOf(row: SettingsRow, open: Open): MonitorSettings {
  return readFields({ ...BLANK }, FIELD_LIST, row, open) as unknown as MonitorSettings;
}

const CHECK_FIELDS = FIELD_LIST.filter(({ field }) => !field.isLabel);

/** The settings that a check depends on: labels stand empty. */
export function checkSettingsOf(row: SettingsRow, open: Open): MonitorSettings {
  return readFields({ ...BLANK }, CHECK_FIELDS, row, open) as unknown as MonitorSettings;
}

export type InspectionRow = Pick<FieldColumns, keyof InspectionSettings>;

const READ_BY_INSPECTIONS = FIELD_LIST.filter(({ name }) =>
  (INSPECTION_FIELDS as readonly FieldName[]).includes(name),
);

/** The settings that findings of inspections depend on, none of which is sealed. */
export function inspectionSettingsOf(row: InspectionRow): InspectionSettings {
  const settings = readFields({}, READ_BY_INSPECTIONS, row as SettingsRow, () => undefined);
  return settings as unknown as InspectionSettings;
}

/** Reads fields of a row into an object that has their names. */
export function readFields(
  values: Record<string, unknown>,
  fields: typeof FIELD_LIST,
  row: SettingsRow,
  open: Open,
): Record<string, unknown> {
  const columns = row as Record<string, unknown>;
  for (const { name, field } of fields) {
    const { codec } = field;
    if (codec === plain) values[name] = columns[name];
    else if (codec === null) values[name] = idsOf(row.depends_on);
    else values[name] = readColumn(codec, columns[name] as Stored, open, name);
  }
  return values;
}

export function columnsOf(
  settings: MonitorSettings,
  seal: Seal,
  names: readonly FieldName[] = FIELD_LIST.map(({ name }) => name),
): FieldColumns {
  const columns = names.flatMap((name) => {
    const { codec } = FIELDS[name];
    return codec === null ? [] : [[name, writeColumn(codec, settings[name], seal, name)]];
  });
  return Object.fromEntries(columns) as FieldColumns;
}

function idsOf(list: string | null | undefined): number[] {
  return list ? list.split(',').map(Number) : [];
}

/** The settings of a new monitor of that type. What is required stands empty. */
export function defaultSettings(type: MonitorTypeDefinition, defaults: MonitorDefaults) {
  const entries = FIELD_LIST.map(({ name, field }) => {
    const { unset = null, valueForOtherTypes = null } = field;
    if (!takes(type, field.group)) return [name, valueForOtherTypes];
    if (type.defaults?.[name] !== undefined) return [name, type.defaults[name]];
    return [name, typeof unset === 'function' ? unset(defaults) : unset];
  });
  return Object.fromEntries(entries) as MonitorSettings;
}

/** True if a change of these fields changes the check itself, so that results of checks under way no longer apply. */
export function changesTheCheck(changed: readonly FieldName[]): boolean {
  return changed.some((name) => !FIELDS[name].isLabel);
}
