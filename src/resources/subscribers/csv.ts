import { createTurns } from '../../lib/turns.ts';

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

/** Cells of a line that are read. */
const MAX_COLUMNS = 100;

/**
 * Parses a file with the columns address (or email), and perhaps monitors and kind; others are ignored. Cells are
 * separated by commas, semicolons or tabs. Works in turns, and ends with the first line that is too many.
 *
 * @returns its lines, or what is wrong with it as a predicate.
 */
export async function parseImport(text: string): Promise<ImportedLine[] | string> {
  const turn = createTurns();
  let columns: { kind: number; address: number; monitors: number } | null = null;
  const lines: ImportedLine[] = [];
  for (const { line, cells, fault } of readLines(text)) {
    await turn();
    if (fault !== undefined) return `can't be read as CSV: line ${line} ${fault}`;
    if (cells.every((cell) => cell === '')) continue;
    if (columns === null) {
      const names = cells.map((name) => name.toLowerCase());
      const at = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
      columns = { kind: at('kind'), address: at('address', 'email'), monitors: at('monitors') };
      if (columns.address < 0) break;
      continue;
    }
    if (lines.length === MAX_IMPORTED)
      return `must have at most ${MAX_IMPORTED} lines: divide it into several files`;
    lines.push({
      line,
      kind: cells[columns.kind] || 'email',
      address: withoutApostrophe(cells[columns.address] ?? ''),
      monitors: cells[columns.monitors] ?? '',
    });
  }
  if (columns === null || columns.address < 0)
    return 'must begin with a line of column names, one of them address or email';
  return lines;
}

interface CsvLine {
  /** Of its first cell, from 1. */
  line: number;
  /** Without the space around them. */
  cells: string[];
  /** Why it can't be read, a predicate; nothing follows it. */
  fault?: string;
}

/** Lines of a CSV file (RFC 4180), empty ones too. Each takes time in proportion to its length. */
function* readLines(text: string): Generator<CsvLine> {
  const end = /[,;\t\r\n]/g;
  const quoted = / *"/y;
  let line = 1;
  let cells: string[] = [];
  let lineOfCells = line;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length;) {
    quoted.lastIndex = at;
    let cell = '';
    if (quoted.test(text)) {
      const from = quoted.lastIndex;
      at = endOfQuoted(text, from);
      if (at < 0) return yield { line, cells, fault: 'has a quote that is not closed' };
      cell = text.slice(from, at).replaceAll('""', '"');
      at += 1;
    }
    end.lastIndex = at;
    const stop = end.exec(text)?.index ?? text.length;
    const rest = text.slice(at, stop).trim();
    if (cell !== '' && rest !== '') return yield { line, cells, fault: 'has text behind a quote' };
    cells.push((cell + rest).trim());
    if (cells.length > MAX_COLUMNS)
      return yield { line, cells, fault: `has more than ${MAX_COLUMNS} columns` };
    for (let next = cell.indexOf('\n'); next >= 0; next = cell.indexOf('\n', next + 1)) line += 1;
    at = stop + 1;
    if (stop < text.length && !'\r\n'.includes(text[stop]!)) continue;
    if (text[stop] === '\r' && text[at] === '\n') at += 1;
    yield { line: lineOfCells, cells };
    line += 1;
    lineOfCells = line;
    cells = [];
  }
  if (cells.length > 0) yield { line: lineOfCells, cells };
}

/** Position of the quote that closes a cell; -1 without one. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

/** The cell of an export, which has an apostrophe before what a spreadsheet would read as a formula. */
function withoutApostrophe(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
