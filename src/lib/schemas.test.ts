import { expect, test } from 'vitest';
import { oneOf } from './schemas.ts';

const word = oneOf(['email', 'slack', 'teams', 'sms'], { webhook: 'for webhooks, use another' });
const KNOWN = 'must be one of email, slack, teams, sms';

test.each<[input: unknown, error: string | null]>([
  ['slack', null],
  ['SLACK', `${KNOWN} (did you mean slack?)`],
  [' slack ', `${KNOWN} (did you mean slack?)`],
  ['slak', `${KNOWN} (did you mean slack?)`],
  ['emial', `${KNOWN} (did you mean email?)`],
  ['team', `${KNOWN} (did you mean teams?)`],
  ['mss', `${KNOWN} (did you mean sms?)`],
  ['s', KNOWN],
  ['discord', KNOWN],
  ['', KNOWN],
  ['x'.repeat(10_000), KNOWN],
  [5, KNOWN],
  [null, KNOWN],
  [undefined, 'is required: give one of email, slack, teams, sms'],
  ['Webhook', `${KNOWN}: for webhooks, use another`],
  ['constructor', KNOWN],
])('%j: %s [2.27]', (input, error) => {
  expect(word.safeParse(input).error?.issues[0]?.message ?? null).toBe(error);
});
