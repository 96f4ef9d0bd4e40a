/**
 * Measures how much there is of the house, and how often a thing is named: `npm run house`. Compares with the figures of
 * `scripts/house.json` and fails when one has grown; `npm run house -- --write` makes today's the new ones.
 */
import { readFileSync, writeFileSync, globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FIGURES = path.join(ROOT, 'scripts', 'house.json');
/** Share that a figure may grow by before it is compared with again: a mend of three lines is no step back. */
const SLACK = 0.005;

/** Written by `npm run generate`. */
const GENERATED = /\.gen\.ts$/;
const TEST = /\.test\.tsx?$|^test\//;

/** Things that stand for their kind: the files that name one are those that a new one of its kind would touch. */
const NAMED = {
  'files of a monitor field (verify_ssl)': /\bverify_?ssl\b/i,
  'files of a monitor type (heartbeat)': /'heartbeat'/,
  'files of a column of incidents (acknowledged_by)': /\backnowledged_?by\b/i,
  'files of a noun with list and form (update template)': /\bupdate[-_ ]?templates?\b/i,
} satisfies Record<string, RegExp>;

interface SourceText {
  name: string;
  text: string;
}

const names = globSync('{src,web,test,bench,scripts}/**/*.{ts,tsx}', { cwd: ROOT }).toSorted();
const all: SourceText[] = names
  .filter((name) => !GENERATED.test(name))
  .map((name) => ({ name, text: readFileSync(path.join(ROOT, name), 'utf8') }));
const product = all.filter(({ name }) => /^(src|web)\//.test(name) && !TEST.test(name));
const tests = all.filter(({ name }) => TEST.test(name));

const linesOf = (texts: readonly SourceText[]) =>
  texts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
const inFolder = (folder: string) => product.filter(({ name }) => name.startsWith(`${folder}/`));

const figures: Record<string, number> = {
  'lines of src and web': linesOf(product),
  'lines of src': linesOf(inFolder('src')),
  'lines of web': linesOf(inFolder('web')),
  'lines of tests': linesOf(tests),
  'files of src and web': product.length,
  'exports with one importer, percent': exportsWithOneImporter(),
  'import circles': importCircles().length,
  ...Object.fromEntries(
    Object.entries(NAMED).map(([what, pattern]) => [
      what,
      product.filter(({ text }) => pattern.test(text)).length,
    ]),
  ),
  'openapi.json, kB': Math.round(sizeOf('openapi.json') / 1_000),
  'ARCHITECTURE.md, kB': Math.round(sizeOf('ARCHITECTURE.md') / 1_000),
};

function sizeOf(name: string): number {
  return readFileSync(path.join(ROOT, name)).byteLength;
}

/** The module that an import of a file names; null for a package. */
function resolved(from: string, specifier: string): string | null {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

interface Import {
  from: string;
  names: string[];
}

function importsOf({ name, text }: SourceText): Import[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const from = resolved(name, moduleSpecifier.text);
    if (from === null) return [];
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    const elements =
      bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
        ? [...bindings.elements]
        : [];
    return [{ from, names: elements.map((one) => (one.propertyName ?? one.name).text) }];
  });
}

/** Functions, classes and constants that a file exports by name. */
function exportedValues({ name, text }: SourceText): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const isDefault = modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    if (!isExported || isDefault) return [];
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return statement.name === undefined ? [] : [statement.name.text];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name: declared }) =>
      ts.isIdentifier(declared) ? [declared.text] : [],
    );
  });
}

/** Of all exported functions, classes and constants, the share that exactly one file of the product imports. */
function exportsWithOneImporter(): number {
  const importers = new Map<string, Set<string>>();
  for (const source of product)
    for (const { from, names: imported } of importsOf(source))
      for (const name of imported) {
        const key = `${from}:${name}`;
        importers.set(key, (importers.get(key) ?? new Set()).add(source.name));
      }
  const exported = product.flatMap((source) =>
    exportedValues(source).map((name) => `${source.name}:${name}`),
  );
  const single = exported.filter((key) => importers.get(key)?.size === 1);
  return Math.round((1_000 * single.length) / exported.length) / 10;
}

/** Groups of files that import each other, types included (Tarjan's strongly connected components). */
function importCircles(): string[][] {
  const edges = new Map(
    product.map((source) => [source.name, importsOf(source).map(({ from }) => from)]),
  );
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): void => {
    index.set(name, index.size);
    low.set(name, index.get(name)!);
    stack.push(name);
    for (const next of edges.get(name)!) {
      if (!edges.has(next)) continue;
      if (!index.has(next)) {
        visit(next);
        low.set(name, Math.min(low.get(name)!, low.get(next)!));
      } else if (stack.includes(next)) low.set(name, Math.min(low.get(name)!, index.get(next)!));
    }
    if (low.get(name) !== index.get(name)) return;
    const circle = stack.splice(stack.indexOf(name));
    if (circle.length > 1) circles.push(circle);
  };
  for (const name of edges.keys()) if (!index.has(name)) visit(name);
  return circles;
}

const committed = JSON.parse(readFileSync(FIGURES, 'utf8')) as Record<string, number>;
const isWriting = process.argv.includes('--write');
let hasGrown = false;
for (const [what, figure] of Object.entries(figures)) {
  const before = committed[what];
  const grown = before !== undefined && figure > before * (1 + SLACK);
  hasGrown ||= grown;
  const change = before === undefined || before === figure ? '' : ` (committed: ${before})`;
  console.log(`${what}: ${figure}${change}${grown && !isWriting ? ' has grown' : ''}`);
}
if (process.argv.includes('--circles')) console.log(importCircles());
if (isWriting) writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
else if (hasGrown) {
  console.error(
    'What has grown costs those who come after: make it smaller, or run "npm run house -- --write" and say why in the commit.',
  );
  process.exitCode = 1;
}
