import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parserTable } from './support/parsers.ts';

test('docs/security.md lists the parsers of input with their limits', () => {
  const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8');
  expect(text).toContain(parserTable());
});
