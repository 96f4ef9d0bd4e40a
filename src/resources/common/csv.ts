import { stringify } from 'csv-stringify/sync';
import { withoutFormulas } from '../../lib/text.ts';

/** Lines of CSV (RFC 4180). No text holds a formula, whatever delimiter a spreadsheet takes it to have. */
export function csvLines(records: (string | number | null)[][]): string {
  const safe = records.map((record) =>
    record.map((cell) => (typeof cell === 'string' ? withoutFormulas(cell) : cell)),
  );
  return stringify(safe, {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    // Those that begin with a tab or a line break.
    escape_formulas: true,
  });
}
