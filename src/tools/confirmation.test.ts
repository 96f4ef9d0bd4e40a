import { expect, it } from 'vitest';
import { callerOf } from '../../test/support/people.ts';
import { createConfirmations, type Confirmed } from './confirmation.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const confirmations = createConfirmations(['a key', 'an older key']);
const alice = callerOf({ personId: 1, teamId: 1 });
const args = { path: { id: '7' }, query: { a: '1', b: '2' }, body: { keep: true, as: 'x' } };
const confirmed: Confirmed = { by: 'model', tool: 'delete_monitor', args, principal: alice };
const issued = confirmations.issue(confirmed, NOW);

it('is valid for ten minutes', () => {
  expect(confirmations.isValid(issued, confirmed, NOW)).toBe(true);
  expect(confirmations.isValid(issued, confirmed, NOW + 10 * MINUTE - 1)).toBe(true);
  expect(confirmations.isValid(issued, confirmed, NOW + 10 * MINUTE)).toBe(false);
});

it.each<[string, Partial<Confirmed>]>([
  ['another person', { principal: callerOf({ personId: 2, teamId: 1 }) }],
  ['another team', { principal: callerOf({ personId: 1, teamId: 2 }) }],
  ['nobody’s team', { principal: { ...alice, team: null, role: null } }],
  ['another tool', { tool: 'delete_group' }],
  ['a form of a client', { by: 'form' }],
  ['another thing', { args: { ...args, path: { id: '8' } } }],
  ['another filter', { args: { ...args, query: { a: '1' } } }],
  ['another setting', { args: { ...args, body: { ...args.body, keep: false } } }],
  ['no settings', { args: { ...args, body: undefined } }],
])('is of no use for %s', (_what, change) => {
  expect(confirmations.isValid(issued, { ...confirmed, ...change }, NOW)).toBe(false);
});

it('does not depend on the order of arguments', () => {
  const turned = { ...args, query: { b: '2', a: '1' }, body: { as: 'x', keep: true } };
  expect(confirmations.isValid(issued, { ...confirmed, args: turned }, NOW)).toBe(true);
});

it('is refused with any character changed, cut, or added', () => {
  for (let at = 0; at < issued.length; at += 1) {
    const other = issued[at] === 'A' ? 'B' : 'A';
    const changed = issued.slice(0, at) + other + issued.slice(at + 1);
    expect(confirmations.isValid(changed, confirmed, NOW)).toBe(false);
  }
  for (const text of ['', 'yes', issued.slice(1), `${issued}A`, `${issued}=`, null]) {
    expect(confirmations.isValid(text, confirmed, NOW)).toBe(false);
  }
});

it('is accepted by a process that signs with a newer key, and not by one without the key', () => {
  expect(createConfirmations(['newer', 'a key']).isValid(issued, confirmed, NOW)).toBe(true);
  expect(createConfirmations(['newer']).isValid(issued, confirmed, NOW)).toBe(false);
});
