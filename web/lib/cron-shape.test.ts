import { expect, test } from 'vitest';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { cronShape, cronText } from './cron-shape.ts';

test.each<[string, string, string]>([
  ['* * * * *', 'every minute', 'jede Minute'],
  ['*/15 * * * *', 'every 15 minutes', 'alle 15 Minuten'],
  ['5 * * * *', 'every hour at minute 5', 'jede Stunde zur Minute 5'],
  ['@hourly', 'every hour at minute 0', 'jede Stunde zur Minute 0'],
  ['30 */6 * * *', 'every 6 hours at minute 30', 'alle 6 Stunden zur Minute 30'],
  ['0 3 * * *', 'every day at 03:00', 'täglich um 03:00 Uhr'],
  ['@daily', 'every day at 00:00', 'täglich um 00:00 Uhr'],
  ['15 04 * * 1', 'every week on Monday at 04:15', 'jede Woche am Montag um 04:15 Uhr'],
  ['0 9 * * 7', 'every week on Sunday at 09:00', 'jede Woche am Sonntag um 09:00 Uhr'],
  [
    '0 9 * * MON-FRI',
    'every week from Monday to Friday at 09:00',
    'jede Woche von Montag bis Freitag um 09:00 Uhr',
  ],
  [
    '0 9 * * 0,3',
    'every week on Wednesday and Sunday at 09:00',
    'jede Woche am Mittwoch und Sonntag um 09:00 Uhr',
  ],
  ['0 6 1 * *', 'on day 1 of each month at 06:00', 'am 1. jedes Monats um 06:00 Uhr'],
  ['@monthly', 'on day 1 of each month at 00:00', 'am 1. jedes Monats um 00:00 Uhr'],
])('%s is said: %s', (expression, english, german) => {
  const shape = cronShape(expression)!;
  const said = [cronText(shape, en.cron, 'en-GB'), cronText(shape, de.cron, 'de-DE')];
  expect(said).toEqual([english, german]);
});

test.each([
  '*/7 * * * *',
  '*/0 * * * *',
  '*/60 * * * *',
  '0 */5 * * *',
  '0,30 * * * *',
  '0 9-17 * * *',
  '0 9 1 * 1',
  '0 9 * 6 *',
  '0 9 * * 5-1',
  '0 9 * * 1-3-5',
  '0 9 * * 8',
  '0 9 * * 1/2',
  '0 9 * * mo',
  '0 9 29 * *',
  '0 9 0 * *',
  '0 9 L * *',
  '61 9 * * *',
  '0 0 3 * * *',
  '@yearly',
  'every day',
  '',
])('"%s" stays as it is', (expression) => {
  expect(cronShape(expression)).toBeNull();
});
