/**
 * Checks docs/security.md: `npm run verify` fails if a row names a file, page or test that does not exist, or says "Met"
 * without naming a test of its own that shows it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { titlesOf } from './test-titles.ts';

const ROOT = new URL('../', import.meta.url);
const STATES = ['Met', 'Partly', 'Not yet', 'Not applicable'];
/** Rows whose evidence is a page that one reads. */
const ABOUT_DOCUMENTS = /documentation|inventory/i;

/** Describes everything that is wrong with the document, one line each. */
export function problemsOf(document: string): string[] {
  return [...missingFiles(document), ...missingTests(document), ...unprovenRows(document)];
}

function missingFiles(document: string): string[] {
  const files = Array.from(document.matchAll(/`((?:src|test)\/[\w./-]+)`/g), ([, path]) => path!);
  const pages = Array.from(document.matchAll(/\]\(([\w-]+\.md)\b/g), ([, page]) => `docs/${page}`);
  return [...files, ...pages]
    .filter((path) => !existsSync(new URL(path, ROOT)))
    .map((path) => `${path} does not exist.`);
}

function missingTests(document: string): string[] {
  return namedTests(document)
    .filter(({ file, title }) => !hasTest(new URL(file, ROOT), title))
    .map(({ file, title }) => `${file} has no test "${title}".`);
}

/** Rows of the tables of requirements that lack a state, a text, or the test of what they claim. */
function unprovenRows(document: string): string[] {
  const rows = document.split('\n').filter((line) => /^\| \d+(?:\.\d+)?\b/.test(line));
  const uses = Map.groupBy(
    rows.flatMap((row) => [...new Set(namedTests(row).map(keyOf))]),
    (key) => key,
  );
  return rows.flatMap((row) => {
    const [, section = '', state = '', how = '', shownBy = ''] = row
      .split('|')
      .map((cell) => cell.trim());
    if (!STATES.includes(state)) return [`${section}: "${state}" is no state.`];
    if (how === '') return [`${section} says nothing.`];
    const keys = namedTests(shownBy).map(keyOf);
    if (state !== 'Met' || ABOUT_DOCUMENTS.test(section)) return [];
    if (keys.length === 0) return [`${section} is met, and names no test that shows it.`];
    // One that shows something else as well may not have been written for this row.
    return keys.some((key) => uses.get(key)!.length === 1)
      ? []
      : [`${section} is met, and names no test that other rows do not name.`];
  });
}

const keyOf = ({ file, title }: { file: string; title: string }) => `${file} ${title}`;

function namedTests(text: string): { file: string; title: string }[] {
  return Array.from(text.matchAll(/`([\w./-]+\.test\.ts)` › "([^"]+)"/g), ([, file, title]) => ({
    file: file!,
    title: title!,
  }));
}

function hasTest(file: URL, title: string): boolean {
  return existsSync(file) && titlesOf(readFileSync(file, 'utf8')).has(title);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = problemsOf(readFileSync(new URL('docs/security.md', ROOT), 'utf8'));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
