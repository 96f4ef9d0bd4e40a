import { globSync } from 'node:fs';
import path from 'node:path';
import { findEdges } from './edges.ts';
import type { Edge } from './edges.ts';

/** What the files of one folder may import beside their own folder, model and lib. */
export interface Permission {
  everything: boolean;
  /** Folders, or single files such as `probe/child.ts`. */
  targets: string[];
  /** Folders whose pure files may be imported. */
  pureOf: string[];
}

export interface Judgement {
  files: number;
  edges: number;
  /** One line for each import that the table does not allow and each specifier that can't be resolved. */
  problems: string[];
}

/** The folder of a file, as named in the table. */
type PlaceOf = (file: string) => string;

/** Folders that import only themselves. */
const SELF_CONTAINED = ['model', 'lib'];
/** Folders that all others may import. */
const OPEN = [...SELF_CONTAINED, 'monitor-types'];
/** Files and folders at the top of src that nobody may import, with the few exceptions below. */
const ROOTS = ['start', 'tocsin', 'main', 'cli', 'config'];
const ROOT_EDGES = ['start main', 'tocsin cli', 'main config', 'cli config'];

/**
 * Reads the table under "Folder | may import". Cells hold names in backticks; folders after the words "pure files of"
 * stand for their pure files; the word "everything" stands alone; text in brackets is a remark.
 */
export function readTable(markdown: string): Map<string, Permission> {
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => /^\|\s*Folder\s*\|\s*may import\s*\|/.test(line));
  const table = new Map<string, Permission>();
  for (const line of head < 0 ? [] : lines.slice(head + 2)) {
    const cells = line.split('|').map((cell) => cell.replace(/\([^)]*\)/g, '').trim());
    if (!line.startsWith('|')) break;
    const [plain = '', pure = ''] = (cells[2] ?? '').split('pure files of');
    const permission: Permission = {
      everything: plain.trim() === 'everything',
      targets: namesIn(plain),
      pureOf: namesIn(pure),
    };
    for (const folder of namesIn(cells[1] ?? '')) table.set(folder, permission);
  }
  return table;
}

function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), (match) => match[1] ?? '');
}

/** Checks all code below `root` except tests, which may import anything and which no code may import. */
export function judgeImports(root: string, table: Map<string, Permission>): Judgement {
  const files = globSync('**/*.{ts,js}', { cwd: root })
    .filter((file) => !isTest(file))
    .toSorted()
    .map((file) => path.join(root, file));
  const found = new Map(files.map((file) => [file, findEdges(file)]));
  const problems = [...found.values()].flatMap((one) => one.problems);
  const edges = [...found.values()].flatMap((one) => one.edges);
  const placeOf = placesOf(root, table);
  const isPure = purity(placeOf, new Map([...found].map(([file, one]) => [file, one.edges])));

  for (const folder of new Set(files.map(placeOf))) {
    const isKnown = [...OPEN, 'start', 'tocsin', 'config'].includes(folder) || table.has(folder);
    if (!isKnown) problems.push(`${folder} has no row in the import table`);
  }
  for (const edge of edges) {
    const reason = whyForbidden(root, edge, { table, placeOf, isPure });
    if (reason !== null) {
      problems.push(
        `${show(root, edge.from)}:${edge.line} imports ${show(root, edge.to)}: ${reason}`,
      );
    }
  }
  return {
    files: files.length,
    edges: edges.length,
    problems: problems.map((line) => line.replaceAll(root + path.sep, '')),
  };
}

interface Law {
  table: Map<string, Permission>;
  placeOf: PlaceOf;
  isPure: (file: string) => boolean;
}

/** Null if the import is allowed. */
function whyForbidden(
  root: string,
  { from, to }: Edge,
  { table, placeOf, isPure }: Law,
): string | null {
  const target = show(root, to);
  if (target.startsWith('../')) return 'it is outside of src';
  if (isTest(to)) return 'it is a test';
  const here = placeOf(from);
  const there = placeOf(to);
  if (here === there) return null;
  if (ROOTS.includes(there)) {
    return ROOT_EDGES.includes(`${here} ${there}`)
      ? null
      : 'nobody imports it: what it knows is handed in';
  }
  if (SELF_CONTAINED.includes(here)) return `${here} imports nothing of ours`;
  if (OPEN.includes(there)) return null;
  const permission = table.get(here);
  if (permission === undefined) return `${here} may import only model and lib`;
  if (permission.everything) return null;
  const covers = (name: string): boolean => there === name || there.startsWith(`${name}/`);
  if (permission.targets.includes(target) || permission.targets.some(covers)) return null;
  if (!permission.pureOf.some(covers)) return `the table does not allow ${here} → ${there}`;
  return isPure(to) ? null : `${here} may import only pure files of ${there}`;
}

/**
 * A file is pure if it only imports open folders and pure files of its own folder. Pure files of other folders do not
 * count, since their purity is not checked here.
 */
function purity(placeOf: PlaceOf, edges: Map<string, Edge[]>): (file: string) => boolean {
  return (start) => {
    const seen = new Set<string>([start]);
    for (const file of seen) {
      for (const { to } of edges.get(file) ?? []) {
        if (OPEN.includes(placeOf(to))) continue;
        if (placeOf(to) !== placeOf(start)) return false;
        seen.add(to);
      }
    }
    return true;
  };
}

/**
 * Maps a file to its row: the innermost folder around it with a row in the table, else its folder at the top of src, or
 * its own name there.
 */
function placesOf(root: string, table: Map<string, Permission>): PlaceOf {
  return (file) => {
    const folders = show(root, file)
      .replace(/\.[jt]s$/, '')
      .split('/');
    for (let length = folders.length - 1; length > 1; length -= 1) {
      const place = folders.slice(0, length).join('/');
      if (table.has(place)) return place;
    }
    return folders[0] ?? '';
  };
}

function show(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/');
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}
