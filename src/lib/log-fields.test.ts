import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');

/** The messages in the calls of a log. */
function messagesIn(text: string): string[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      /\blog\.(debug|info|warn|error)$/.test(node.expression.getText())
    ) {
      const [, message] = node.arguments;
      if (message !== undefined && ts.isStringLiteral(message)) found.push(message.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('each message that is logged is in docs/logs.md, with its meaning [39.38]', () => {
  const documented = read('docs/logs.md');
  const logged = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((name) => !name.includes('.test.'))
    .map(read)
    .flatMap((text) => (/\blog\./.test(text) ? messagesIn(text) : []));
  expect(new Set(logged).size).toBeGreaterThan(120);
  expect(logged.filter((message) => !documented.includes(`| ${message} |`))).toEqual([]);
});
