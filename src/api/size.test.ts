import { expect, test } from 'vitest';
import { sharedApi } from '../../test/support/api.ts';

const shared = sharedApi();

/** Bodies of as many values as are read, all of which is wrong: the answer must not be many times larger. */
test.for([
  ['check_types', Array(90_000).fill(1)],
  ['monitored_regions', Array(90_000).fill(1)],
  ['tags', Array(90_000).fill(1)],
  ['accepted_status_codes', Array(90_000).fill(1)],
  ['request_headers', Object.fromEntries(Array.from({ length: 45_000 }, (_, n) => [`é${n}`, 1]))],
  ['keyword_settings', { keywords: Array(90_000).fill(1) }],
  ['json_assertion_settings', { assertions: Array(90_000).fill(1) }],
] as const)('a great many wrong values in %s are a short answer', async ([field, value]) => {
  const { alice, call } = await shared();
  const body = { url: 'https://example.com', check_interval: 1, [field]: value };
  const answer = await call(alice, 'POST', '/api/v1/monitors', body);
  expect(answer.status).toBe(422);
  expect(answer.text.length).toBeLessThan(20_000);
});
