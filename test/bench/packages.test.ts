import { expect, test } from 'vitest';
import { holdsPackages } from '../../bench/packages.ts';
import type { LockFile } from '../../bench/packages.ts';

const A = { 'node_modules/a': { version: '1.0.0' } };
const FOR_ANOTHER_SYSTEM = { 'node_modules/b-win32': { version: '2.0.0', optional: true } };

const lock = (packages: LockFile['packages'], version = '0.1.0'): LockFile => ({
  packages: { '': { version }, ...packages },
});

test.each<[string, LockFile['packages'], LockFile['packages'], boolean]>([
  ['the same packages', A, A, true],
  ['a package more is installed', { ...A, 'node_modules/c': { version: '3.0.0' } }, A, true],
  ['one is missing', {}, A, false],
  ['one is installed in another version', { 'node_modules/a': { version: '1.0.1' } }, A, false],
  ['one is at another place', { 'node_modules/c/node_modules/a': { version: '1.0.0' } }, A, false],
  ['one for another system is missing', A, { ...A, ...FOR_ANOTHER_SYSTEM }, true],
  [
    'an optional one is installed in another version',
    { 'node_modules/b-win32': { version: '2.0.1' } },
    FOR_ANOTHER_SYSTEM,
    false,
  ],
])('%s', (_, installed, wanted, expected) => {
  expect(holdsPackages(lock(installed, '0.2.0'), lock(wanted))).toBe(expected);
});
