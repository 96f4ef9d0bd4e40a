import { describe, expect, it } from 'vitest';
import { en } from '../../words/en.ts';
import { reachStanding, summaryOf, withScheme } from './reach.ts';

const check = (verdict: 'up' | 'partial' | 'down' | 'unknown', up: number, total: number) => ({
  url: 'https://example.com/',
  checked_at: '2030-01-01T00:00:00Z',
  verdict,
  reachable_regions: up,
  total_regions: total,
  vantage_points: total,
});

describe('what a check says', () => {
  it.each([
    [check('up', 4, 4), 'online', 'It is up from all 4 regions.'],
    [check('up', 1, 1), 'online', 'It is up.'],
    [check('partial', 3, 4), 'degraded', 'It is up from 3 of 4 regions.'],
    [check('down', 0, 4), 'offline', 'It is down from all 4 regions.'],
    [check('unknown', 0, 4), 'unknown', 'No region could check it.'],
  ] as const)('%o', (one, standing, sentence) => {
    expect(summaryOf(one, en.check)).toEqual({ standing, sentence });
  });

  it.each([
    ['online', 'online'],
    ['offline', 'offline'],
    ['blocked', 'unknown'],
    ['error', 'unknown'],
  ] as const)('%s has the shape %s', (status, standing) => {
    expect(reachStanding(status)).toBe(standing);
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
    ['  ', ''],
  ])('%s is checked as %s', (text, url) => {
    expect(withScheme(text)).toBe(url);
  });
});
