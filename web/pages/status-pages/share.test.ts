import { expect, test } from 'vitest';
import { shareTexts } from './share.ts';

test.each([
  ['https://up.example.com/status/acme', 'https://up.example.com/status/'],
  ['https://status.acme.com/', 'https://status.acme.com/'],
])('documents of %s are below %s', (url, base) => {
  const texts = shareTexts({ name: 'Acme [1]', slug: 'acme', url });
  expect(texts.atom).toBe(`${base}acme.atom`);
  expect(texts.summary).toBe(`${base}acme.json`);
  expect(texts.badge).toBe(`[![Acme \\[1\\]](${base}acme/badge.svg)](${url})`);
  expect(shareTexts({ name: 'Acme', slug: 'acme', url }, ' API & more ').uptimeBadge).toBe(
    `[![API & more](${base}acme/badge.svg?kind=uptime&label=API+%26+more)](${url})`,
  );
});

test('a name does not leave its attribute', () => {
  const texts = shareTexts({ name: '"><b>&', slug: 'a', url: 'https://up.example.com/status/a' });
  expect(texts.embeds[1]!.text).toContain('title="&quot;>&lt;b>&amp;" width');
});
