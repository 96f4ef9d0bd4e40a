/** Filter of the audit log in the address. Pure. */

export interface AuditFilter {
  action: string;
  target_type: string;
  /** Id of the person who made the change. */
  user_id: string;
  /** Days, `2030-01-31`; empty for no bound. */
  start_date: string;
  end_date: string;
  page: number;
}

const TEXTS = ['action', 'target_type', 'user_id', 'start_date', 'end_date'] as const;

export function readAuditFilter(search: string): AuditFilter {
  const query = new URLSearchParams(search);
  const page = Number(query.get('page') ?? '1');
  const text = (name: (typeof TEXTS)[number]) => query.get(name) ?? '';
  return {
    action: text('action'),
    target_type: text('target_type'),
    user_id: /^\d+$/.test(text('user_id')) ? text('user_id') : '',
    start_date: text('start_date'),
    end_date: text('end_date'),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes the filter as a query with its question mark; empty without a filter. */
export function writeAuditFilter(filter: AuditFilter): string {
  const query = new URLSearchParams();
  for (const name of TEXTS) if (filter[name] !== '') query.set(name, filter[name]);
  if (filter.page > 1) query.set('page', String(filter.page));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

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
