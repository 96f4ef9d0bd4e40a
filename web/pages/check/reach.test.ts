import { describe, expect, it } from 'vitest';
import type { UrlReach } from '../../app/api.gen.ts';
import { en } from '../../words/en.ts';
import { reachOf, summaryOf, withScheme } from './reach.ts';

const VM = { name: 'vm', machine: 'vm', codes: ['ash', 'pdx', 'nbg', 'sin'] };
const CITIES = VM.codes.map((code) => ({ name: code, machine: null, codes: [code] }));
const TWO = [
  { name: 'vm', machine: 'vm', codes: ['ash', 'pdx', 'nbg'] },
  { name: 'Singapore', machine: null, codes: ['sin'] },
];
const STATUS = { u: 'online', d: 'offline', '?': 'error', b: 'blocked' } as const;

const seen = (code: string, letter: string, ms: number | null = 10): UrlReach => ({
  region: code,
  name: code,
  vantage: null,
  status: STATUS[letter as keyof typeof STATUS],
  status_code: letter === 'u' ? 200 : null,
  response_time_ms: letter === 'u' ? ms : null,
  dns_ms: null,
  tcp_ms: null,
  tls_ms: null,
  ttfb_ms: null,
  error: letter === 'u' ? null : `error ${letter}`,
});

const resultsOf = (letters: string) =>
  VM.codes.map((code, index) => seen(code, letters[index]!, [30, 10, 20, 40][index]));

function verdictOf(letters: string): 'up' | 'partial' | 'down' | 'unknown' {
  const votes = letters.replaceAll('?', '');
  if (votes === '') return 'unknown';
  if (!votes.includes('u')) return 'down';
  return /^u+$/.test(votes) ? 'up' : 'partial';
}

describe('what a check says', () => {
  it.each([
    ['uuuu', CITIES, 'online', 'It is up from all 4 places.'],
    ['uuu?', CITIES, 'online', 'It is up from all 3 places.'],
    ['uuud', CITIES, 'degraded', 'It is up from 3 of 4 places.'],
    ['dddd', CITIES, 'offline', 'It is down from all 4 places.'],
    ['????', CITIES, 'unknown', 'It could not be checked.'],
    ['bbbb', CITIES, 'unknown', 'It could not be checked.'],
    ['uuuu', [VM], 'online', 'It is up.'],
    ['dddd', [VM], 'offline', 'It is down.'],
    ['uuud', [VM], 'degraded', 'It is up in 3 of 4 checks.'],
    ['ddd?', [VM], 'offline', 'It is down.'],
    ['uddu', TWO, 'degraded', 'It is up from 1 of 2 places.'],
    ['uudu', TWO, 'degraded', 'It is up in 3 of 4 checks.'],
    ['uuuu', TWO, 'online', 'It is up from all 2 places.'],
  ] as const)('%s from %j', (letters, places, displayStatus, sentence) => {
    const results = resultsOf(letters);
    const check = { verdict: verdictOf(letters), results };
    expect(summaryOf(check, reachOf(results, places), en.check)).toEqual({
      displayStatus,
      sentence,
    });
  });

  it.each([
    ['uuuu', 'online', ['4 200'], 'nbg'],
    ['uuud', 'online', ['3 200', '1 error d'], 'nbg'],
    ['dudd', 'offline', ['3 error d', '1 200'], 'nbg'],
    ['u?bu', 'online', ['2 200', '1 error ?', '1 error b'], 'ash'],
    ['????', 'unknown', ['4 error ?'], 'pdx'],
  ])('is one row for a machine that sees %s', (letters, displayStatus, answers, typical) => {
    const [place] = reachOf(resultsOf(letters), [VM]);
    expect(place).toMatchObject({ name: 'vm', displayStatus, checks: 4 });
    expect(place!.answers.map(({ text, checks }) => `${checks} ${text}`)).toEqual(answers);
    expect(place!.typical.region).toBe(typical);
  });
});

describe('an address', () => {
  it.each([
    ['example.com', 'https://example.com'],
    [' http://example.com ', 'http://example.com'],
    ['example.com:8443/x', 'https://example.com:8443/x'],
    ['localhost:8080/x', 'http://localhost:8080/x'],
    ['shop.localhost', 'http://shop.localhost'],
    ['192.0.2.1/x', 'http://192.0.2.1/x'],
    ['192.0.2.1.example.com', 'https://192.0.2.1.example.com'],
    ['[2001:db8::1]:80', 'http://[2001:db8::1]:80'],
    ['https:/example.com', 'https:/example.com'],
    ['https//example.com', 'https//example.com'],
    ['  ', ''],
  ])('%s is checked as %s', (text, url) => {
    expect(withScheme(text)).toBe(url);
  });
});
