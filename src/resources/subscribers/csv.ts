import { parse, CsvError } from 'csv-parse/sync';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { SubscriberRow } from '../../store/resources/subscribers.ts';
import { csvLines } from '../common/csv.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { addressOf, stateOf } from './view.ts';

const COLUMNS = ['kind', 'address', 'state', 'monitors', 'confirmed_at', 'created_at'];

/** RFC 4180 with a header line; cells that a spreadsheet would read as a formula begin with an apostrophe. */
export async function* subscriberCsv(
  pages: AsyncIterable<SubscriberRow[]>,
  box: SecretBox,
): AsyncGenerator<string> {
  yield csvLines([COLUMNS]);
  for await (const rows of pages) {
    yield csvLines(
      rows.map((row) => [
        row.kind,
        addressOf(row, box),
        stateOf(row),
        (JSON.parse(row.monitors) as number[]).join(' '),
        isoOrNull(row.confirmed_at),
        isoTime(row.created_at),
      ]),
    );
  }
}

/** A line of an imported file, as it was written. */
export interface ImportedLine {
  /** From 1, the header included. */
  line: number;
  kind: string;
  address: string;
  monitors: string;
}

/** Maximum number of lines of a file, the header not counted. */
export const MAX_IMPORTED = 10_000;

/**
 * Parses a file with the columns address (or email), and perhaps monitors and kind; others are ignored. Cells are
 * separated by commas, semicolons or tabs.
 *
 * @returns its lines, or what is wrong with it as a predicate.
 */
export function parseImport(text: string): ImportedLine[] | string {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (error instanceof CsvError) return `can't be read as CSV: ${error.message}`;
    throw error;
  }
  const [header, ...lines] = records;
  const names = (header?.record ?? []).map((name) => name.toLowerCase());
  const addressAt = names.findIndex((name) => name === 'address' || name === 'email');
  if (addressAt < 0) return 'must begin with a line of column names, one of them address or email';
  if (lines.length > MAX_IMPORTED)
    return `must have at most ${MAX_IMPORTED} lines: divide it into several files`;
  const cell = (record: string[], name: string) => record[names.indexOf(name)] ?? '';
  return lines.map(({ record, info }) => ({
    line: info.lines,
    kind: cell(record, 'kind') || 'email',
    address: withoutApostrophe(record[addressAt] ?? ''),
    monitors: cell(record, 'monitors'),
  }));
}

/** The cell of an export, which has an apostrophe before what a spreadsheet would read as a formula. */
function withoutApostrophe(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
