import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A sentence of the contract, and the test that shows it. */
export interface Row {
  /** 1 for the first line of the document. */
  line: number;
  statement: string;
  source: string;
  /** Path from the root of the project; null when the cell names no test. */
  file: string | null;
  /** Title, or the titles of the groups around it and its own, joined by ` › `. */
  title: string;
}

const TABLE_HEAD = /^\| Statement +\| Source +\| Shown by +\|$/;
const TEST = /^`([^`]+)` › "(.+)"$/;

/** The rows of all tables of the document, and what is wrong with its form. */
export function readTables(markdown: string): { rows: Row[]; faults: string[] } {
  const lines = markdown.split('\n');
  const rows: Row[] = [];
  const faults: string[] = [];
  for (const [index, head] of lines.entries()) {
    if (!TABLE_HEAD.test(head)) continue;
    // The line after the head only rules it off.
    const body = lines.slice(index + 2);
    const end = body.findIndex((line) => !line.startsWith('|'));
    const found = body
      .slice(0, end === -1 ? undefined : end)
      .map((text, offset) => readRow(text, index + 3 + offset));
    if (found.length === 0) faults.push(`Line ${index + 1}: the table has no rows.`);
    rows.push(...found);
  }
  return { rows, faults };
}

function readRow(text: string, line: number): Row {
  const [, statement = '', source = '', shownBy = ''] = text.split('|').map((cell) => cell.trim());
  const [, file = null, title = ''] = TEST.exec(shownBy) ?? [];
  return { line, statement, source, file, title };
}

/** What is wrong with rows, one sentence each. */
export function judgeRows(rows: Row[], titlesOf: (file: string) => Set<string> | null): string[] {
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  const known = new Map<string, Set<string> | null>();
  for (const { line, statement, source, file, title } of rows) {
    const fault = (text: string) => void faults.push(`Line ${line}: ${text}`);
    if (statement === '' || source === '') fault('a statement or its source is missing.');
    const twin = lineOf.get(statement);
    if (twin !== undefined) fault(`the statement stands on line ${twin}, too.`);
    lineOf.set(statement, line);
    if (file === null) {
      fault('no test is named.');
      continue;
    }
    if (!known.has(file)) known.set(file, titlesOf(file));
    const titles = known.get(file) ?? null;
    if (titles === null) fault(`there is no ${file}.`);
    else if (!titles.has(title)) fault(`${file} has no test "${title}" that runs.`);
  }
  return faults;
}

/**
 * The titles of the tests in a file, each alone and with the groups around it; null when there is no such file.
 * Skipped tests, those still to do, and those in skipped groups don't count. Those on Postgres do: they are skipped
 * only where it is missing, which under CI is a failure.
 */
export function titlesIn(file: string): Set<string> | null {
  const root = new URL('../../', import.meta.url);
  const path = new URL(file, root);
  if (!path.href.startsWith(root.href) || !existsSync(path)) return null;
  return titlesOfSource(readFileSync(path, 'utf8'));
}

export function titlesOfSource(source: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const call = ts.isCallExpression(node) ? declared(node) : null;
    if (call?.runs === false) return;
    if (call?.kind === 'test') titles.add(call.title).add([...groups, call.title].join(' › '));
    const inside = call?.kind === 'group' ? [...groups, call.title] : groups;
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest, true), []);
  return titles;
}

const KINDS: Record<string, 'group' | 'test'> = { describe: 'group', it: 'test', test: 'test' };
const NEVER_RUN = new Set(['skip', 'todo', 'fails']);

/** What a call declares: `it('…')`, `test.each(table)('…')`, or one of a skipped group. */
function declared({ expression, arguments: [title] }: ts.CallExpression) {
  if (title === undefined || !ts.isStringLiteralLike(title)) return null;
  const names: string[] = [];
  let callee: ts.Expression = expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) names.push(callee.name.text);
    else if (!ts.isCallExpression(callee)) return null;
    callee = callee.expression;
  }
  const kind = KINDS[callee.text];
  if (kind === undefined) return null;
  return { kind, title: title.text, runs: !names.some((name) => NEVER_RUN.has(name)) };
}
