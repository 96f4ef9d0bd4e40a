/** An object of a source, of which nothing is known. */
export type Given = Record<string, unknown>;

/** The text of a scalar; undefined for all else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A number, or a text that spells one; undefined for all else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*-?\d{1,15}(\.\d{1,10})?\s*$/.test(value)) return undefined;
  return Number(value);
}

/** Whether a value means yes: true, 1, "1", "true" and "yes". */
export function isOn(value: unknown): boolean {
  return /^(true|1|yes|on)$/i.test(textOf(value)?.trim() ?? '');
}

/** The fields of an object; none of any other value. */
export function objectOf(value: unknown): Given {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Given) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
