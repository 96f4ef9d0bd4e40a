import { expect, test } from 'vitest';
import { callerOf } from '../../test/support/people.ts';
import { withClientName } from './client-name.ts';

const caller = callerOf({ personId: 1, teamId: 1 });
const CLIENT = 'io.modelcontextprotocol/clientInfo';
const nameOf = (envelope?: Record<string, unknown>) =>
  withClientName(caller, envelope).credential.name;

test.each<[string, Record<string, unknown> | undefined, string]>([
  ['names the client beside the token', { [CLIENT]: { name: 'editor' } }, 'test (editor)'],
  ['drops what nobody sees', { [CLIENT]: { name: 'edi\u202etor\n' } }, 'test (edi tor)'],
  ['keeps the name of the token without one', undefined, 'test'],
  ['does not mind an empty name', { [CLIENT]: { name: ' ' } }, 'test'],
  ['does not mind what is no name', { [CLIENT]: { name: 7 } }, 'test'],
])('%s', (_what, envelope, expected) => {
  expect(nameOf(envelope)).toBe(expected);
});

test('shortens a long name', () => {
  expect(nameOf({ [CLIENT]: { name: 'x'.repeat(500) } })).toBe(`test (${'x'.repeat(59)}…)`);
});

test('a connected application keeps its own name', () => {
  const credential = { kind: 'grant', id: 1, name: 'Helper' } as const;
  const named = withClientName({ ...caller, credential }, { [CLIENT]: { name: 'other' } });
  expect(named.credential.name).toBe('Helper');
});
