import { expect, it } from 'vitest';
import { errorBeside } from './state.ts';

it.each([
  ['The endpoint answered HTTP 503.', 503, null],
  [
    'The endpoint answered HTTP 302: redirects are not followed.',
    302,
    'The endpoint answered HTTP 302: redirects are not followed.',
  ],
  ['Connection refused.', null, 'Connection refused.'],
  [null, 200, null],
])('beside %s with status code %s there is %s', (error, code, shown) => {
  expect(errorBeside(error, code)).toBe(shown);
});
