import { addressFilter, number, anyText } from '../../lib/address-filter.ts';

/** Filter of the audit log in the address; `user_id` is who made the change, days are such as `2030-01-31`. */
export const { read: readAuditFilter, write: writeAuditFilter } = addressFilter({
  action: anyText(),
  target_type: anyText(),
  user_id: anyText((id) => /^\d+$/.test(id)),
  start_date: anyText(),
  end_date: anyText(),
  page: number(1),
});

export type AuditFilter = ReturnType<typeof readAuditFilter>;

/** Changed field, with its values as text; empty for none. */
export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** Fields that differ before and after a change. */
export function changesOf(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
