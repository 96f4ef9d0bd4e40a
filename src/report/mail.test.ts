import { expect, test } from 'vitest';
import { sampleFacts, sampleFigures } from '../../test/support/report-facts.ts';
import { mailPageOf, reportMail } from './mail.ts';

const LINKS = {
  file: 'https://up.example.com/r',
  fileUntil: 0,
  unsubscribe: 'https://up.example.com/u',
};
const TO = 'ben@example.com';

test('a report is from the page whose logo is on its cover, else from Tocsin', () => {
  const brand = JSON.stringify({ accent: '#0a7d4f' });
  const images = JSON.stringify({ logo: { type: 'image/png', hash: 'h' } });
  const page = mailPageOf({ id: 7, name: 'Acme www.evil.example', brand, images });
  const mail = reportMail(sampleFacts(), TO, LINKS, page);
  expect(mail.page).toEqual({ id: 7, name: 'Acme www evil example' });
  expect(mail.html).toContain('cid:logo@tocsin');
  expect(mail.html).toContain('background:#0a7d4f');
  const plain = reportMail(sampleFacts(), TO, LINKS);
  expect(plain.page).toBeUndefined();
  expect(plain.html).toContain('cid:mark@tocsin');
});

test('a period in which nothing was observed is a sentence, without figures', () => {
  const { total, ...facts } = sampleFacts();
  const figures = sampleFigures(null, { observedPercent: 0 });
  const { subject, text } = reportMail({ ...facts, total: { ...total, figures } }, TO, LINKS);
  expect(`${subject}\n${text}`).not.toMatch(/[–—]|null|uptime|Downtime/);
  expect(text).toContain('Nothing was observed in this period.');
});

test('the uptime of the period before stands beside that of the period, where there is one', () => {
  const { text } = reportMail(sampleFacts(), TO, LINKS);
  expect(text).toMatch(/observed time\. In the period before \(31 Dec 2029\) it was 99\.900.%\. /u);
  expect(reportMail(sampleFacts({ before: null }), TO, LINKS).text).not.toContain('before');
});
