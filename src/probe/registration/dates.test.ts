import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDate } from './dates.ts';

const END_OF_DAY = '2026-11-30T23:59:59.000Z';

describe('date formats of registries', () => {
  test.each([
    ['2026-11-30T04:00:00Z', '2026-11-30T04:00:00.000Z'],
    ['2026-11-30T04:29:19.346Z', '2026-11-30T04:29:19.000Z'],
    ['2026-11-30t00:00:00+13:00', '2026-11-29T11:00:00.000Z'],
    ['2026-11-30 00:00:00+02', '2026-11-29T22:00:00.000Z'],
    ['2026-11-30 12:43:23', '2026-11-30T12:43:23.000Z'],
    ['2026-11-30 11:14:47.77', '2026-11-30T11:14:47.000Z'],
    ['2026-11-30 11:14:47 (UTC+8)', '2026-11-30T03:14:47.000Z'],
    ['2026-11-30', END_OF_DAY],
    ['2026-11-30 (YYYY-MM-DD)', END_OF_DAY],
    ['2026/11/30', END_OF_DAY],
    ['2026/11/30 01:02:03 (JST)', '2026-11-30T01:02:03.000Z'],
    ['2026.11.30', END_OF_DAY],
    ['2026. 11. 30.', END_OF_DAY],
    ['2026.11.30 14:00:00', '2026-11-30T14:00:00.000Z'],
    ['20261130', END_OF_DAY],
    ['20261130 #12345', END_OF_DAY],
    ['20261130140000', '2026-11-30T14:00:00.000Z'],
    ['2026-Nov-30.', END_OF_DAY],
    ['30-Nov-2026', END_OF_DAY],
    ['30-NOV-2026', END_OF_DAY],
    ['30-Nov-2026 06:48:27 UTC', '2026-11-30T06:48:27.000Z'],
    ['30 Nov 2026', END_OF_DAY],
    ['30-November-2026', END_OF_DAY],
    ['30th November 2026', END_OF_DAY],
    ['30th November, 2026', END_OF_DAY],
    ['Monday 30th November 2026', END_OF_DAY],
    ['Mon, 30 Nov 2026 10:00:00 GMT', '2026-11-30T10:00:00.000Z'],
    ['November 30, 2026', END_OF_DAY],
    ['November 30 2026', END_OF_DAY],
    ['Mon Nov 30 23:00:00 2026', '2026-11-30T23:00:00.000Z'],
    ['Mon Nov 30 23:00:00 GMT 2026', '2026-11-30T23:00:00.000Z'],
    ['30.11.2026', END_OF_DAY],
    ['01.02.2027', '2027-02-01T23:59:59.000Z'],
    ['30.11.2026 12:31:19', '2026-11-30T12:31:19.000Z'],
    ['30/11/2026', END_OF_DAY],
    ['11/30/2026', END_OF_DAY],
    ['05/05/2026', '2026-05-05T23:59:59.000Z'],
    ['30-11-2026', END_OF_DAY],
    ['30/11/2026 00:00:00 EEST', '2026-11-30T00:00:00.000Z'],
    ['"2026-11-30T15:45:18+01:00"', '2026-11-30T14:45:18.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s', (text, expected) => {
    const read = readDate(text);
    expect(typeof read === 'number' ? new Date(read).toISOString() : read).toBe(expected);
  });
});

test.each([
  ['03/02/2027', 'ambiguous'],
  ['03-02-2027', 'ambiguous'],
  ['2027-02-30', 'unreadable'],
  ['31/31/2027', 'unreadable'],
  ['sometime in 2027', 'unreadable'],
  ['0001-01-01T00:00:00Z', 'none'],
  ['not defined', 'none'],
  ['N/A', 'none'],
  ['', 'none'],
])('%s is %s', (text, expected) => {
  expect(readDate(text)).toBe(expected);
});

test('day-first registries have no ambiguous dates', () => {
  expect(readDate('03/02/2027', true)).toBe(Date.UTC(2027, 1, 3, 23, 59, 59));
  expect(readDate('03-02-2027 10:00', true)).toBe(Date.UTC(2027, 1, 3, 10));
});

test('reads any ISO 8601 date to the second', () => {
  const dates = fc.date({
    min: new Date('1985-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, (date) => {
      expect(readDate(date.toISOString())).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
    }),
  );
});

test('never throws for any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0129-/. :tzj') })),
      (text) => {
        const read = readDate(text);
        expect(typeof read === 'string' || Number.isFinite(read)).toBe(true);
      },
    ),
  );
});
