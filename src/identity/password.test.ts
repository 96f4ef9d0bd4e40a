import { describe, expect, test } from 'vitest';
import { passwordProblem } from './password.ts';

const OWNER = { email: 'alice@example.com', names: ['Alice Liddell', 'Wonderland Ops'] };
const ADVICE =
  'use several words that have nothing to do with each other, or let a password manager make one';

describe('common and weak passwords', () => {
  test.each([
    ['password1', 'this is a commonly used password'],
    ['letmein123', 'this is similar to a commonly used password'],
    ['P@ssw0rd123', 'this is similar to a commonly used password'],
    ['qwertyuiop', 'this is a frequently used password'],
    ['Summer2026!', 'it follows a pattern that is tried early'],
    ['alicealice', 'repeated character patterns like "abcabcabc" are easy to guess'],
    ['Liddell2026', 'there should not be any personal or page related data'],
    ['wonderland1', 'there should not be any personal or page related data'],
    ['Tocsin2026!', 'there should not be any personal or page related data'],
    // The end of a long one is not rated.
    [
      `${'abc'.repeat(16)}kX9#vQ2!`,
      'repeated character patterns like "abcabcabc" are easy to guess',
    ],
  ])('%s: refused with the reason and what to do [36.22]', async (password, reason) => {
    expect(await passwordProblem(password, OWNER)).toBe(
      `must be harder to guess (${reason}): ${ADVICE}`,
    );
  });

  test.each([
    'correct horse battery',
    'vT7-kqp-92Lm',
    'ein Satz den nur ich kenne',
    '密码是一只很胖的橙色猫咪',
  ])('%s is accepted', async (password) => {
    expect(await passwordProblem(password, OWNER)).toBeNull();
  });

  test('what is known of one person does not count for another', async () => {
    const other = { email: 'bob@example.com', names: ['Bob'] };
    const named = { ...OWNER, names: ['Quistgaarden'] };
    expect(await passwordProblem('Quistgaarden82', named)).not.toBeNull();
    expect(await passwordProblem('Quistgaarden82', other)).toBeNull();
  });

  test('many at once are rated in turn, and too many are refused', async () => {
    const asked = Array.from({ length: 22 }, () => passwordProblem('password1', OWNER));
    const settled = await Promise.allSettled(asked);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await passwordProblem('correct horse battery', OWNER)).toBeNull();
  });
});
