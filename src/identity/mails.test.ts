import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOfHtml, wordsOfText } from '../../test/support/mail-text.ts';
import type { Mail } from '../store/alerting/mails.ts';
import {
  emailChangeMail,
  enrollmentCodeMail,
  invitationMail,
  passwordChangedMail,
  resetPasswordMail,
  verificationMail,
} from './mails.ts';

const LINK = 'https://up.example.com/some-page?token=s3cret&x=1';
const ESCAPED_LINK = LINK.replace('&', '&amp;');
const EXPIRES_AT = Date.UTC(2030, 0, 8, 9, 5);
const to = 'bob@example.org';

/** Each mail, about a person or object with that name. */
const MAILS: Record<string, (name: string) => Mail> = {
  invitation: (name) =>
    invitationMail({
      to,
      team: name,
      inviter: name,
      role: 'editor',
      link: LINK,
      expiresAt: EXPIRES_AT,
    }),
  reset_password: (name) => resetPasswordMail({ to, name, link: LINK, expiresAt: EXPIRES_AT }),
  verification: () => verificationMail({ to, link: LINK, expiresAt: EXPIRES_AT }),
  email_change: (name) =>
    emailChangeMail({
      to,
      name,
      newEmail: 'new@example.net',
      link: LINK,
      expiresAt: EXPIRES_AT,
    }),
  enrollment_code: (name) =>
    enrollmentCodeMail({ to, name, code: '7KQ2MXW9PD', expiresAt: EXPIRES_AT }),
  password_changed: (name) => passwordChangedMail({ to, name, at: EXPIRES_AT }),
};

const WITHOUT_LINK = ['password_changed', 'enrollment_code'];

describe.each(Object.entries(MAILS))('the mail %s', (kind, make) => {
  const mail = make('Dana');

  test('is of its kind, for its recipient, and has a subject', () => {
    expect(mail).toMatchObject({ kind, to });
    expect(mail.subject).toMatch(/Tocsin/);
    expect(mail.subject).not.toContain('token');
  });

  test('says the same as text and as HTML', () => {
    expect(wordsOfHtml(mail.html)).toEqual(wordsOfText(mail.text));
    if (kind !== 'verification') expect(mail.text).toContain('Dana');
  });

  test('states the time in UTC', () => {
    expect(mail.text).toContain('Tuesday, 8 January 2030 at 09:05 UTC');
  });

  test('says what to do if it was not requested', () => {
    expect(mail.text).toMatch(/If you|If it was not you/);
  });

  test('loads nothing and runs nothing', () => {
    // Images are attached.
    expect(mail.html).not.toMatch(/<(script|link|iframe|form)|src="(?!cid:)|url\(/i);
    expect(mail.html.match(/href=/g) ?? []).toHaveLength(WITHOUT_LINK.includes(kind) ? 0 : 2);
  });

  test('holds names as text, whatever they are', () => {
    const name = "<b onclick='x'>Dana<b> & Co's";
    const { html, text } = make(name);
    expect(html).not.toContain('<b ');
    if (kind === 'verification') return;
    expect(wordsOfHtml(html).join(' ')).toContain(name);
    expect(text).toContain(name);
  });

  test('turns no name into a line or a link [39.51]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const { html, text, subject } = make(
          `${name}\r\nBcc: x@example.net\u202e http://evil.example/`,
        );
        expect(text.split('\n')).toHaveLength(mail.text.split('\n').length);
        expect(html.split('\n')).toHaveLength(mail.html.split('\n').length);
        expect(subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(subject).not.toMatch(/evil\.|http:|www\./);
        expect([...subject].length).toBeLessThan(80);
        for (const content of [html, text]) {
          expect(content.isWellFormed()).toBe(true);
          expect(content).not.toMatch(/evil\.example|http:\/\/|www\.|\u202e/);
        }
      }),
    );
  });
});

describe.each(Object.entries(MAILS).filter(([kind]) => !WITHOUT_LINK.includes(kind)))(
  'the link of the mail %s',
  (_, make) => {
    const { html, text, subject, expiresAt } = make('Dana');

    test('stands alone on its line, and can be clicked and read', () => {
      expect(text.split('\n')).toContain(LINK);
      expect(html).toContain(`href="${ESCAPED_LINK}"`);
      expect(html).toContain(`>${ESCAPED_LINK}</a>`);
      expect(subject).not.toContain('http');
    });

    test('is not sent once it has ended', () => {
      expect(expiresAt).toBe(EXPIRES_AT);
    });
  },
);

test('an invitation says who invites, to what, and as what', () => {
  const { subject, text } = invitationMail({
    to,
    team: 'example.com',
    inviter: 'Alice',
    role: 'viewer',
    link: LINK,
    expiresAt: EXPIRES_AT,
  });
  expect(subject).toBe('Invitation to the team "example com" on Tocsin');
  expect(text).toContain(
    '"Alice" invites you to the team "example com" on Tocsin, as a viewer.\n\nAccept the invitation:\n',
  );
});

test('a change of address names both', () => {
  const { text } = MAILS['email_change']!('Dana');
  expect(text).toContain(`from ${to} to new@example.net`);
});

test('a person without a name is greeted, too', () => {
  expect(MAILS['reset_password']!(' \n').text).toMatch(/^Hello,\n/);
});
