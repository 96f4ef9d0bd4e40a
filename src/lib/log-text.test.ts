import { expect, test } from 'vitest';
import { withoutAddresses } from './log-text.ts';

test.each([
  ['The server answered with status 503.', 'The server answered with status 503.'],
  ['550 5.1.1 <bob@example.com>: unknown user', '550 5.1.1 <…@example.com>: unknown user'],
  ["The 'To' number +1 (555) 010-0199 is invalid.", "The 'To' number +… is invalid."],
  [
    'It redirects to https://user:pass@hooks.example.com/T0/secret?token=1.',
    'It redirects to https://hooks.example.com/…',
  ],
  ['two\r\nlines', 'two lines'],
  ['It failed at 2026-11-22T10:00:00.000Z.', 'It failed at 2026-11-22T10:00:00.000Z.'],
  [null, null],
])('a reason %j is logged as %j', (reason, logged) => {
  expect(withoutAddresses(reason)).toBe(logged);
});

test('a long reason is cut', () => {
  expect(withoutAddresses('x'.repeat(5_000))).toHaveLength(300);
});
