import { expect, test } from 'vitest';
import { fileText } from './file-text.ts';

test('secrets are references of files, and all else stays', () => {
  const quiet = { quiet_hours: { from: '22:00', to: '06:00' } };
  const document = { name: 'shop', a: [{ key: 'x', ...quiet, url: { from: 'env URL' } }], b: null };
  expect(JSON.parse(fileText(document))).toEqual({
    ...document,
    a: [{ key: 'x', ...quiet, url: { env: 'URL' } }],
  });
});
