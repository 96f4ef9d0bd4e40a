import type { Comparison } from '../store/move/verify.ts';
import { count } from './move-progress.ts';

/** Differences that are shown of a table. */
const SHOWN = 20;

/** Lines about a table that is not the same in both databases. */
export function unlikeLines({ table, sourceRows, targetRows, differences }: Comparison): string[] {
  const lines = differences.slice(0, SHOWN).map(({ kind, key, columns }) => {
    const row = `${table} ${key.map((value) => JSON.stringify(value)).join(', ')}`;
    switch (kind) {
      case 'missing':
        return `  ${row}: not in the target`;
      case 'extra':
        return `  ${row}: only in the target`;
      case 'changed':
        return `  ${row}: differs in ${columns.join(', ')}`;
    }
  });
  if (differences.length > SHOWN)
    lines.push(`  and ${count(differences.length - SHOWN)} more of ${table}`);
  if (sourceRows !== targetRows) {
    lines.push(
      `  ${table}: ${count(sourceRows)} rows in the source, ${count(targetRows)} in the target`,
    );
  }
  return lines;
}
