import { keyValue, readRows, type ColumnType, type StreamRow } from './copy-format.ts';

/** A row that is not the same in both databases. */
export interface Difference {
  kind: 'missing' | 'extra' | 'changed';
  /** Values of the key's columns. */
  key: readonly (number | string)[];
  /** Columns that differ; of a changed row only. */
  columns: readonly string[];
}

/** Columns of a table, those of the key first. */
export interface Columns {
  names: readonly string[];
  types: readonly ColumnType[];
  keyLength: number;
}

/**
 * Compares two streams of rows in the order of their key.
 *
 * @param expected rows of the source.
 * @param found rows of the target.
 */
export function differencesOf(expected: Buffer, found: Buffer, columns: Columns): Difference[] {
  if (expected.equals(found)) return [];
  const differences: Difference[] = [];
  const ours = readRows(expected);
  const theirs = readRows(found);
  let [own, other] = [next(ours), next(theirs)];
  while (own !== null || other !== null) {
    const order = own === null ? 1 : other === null ? -1 : compareKeys(own, other, columns);
    if (order < 0) differences.push({ kind: 'missing', key: keyOf(own!, columns), columns: [] });
    if (order > 0) differences.push({ kind: 'extra', key: keyOf(other!, columns), columns: [] });
    if (order === 0) {
      const changed = changedColumns(own!, other!, columns);
      const key = keyOf(own!, columns);
      if (changed.length > 0) differences.push({ kind: 'changed', key, columns: changed });
    }
    if (order <= 0) own = next(ours);
    if (order >= 0) other = next(theirs);
  }
  return differences;
}

function next(rows: Iterator<StreamRow>): StreamRow | null {
  const { done, value } = rows.next();
  return done === true ? null : value;
}

function keyOf({ fields }: StreamRow, { types, keyLength }: Columns): (number | string)[] {
  return fields.slice(0, keyLength).map((field, index) => keyValue(types[index]!, field!));
}

/** Compares keys as both databases order them: numbers by value, texts byte by byte. */
function compareKeys(one: StreamRow, other: StreamRow, { types, keyLength }: Columns): number {
  for (let index = 0; index < keyLength; index += 1) {
    const [a, b] = [one.fields[index]!, other.fields[index]!];
    const type = types[index]!;
    const order =
      type === 'text' || type === 'bytea'
        ? Buffer.compare(a, b)
        : Number(keyValue(type, a)) - Number(keyValue(type, b));
    if (order !== 0) return order;
  }
  return 0;
}

function changedColumns(one: StreamRow, other: StreamRow, { names }: Columns): string[] {
  return names.filter((_, index) => {
    const [a, b] = [one.fields[index]!, other.fields[index]!];
    return a === null || b === null ? a !== b : !a.equals(b);
  });
}
