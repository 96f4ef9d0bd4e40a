import { describe, expect, test } from 'vitest';
import { budgetRefusal } from './budget-refusal.ts';
import { MAIL_BUDGETS, spendingsOfMail, spendingsOfSignUp } from './budgets.ts';
import type { Budget, MailKind } from './budgets.ts';

const SENDER = { personId: 7, teamId: 3 };
const shown = (kind: MailKind, recipients: string[], sender = SENDER, openSignup = false) =>
  spendingsOfMail(kind, recipients, sender, { openSignup }).map(
    ({ key, count, budget: { limit, windowMs } }) =>
      `${key} ${count} of ${limit} in ${windowMs / 3_600_000} h`,
  );

describe('what a mail spends', () => {
  test.for<[MailKind, string[]]>([
    [
      'invitation',
      [
        'mail:installation:all 1 of 500 in 1 h',
        'mail:person:7 1 of 100 in 24 h',
        'mail:team:3 1 of 200 in 24 h',
        'mail_to_others:recipient:a 1 of 3 in 1 h',
      ],
    ],
    [
      'own_channel_test',
      [
        'mail:installation:all 1 of 500 in 1 h',
        'mail:person:7 1 of 100 in 24 h',
        'mail:team:3 1 of 200 in 24 h',
        'mail_test:recipient:a 1 of 10 in 1 h',
      ],
    ],
    [
      'reset_password',
      [
        'mail_about_account:installation:all 1 of 500 in 1 h',
        'mail_about_account:recipient:a 1 of 3 in 1 h',
      ],
    ],
    [
      'verification',
      [
        'mail_about_account:recipient:a 1 of 3 in 1 h',
        'mail_verification:installation:all 1 of 200 in 1 h',
      ],
    ],
    ['password_changed', []],
    [
      'subscription',
      [
        'mail_subscription:installation:all 1 of 500 in 1 h',
        'mail_subscription:recipient:a 1 of 3 in 1 h',
        'mail_subscription_day:recipient:a 1 of 10 in 24 h',
      ],
    ],
  ])('%s', ([kind, spendings]) => {
    expect(shown(kind, ['a'])).toEqual(spendings);
  });

  test('several recipients count each, the same one twice counts twice', () => {
    expect(shown('channel_test', ['b', 'a', 'b'])).toEqual([
      'mail:installation:all 3 of 500 in 1 h',
      'mail:person:7 3 of 100 in 24 h',
      'mail:team:3 3 of 200 in 24 h',
      'mail_to_others:recipient:a 1 of 3 in 1 h',
      'mail_to_others:recipient:b 2 of 3 in 1 h',
    ]);
  });

  test('with open sign-up people and teams have less', () => {
    expect(shown('invitation', ['a'], SENDER, true)).toContain('mail:person:7 1 of 20 in 24 h');
    expect(shown('invitation', ['a'], SENDER, true)).toContain('mail:team:3 1 of 40 in 24 h');
  });

  test('a sign-up spends that of its client and of the installation', () => {
    expect(spendingsOfSignUp('x').map(({ key }) => key)).toEqual([
      'sign_up:client:x',
      'sign_up:installation:all',
    ]);
  });
});

test.for<[Pick<Budget, 'name' | 'of'>, number, string]>([
  [
    { name: 'mail_to_others', of: 'recipient' },
    2_390,
    'No mail was sent: the limit is 3 invitations and test mails an hour to one e-mail address. Try again in 40 minutes, and look for the earlier ones, also among spam.',
  ],
  [
    { name: 'mail', of: 'team' },
    80_000,
    'No mail was sent: the limit is 200 invitations and test mails a day for one team. Try again in 23 hours.',
  ],
  [
    { name: 'mail', of: 'installation' },
    1,
    'No mail was sent: the limit is 500 invitations and test mails an hour for the whole installation. Try again in 1 second, or tell its operator.',
  ],
])('%j is refused in words', ([{ name, of }, seconds, text]) => {
  const budget = MAIL_BUDGETS.find((one) => one.name === name && one.of === of)!;
  expect(budgetRefusal(budget, seconds)).toBe(text);
});
