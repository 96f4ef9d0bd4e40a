import { describe, expect, it } from 'vitest';
import { pingBy, posted } from './job-line.ts';

const KIB = 1024;

describe('bodies of pings', () => {
  it.each([
    ['none', '', null, false],
    ['a line', 'backed up 3 files\n', 'backed up 3 files\n', false],
    ['10 KiB', 'x'.repeat(10 * KIB), 'x'.repeat(10 * KIB), false],
    ['one byte more', `${'x'.repeat(10 * KIB)}y`, 'x'.repeat(10 * KIB), true],
    ['3 MiB', Buffer.alloc(3 * KIB * KIB, 'z'), 'z'.repeat(10 * KIB), true],
  ])(
    'a body of any size is accepted, its first 10 KiB are kept and shown: %s [12.23]',
    async (_what, sent, body, isCut) => {
      expect(await pingBy('', posted(sent))).toMatchObject({ body, body_truncated: isCut });
    },
  );

  it.each([
    'text/plain',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    'nonsense',
    undefined,
  ])('a body of any type is accepted: %s [12.23]', async (type) => {
    const sent = '{"status": "fail';
    const ping = await pingBy('', posted(sent, type && { 'content-type': type }));
    expect(ping).toMatchObject({ kind: 'success', body: sent });
  });

  it('a body in pieces of unknown length is accepted [12.23]', async () => {
    const pieces = ['first ', 'second'].map((text) => Buffer.from(text));
    expect(await pingBy('/log', posted(pieces))).toMatchObject({ body: 'first second' });
  });

  it('a body that is no text is accepted [12.23]', async () => {
    const ping = await pingBy('', posted(Buffer.from([0, 255, 254, 104, 105])));
    expect(ping['body']).toMatch(/hi$/);
  });
});
