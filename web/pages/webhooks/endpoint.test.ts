import { expect, it } from 'vitest';
import { errorBeside } from '../../lib/deliveries.ts';
import { bodyOf, NEW_WEBHOOK, pretty } from './endpoint.ts';

it('keeps stored secrets that were left empty', () => {
  const body = bodyOf({ ...NEW_WEBHOOK, name: ' Bot ', auth_type: 'bearer' });
  expect(body).toEqual({
    name: 'Bot',
    auth_type: 'bearer',
    severities: ['critical', 'warning', 'info'],
  });
});

it('names a header with the authentication by header alone', () => {
  const draft = { ...NEW_WEBHOOK, auth_header_name: 'X-Key', auth_token: 'secret' };
  expect(bodyOf({ ...draft, auth_type: 'header' })).toMatchObject({
    auth_header_name: 'X-Key',
    auth_token: 'secret',
  });
  expect(bodyOf({ ...draft, auth_type: 'basic' })).not.toHaveProperty('auth_header_name');
  expect(bodyOf({ ...draft, auth_type: 'none' })).not.toHaveProperty('auth_token');
});

it.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['upstream error', 'upstream error'],
])('shows %s', (text, shown) => {
  expect(pretty(text)).toBe(shown);
});

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
