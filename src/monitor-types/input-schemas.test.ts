import { expect, test } from 'vitest';
import { isAcceptedStatus } from '../probe/http/response.ts';
import { expandStatusCodes } from './input-schemas.ts';

test.each<[accepted: (string | number)[] | null, codes: string[] | null]>([
  [null, null],
  [
    ['200', '2xx', 404],
    ['200', '2xx', '404'],
  ],
  [['200-299'], ['2xx']],
  [['404-404', 404], ['404']],
  [['198-302'], ['198', '199', '2xx', '300', '301', '302']],
  [['100-599'], ['1xx', '2xx', '3xx', '4xx', '5xx']],
])('%j is asked for as %j [16.3]', (accepted, codes) => {
  expect(expandStatusCodes(accepted)).toEqual(codes);
});

test('a range accepts its ends and what is between', () => {
  const accepted = expandStatusCodes(['204-301', 401]);
  const codes = [203, 204, 299, 300, 301, 302, 401, 402];
  expect(codes.filter((code) => isAcceptedStatus(code, accepted))).toEqual([
    204, 299, 300, 301, 401,
  ]);
});
