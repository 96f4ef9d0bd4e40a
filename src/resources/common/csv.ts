import { stringify } from 'csv-stringify/sync';

/** Lines of CSV (RFC 4180); cells that a spreadsheet would read as a formula begin with an apostrophe. */
export function csvLines(records: (string | number | null)[][]): string {
  return stringify(records, {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    escape_formulas: true,
  });
}
