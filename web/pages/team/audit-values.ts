/** Changed fields of the audit log in words: labels instead of fields, names instead of ids, times of the reader. Pure. */
import type { Named, TeamNames } from '../../app/names.ts';
import { dayAndTime } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import type { AuditEntry } from '../../app/api.gen.ts';

/** What values are named by. */
export interface Naming {
  now: number;
  zone: string;
  names: TeamNames & { people: readonly Named[] };
}

/** Changed field in words; a value that was or is not there is null. */
export interface FieldChange {
  field: string;
  label: string;
  before: string | null;
  after: string | null;
}

/** Fields that differ before and after a change, without those that the sentence of the entry says already. */
export function changesOf(
  { before, after, actor, target }: Pick<AuditEntry, 'before' | 'after' | 'actor' | 'target'>,
  naming: Naming,
): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const isSaid = (field: string) =>
    SAID.has(field) ||
    (field === 'acknowledged_by' && after?.[field] === actor.id) ||
    (ADDRESSES.has(field) && after?.[field] === target.name);
  return [...fields]
    .filter((field) => !isSaid(field))
    .map((field) => {
      const valueOf = (side: Record<string, unknown> | null) => {
        const value = side?.[field];
        if (isNone(value)) return null;
        // The log has the digest of an image, which says nothing to people.
        if (field in words.statusPages.imageNames)
          return side === after ? words.auditLog.newImage : words.auditLog.image;
        return valueText(field, value, naming);
      };
      return { field, label: fieldText(field), before: valueOf(before), after: valueOf(after) };
    })
    .filter((change) => change.before !== change.after || change.before?.includes('•') === true);
}

/** Ids of the thing itself, and what its action means. */
const SAID = new Set([
  'id',
  'update_id',
  'run_id',
  'page_id',
  'monitor_id',
  'is_paused',
  'acknowledged_at',
]);

/** Fields that a thing without a name is called by. */
const ADDRESSES = new Set(['email', 'address']);

function isNone(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Label of a field: that of its form, else its name in words. */
export function fieldText(field: string): string {
  const camel = field.replaceAll(/_id$|_(\w)/g, (_, letter = '') => letter.toUpperCase());
  const known = [
    words.auditLog.fields[field],
    (words.statusPages.imageNames as Record<string, { label: string }>)[field]?.label,
    (words.monitorForm.fields as Record<string, readonly string[]>)[field]?.[0],
    (words.labels as Record<string, unknown>)[camel],
    (words.channels.settings as Record<string, readonly string[]>)[field]?.[0],
    (words.nav as Record<string, unknown>)[camel],
  ].find((text) => typeof text === 'string');
  const name = (field.charAt(0).toUpperCase() + field.slice(1)).replaceAll('_', ' ');
  return known ?? name.replace(/\burl\b/i, 'URL');
}

/** Lists of the team whose ids a field has. */
const IDS: Record<string, 'monitors' | 'groups' | 'people'> = {
  monitors: 'monitors',
  depends_on: 'monitors',
  group_id: 'groups',
  groups: 'groups',
  people: 'people',
  users: 'people',
  user_id: 'people',
  acknowledged_by: 'people',
};

type Permission = keyof typeof words.account.permissions;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function valueText(field: string, value: unknown, naming: Naming): string {
  const { now, zone, names } = naming;
  if (isNone(value)) return words.common.none;
  if (Array.isArray(value)) return value.map((one) => valueText(field, one, naming)).join(', ');
  if (typeof value === 'boolean') return value ? words.common.yes : words.common.no;
  if (typeof value === 'object')
    return Object.entries(value as object)
      .map(([name, part]) => `${fieldText(name)}: ${valueText(name, part, naming)}`)
      .join('; ');
  const list = IDS[field];
  if (list !== undefined)
    return names[list].find(({ id }) => id === value)?.name ?? `#${String(value)}`;
  if (typeof value === 'string' && TIME.test(value))
    return dayAndTime(Date.parse(value), now, zone);
  const text = String(value);
  if (field === 'permissions') return words.account.permissions[text as Permission]?.title ?? text;
  return wordsOf(field)?.[text] ?? text;
}

/** Words of the values of a field; undefined where they stay as they are. */
function wordsOf(field: string): Readonly<Record<string, string>> | undefined {
  if (field === 'role') return words.roles;
  if (field === 'monitored_regions') return words.regions;
  if (field === 'state') return words.statusPages.states;
  if (field === 'period') return words.reports.periods;
  if (field === 'kind') return words.statusPages.subscriberKinds;
  if (field === 'severity' || field === 'severities') return words.severities;
  return field === 'as' ? words.corrections.as : undefined;
}
