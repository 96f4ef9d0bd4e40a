import { describe, expect, test } from 'vitest';
import { isPingDue, pingUrl, type LastPing, type WatchdogStatus } from './watchdog.ts';

const report = (status: WatchdogStatus, ...reasons: string[]) => ({
  status,
  reasons,
  problems: [],
  summary: null,
});

describe('the URL', () => {
  test.each([
    ['https://hc-ping.com/0c8a', 'https://hc-ping.com/0c8a', 'https://hc-ping.com/0c8a/fail'],
    ['https://hc-ping.com/0c8a/', 'https://hc-ping.com/0c8a/', 'https://hc-ping.com/0c8a/fail'],
    [
      'https://hc-ping.com/key/slug?create=1',
      'https://hc-ping.com/key/slug?create=1',
      'https://hc-ping.com/key/slug/fail?create=1',
    ],
    [
      'http://10.0.0.7:3000/ping/TOKEN',
      'http://10.0.0.7:3000/ping/TOKEN',
      'http://10.0.0.7:3000/ping/TOKEN/fail',
    ],
    [
      'https://kuma.example.com/api/push/T?status={up|down}&msg={reason}',
      'https://kuma.example.com/api/push/T?status=up&msg=OK',
      'https://kuma.example.com/api/push/T?status=down&msg=It%20burns%3A%20100%20%25.%20It%20floods',
    ],
    [
      'https://cronitor.link/p/K/job?state={complete|fail}',
      'https://cronitor.link/p/K/job?state=complete',
      'https://cronitor.link/p/K/job?state=fail',
    ],
    [
      'https://x.example.com/T{|/failed}',
      'https://x.example.com/T',
      'https://x.example.com/T/failed',
    ],
    [
      'https://x.example.com/T?why={reason}',
      'https://x.example.com/T?why=OK',
      'https://x.example.com/T/fail?why=It%20burns%3A%20100%20%25.%20It%20floods',
    ],
  ])('%s [39.65]', (url, healthy, failing) => {
    expect(pingUrl(url, report('healthy'))).toBe(healthy);
    expect(pingUrl(url, report('failing', 'It burns: 100 %', 'It floods'))).toBe(failing);
  });

  test('has a reason of 200 characters at most, in which nothing is a placeholder', () => {
    const url = pingUrl('https://x.example.com/?{a|b}={reason}', report('failing', '{x|y}$&'));
    expect(url).toBe('https://x.example.com/?b=%7Bx%7Cy%7D%24%26');
    const long = pingUrl(
      'https://x.example.com/?{a|b}={reason}',
      report('failing', 'ü'.repeat(999)),
    );
    expect(new URL(long).searchParams.get('b')).toBe('ü'.repeat(200));
  });
});

const at = (seconds: number) => ({ now: seconds * 1_000, intervalMs: 60_000 });

describe('a call is due', () => {
  const accepted: LastPing = { at: 0, status: 'healthy', wasAccepted: true };
  const refused = { ...accepted, wasAccepted: false };
  test.each<[name: string, last: LastPing | null, status: WatchdogStatus, second: number, boolean]>(
    [
      ['at first', null, 'healthy', 0, true],
      ['before the interval', accepted, 'healthy', 59, false],
      ['at the interval', accepted, 'healthy', 60, true],
      ['when a problem begins', accepted, 'failing', 1, true],
      ['when the last one ends', { ...accepted, status: 'failing' }, 'healthy', 1, true],
      ['at the interval while it fails', { ...accepted, status: 'failing' }, 'failing', 60, true],
      ['soon after one that was not accepted', refused, 'healthy', 9, false],
      ['after one that was not accepted', refused, 'healthy', 10, true],
    ],
  )('%s', (_, last, status, second, due) => {
    expect(isPingDue(last, status, at(second))).toBe(due);
  });
});
