import { expect, test } from 'vitest';
import { calendarText } from './calendar-input.tsx';

test.each([
  ['2030-01-31 14:02', '2030-01-31T14:02'],
  [' 31.1.2030', '2030-01-31'],
  ['05.12.2030 22:00', '2030-12-05T22:00'],
  ['14:02', '14:02'],
  // A person has to say which of these is the month.
  ['12/5/2030 22:00', '12/5/2030T22:00'],
  ['31.1.30', '31.1.30'],
])('"%s" is %s', (typed, text) => {
  expect(calendarText(typed)).toBe(text);
});
