import { expect, test } from 'vitest';
import { withLabel } from './field-labels.ts';

test.each([
  ['url', 'url must be an address.', 'URL', 'URL must be an address.'],
  ['keywords.0.phrase', 'keywords.0.phrase is required.', 'Words 1', 'Words 1 is required.'],
  // Messages of the dashboard and of sign-in do not name their field.
  ['code', 'Invalid code.', 'Current code', 'Invalid code.'],
  ['url', 'urls are full.', 'URL', 'urls are full.'],
  ['secret', 'secret is not shown here.', '', 'secret is not shown here.'],
])('an error of %s, "%s", is by the label "%s": %s', (name, message, label, text) => {
  expect(withLabel(message, name, label)).toBe(text);
});
