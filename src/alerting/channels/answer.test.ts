import { expect, test } from 'vitest';
import type { HttpResponse } from '../../net/http-client.ts';
import { jsonOf, classifyAnswer, withQuery, type AnswerDetails } from './answer.ts';

const URL = 'https://hooks.example.com/services/T0/aB3dE6gH9jK2mN5p?sig=Zm9vYmFyYmF6%3D';

function answered(status: number, body = ''): HttpResponse {
  return { ok: true, status, headers: {}, body: Buffer.from(body) };
}

function reasonOf(answer: HttpResponse, reading: AnswerDetails): unknown {
  const outcome = classifyAnswer('Slack', answer, reading, { now: 0, secrets: [URL] });
  return outcome.outcome === 'delivered' ? null : outcome.reason;
}

test.each([
  [null, 'Slack answered HTTP 403.'],
  ['', 'Slack answered HTTP 403.'],
  ['nope', 'Slack answered HTTP 403: nope.'],
  ['Is that so?', 'Slack answered HTTP 403: Is that so?'],
  [' two\n lines. ', 'Slack answered HTTP 403: two lines.'],
  [`no ${URL}`, 'Slack answered HTTP 403: no •••.'],
  ['no aB3dE6gH9jK2mN5p or Zm9vYmFyYmF6=', 'Slack answered HTTP 403: no ••• or •••=.'],
])('the words %j make %j', (words, reason) => {
  expect(reasonOf(answered(403), { words })).toBe(reason);
});

test('long words are cut, and no secret is cut in two [34.28]', () => {
  const reason = reasonOf(answered(403), { words: `${'x'.repeat(195)} aB3dE6gH9jK2mN5p` });
  expect(reason).toMatch(/^Slack answered HTTP 403: x+ •••\.$/);
  expect(reasonOf(answered(403), { words: 'x'.repeat(1_000) })).toHaveLength(25 + 200);
});

test('the host of an address is no secret: what is wrong with it can be read', () => {
  const text = 'DNS name hooks.example.com not found';
  const answer: HttpResponse = { ok: false, failure: { code: 'dns_not_found', text } };
  expect(reasonOf(answer, {})).toBe(`Slack could not be reached: ${text}.`);
});

test('what is delivered is that, whatever else it says', () => {
  expect(reasonOf(answered(200), { words: 'no', gone: 'Gone.' })).toBeNull();
});

test('a wait in the body comes before one in a header', () => {
  const answer = { ...answered(429), headers: { 'retry-after': '9' } };
  const at = { now: 0, secrets: [] };
  expect(classifyAnswer('Slack', answer, { retryAfterMs: 2_500 }, at)).toHaveProperty(
    'retryAfterMs',
    2_500,
  );
  expect(classifyAnswer('Slack', answer, {}, at)).toHaveProperty('retryAfterMs', 9_000);
});

test.each(['', 'ok', '[1]', 'null', '"text"', '{"a":'])('%j is no JSON object', (body) => {
  expect(jsonOf(answered(200, body))).toEqual({});
});

test('parameters are added to an address, and replace those of the same name', () => {
  expect(withQuery('https://a.example/b?c=1&wait=0', { wait: 'true' })).toBe(
    'https://a.example/b?c=1&wait=true',
  );
  expect(withQuery('no address', { wait: 'true' })).toBe('no address');
});
