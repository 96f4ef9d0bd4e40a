import type { AuditRow } from '../../store/resources/audit.ts';
import { withoutFormulas } from '../../lib/text.ts';
import { isoTime } from '../common/time.ts';
import { csvLines } from '../common/csv.ts';

/** Columns in order. */
const COLUMNS: [name: string, value: (row: AuditRow) => string | number | null][] = [
  ['id', (row) => row.id],
  ['created_at', (row) => isoTime(row.created_at)],
  ['action', (row) => row.action],
  ['actor_id', (row) => row.person_id],
  ['actor', (row) => row.actor],
  ['via', (row) => row.via],
  ['token_name', (row) => row.credential_name],
  ['ip_address', (row) => row.ip_address],
  ['target_type', (row) => row.target_type],
  ['target_id', (row) => row.target_id],
  ['target_name', (row) => row.target_name],
  ['before', (row) => safeJson(row.before)],
  ['after', (row) => safeJson(row.after)],
];

/** JSON whose texts begin no formula, and are the same to programs: escaped as JSON does it (RFC 8259, section 7). */
function safeJson(json: string | null): string | null {
  const safe = json?.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    withoutFormulas(text, escapeInJson),
  );
  return safe ?? null;
}

function escapeInJson(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Lines per chunk, which takes about a millisecond. */
const CHUNK_LINES = 100;

/** RFC 4180 with a header line; cells that a spreadsheet would read as a formula begin with an apostrophe. */
export async function* auditCsv(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  yield csvLines([COLUMNS.map(([name]) => name)]);
  for await (const rows of pages) {
    for (let from = 0; from < rows.length; from += CHUNK_LINES) {
      const chunk = rows.slice(from, from + CHUNK_LINES);
      yield csvLines(chunk.map((row) => COLUMNS.map(([, value]) => value(row))));
    }
  }
}
