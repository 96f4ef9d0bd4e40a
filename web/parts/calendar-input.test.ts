import { expect, test } from 'vitest';
import { calendarValue } from './calendar-input.tsx';

test.each([
  ['date', '2030-01-31', '2030-01-31'],
  ['date', ' 31.1.2030 ', '2030-01-31'],
  ['date', '31. 01. 2030', '2030-01-31'],
  ['date', '2030-11-31', null],
  ['date', '31.11.2030', null],
  ['date', '31.1.', null],
  ['date', '', ''],
  ['datetime-local', '2030-01-31 14:02', '2030-01-31T14:02'],
  ['datetime-local', '31.1.2030 14:02', '2030-01-31T14:02'],
  ['datetime-local', '31.1.2030', null],
  ['time', '09:30', '09:30'],
  ['time', '9', null],
] as const)('%s of "%s"', (type, text, value) => {
  expect(calendarValue(type, text)).toBe(value);
});
