import { describe, expect, it, test } from 'vitest';
import { wordsOfHtml, wordsOfText } from '../../test/support/mail-text.ts';
import { contrast } from './accent.ts';
import {
  layOutMail,
  MAIL_IMAGES,
  PRODUCT,
  withoutLogo,
  type MailBrand,
  type MailLayout,
  type MailPart,
} from './mail-layout.ts';

const URL = 'https://up.example.com/alert?token=s3cret&x=1';
const PAGE: MailBrand = { name: 'Acme Status', image: 'logo', accent: '#0a7d4f' };
const LINK = { label: 'Open', url: URL };

const mail = (parts: readonly MailPart[], more: Partial<MailLayout> = {}) =>
  layOutMail({
    language: 'en',
    subject: 'Down: Shop',
    brand: PRODUCT,
    headline: 'Down: Shop',
    tone: 'critical',
    parts,
    footer: { text: 'Tocsin, for the team Acme' },
    ...more,
  });

describe('each part', () => {
  test.each<[MailPart, string]>([
    [{ text: 'A sentence.' }, 'A sentence.'],
    [{ remark: 'In small print.' }, 'In small print.'],
    [{ html: '<p><strong>We know.</strong></p>', plain: 'We know.' }, 'We know.'],
    [{ facts: [{ name: 'Cause', value: 'HTTP 503' }] }, 'Cause: HTTP 503'],
    [{ list: ['Shop', 'Blog'] }, '- Shop\n- Blog'],
    [{ code: '7KQ2' }, '7KQ2'],
    [{ buttons: [LINK, { ...LINK, label: 'More' }] }, `Open:\n${URL}\n\nMore:\n${URL}`],
    [{ open: LINK }, `Open:\n${URL}`],
    [{ links: [LINK] }, `Open:\n${URL}`],
  ])('is in the text and in the HTML: %j', (part, text) => {
    const written = mail([part]);
    expect(written.text).toBe(`${text}\n\n-- \nTocsin, for the team Acme\n`);
    // Only `open` shows the address of its button.
    const shown = wordsOfText(written.text).filter((word) => 'open' in part || word !== URL);
    expect(wordsOfHtml(written.html)).toEqual(shown);
    expect(written.html.includes('href=')).toBe(text.includes(URL));
  });

  it('is left out without content', () => {
    const { text, html } = mail([{ facts: [] }, { list: [] }, { buttons: [] }, { text: 'Hello.' }]);
    expect(text).toBe('Hello.\n\n-- \nTocsin, for the team Acme\n');
    expect(html).not.toMatch(/<ul|<a /);
  });
});

test('the address of what is to be opened is written out below its button', () => {
  const { html, text } = mail([{ open: LINK }], { footer: null });
  expect(wordsOfHtml(html)).toEqual(wordsOfText(text));
  expect(html.match(/href="([^"]*)"/g)).toEqual(
    Array(2).fill(`href="${URL.replace('&', '&amp;')}"`),
  );
});

test('a footer names why the mail came, and its links', () => {
  const { text, html } = mail([{ text: 'Hello.' }], {
    footer: {
      text: 'Because.',
      links: [
        { label: 'Unsubscribe', url: URL },
        { label: 'Contact', url: 'mailto:help@acme.example' },
      ],
    },
  });
  expect(text).toBe(`Hello.\n\n-- \nBecause.\nUnsubscribe:\n${URL}\nContact:\nhelp@acme.example\n`);
  expect(html).toContain('href="mailto:help@acme.example"');
  expect(html).toContain('>Unsubscribe</a>');
});

test.each([PRODUCT, { ...PAGE, image: null }, PAGE])(
  'nothing is loaded, run or followed up: %j',
  (brand) => {
    const { html } = mail([{ open: LINK }, { code: 'x' }], { brand });
    expect(html).not.toMatch(
      /<(script|link|iframe|form|object|video)|src="(?!cid:)|url\(|@import|@font-face/i,
    );
    expect(html.match(/src="cid:[^"]*"/g)).toEqual(
      brand.image === null ? null : [`src="cid:${MAIL_IMAGES[brand.image]}"`],
    );
  },
);

test('a page has its name, its logo and its color, in a text that is readable', () => {
  const { html } = mail([{ open: LINK }, { html: '<p><a href="#">x</a></p>', plain: 'x' }], {
    brand: { ...PAGE, accent: '#ffd400' },
  });
  expect(html).toContain('>Acme Status</td>');
  expect(html).toMatch(/class="main" style="[^"]*background:#ffd400;color:#000000/);
  const [, link = ''] = /class="link" style="[^"]*color:(#\w{6})"/.exec(html) ?? [];
  expect(contrast(link, '#ffffff')).toBeGreaterThanOrEqual(4.5);
});

test('without its logo, a mail is whole', () => {
  const { html } = mail([{ open: LINK }], { brand: PAGE });
  const bare = withoutLogo(html);
  expect(bare).not.toContain('<img');
  expect(wordsOfHtml(bare)).toEqual(wordsOfHtml(html));
  expect(bare).toContain('>Acme Status</td>');
});

test('texts of people stay texts', () => {
  const odd = `<b onclick='x'>Dana</b> & "Co's"`;
  const { html } = mail([{ text: odd }, { list: [odd] }, { facts: [{ name: odd, value: odd }] }], {
    headline: odd,
    brand: { name: odd, image: null, accent: null },
    subject: odd,
    footer: { text: odd },
  });
  expect(html).not.toMatch(/<\/?b[ >]|"Co/);
});

test('the dark scheme colors every element that has a color, and widths hold where max-width is ignored', () => {
  const { html } = mail([
    { open: LINK },
    { code: 'x' },
    { text: 'a' },
    { buttons: [LINK, LINK] },
    { links: [LINK] },
  ]);
  const [head = '', body = ''] = html.split('</head>');
  const dark = head.slice(head.indexOf('prefers-color-scheme: dark'));
  for (const [, name] of body.matchAll(/class="(\w+)/g)) expect(dark).toContain(`.${name}{`);
  expect(body).toContain('<!--[if mso]><table role="presentation"');
  expect(body).not.toContain('light-dark');
});

test('an inbox shows the first sentence', () => {
  const { html } = mail([{ buttons: [LINK] }, { text: 'One.' }, { text: 'Two.' }]);
  expect(html).toMatch(
    /<body[^>]*>\n<div aria-hidden="true" style="display:none[^>]*>One\.[\u00a0\u200c]*<\/div>/,
  );
});
