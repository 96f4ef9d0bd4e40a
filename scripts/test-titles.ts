import ts from 'typescript';

/** A test that runs, and the groups around it, outermost first. */
export interface TestTitle {
  title: string;
  groups: readonly string[];
  /** 1 for the first line of the file. */
  line: number;
}

const CITATION = / \[[\d., ]+\]$/;

/**
 * The tests in a source file, without skipped tests, todos and tests of skipped groups. Tests on Postgres are included:
 * they are only skipped without a server, which fails in CI.
 */
export function runningTests(source: string): TestTitle[] {
  const file = ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest, true);
  const tests: TestTitle[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const call = ts.isCallExpression(node) ? declared(node) : null;
    if (call?.runs === false) return;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (call?.kind === 'test') tests.push({ title: call.title, groups, line });
    const titles = call?.kind !== 'group' ? [] : (rowsOf(node) ?? [call.title]);
    for (const inside of titles.length === 0 ? [groups] : titles.map((one) => [...groups, one]))
      ts.forEachChild(node, (child) => visit(child, inside));
  };
  const rowsOf = (node: ts.Node) => {
    const table = TABLE_OF_GROUPS.exec(node.getText())?.[1];
    if (table === undefined) return null;
    const keys = file.statements.filter(ts.isVariableStatement).flatMap(keysOf(table));
    return keys.length > 0 ? keys : null;
  };
  visit(file, []);
  return tests;
}

/** Groups whose titles are the keys of an object of the same file. */
const TABLE_OF_GROUPS = /^describe\.each\(Object\.entries\((\w+)\)\)\(\s*'%s'/;

const keysOf = (name: string) => (statement: ts.VariableStatement) =>
  statement.declarationList.declarations.flatMap(({ name: own, initializer: object }) =>
    own.getText() === name && object && ts.isObjectLiteralExpression(object)
      ? object.properties.flatMap((one) => (one.name && 'text' in one.name ? one.name.text : []))
      : [],
  );

/** The titles of the tests, without citations: each alone, and joined with its groups by ` › `. */
export function titlesOf(source: string): Set<string> {
  const titles = runningTests(source).map(({ title, groups }) =>
    [...groups, title].map((text) => text.replace(CITATION, '')),
  );
  return new Set(titles.flatMap((path) => [path.at(-1)!, path.join(' › ')]));
}

const KINDS: Record<string, 'group' | 'test'> = { describe: 'group', it: 'test', test: 'test' };
const NEVER_RUN = new Set(['skip', 'todo', 'fails']);

/** The kind of a call: `it('…')`, `test.each(table)('…')`, or a skipped group. */
function declared({ expression, arguments: [title] }: ts.CallExpression) {
  if (title === undefined) return null;
  const isText = ts.isStringLiteralLike(title);
  if (!isText && !ts.isTemplateExpression(title)) return null;
  const names: string[] = [];
  let callee: ts.Expression = expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) names.push(callee.name.text);
    else if (!ts.isCallExpression(callee)) return null;
    callee = callee.expression;
  }
  const kind = KINDS[callee.text];
  if (kind === undefined) return null;
  const text = isText ? title.text : title.getText().slice(1, -1);
  return { kind, title: text, runs: !names.some((name) => NEVER_RUN.has(name)) };
}
