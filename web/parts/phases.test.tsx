import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PhaseBar, scaleOf, type PhaseTimes } from './phases.tsx';

const times = (part: Partial<PhaseTimes>): PhaseTimes => ({
  dns_ms: null,
  tcp_ms: null,
  tls_ms: null,
  ttfb_ms: null,
  ...part,
});

const bar = (one: PhaseTimes, scale = scaleOf([one])) =>
  renderToStaticMarkup(<PhaseBar times={one} scale={scale} />);

test('a bar is as long as its total beside that of the slowest request', () => {
  const fast = times({ dns_ms: 0.5, ttfb_ms: 9.5, total_ms: 10 });
  const slow = times({ ttfb_ms: 80, total_ms: 100 });
  expect(scaleOf([fast, slow])).toBe(100);
  expect(bar(fast, 100)).toContain('width:10%');
  expect(bar(slow, 100)).toContain('width:100%');
});

test.each([
  ['a time-out after the name was found', { dns_ms: 1.5, total_ms: 10_000 }, /Rest 9,999\sms/],
  [
    'the body after the first byte',
    { ttfb_ms: 80, total_ms: 100 },
    /First byte 80\sms, Rest 20\sms/,
  ],
  ['nothing but a total', { total_ms: 500 }, /"Phases: Rest 500\sms"/],
])('time that no phase explains is a part of its own: %s', (_what, part, label) => {
  expect(bar(times(part))).toMatch(label);
});

test('a total that is the sum of its phases but for rounding has no rest', () => {
  expect(bar(times({ tcp_ms: 1.1, ttfb_ms: 2.2, total_ms: 3.9 }))).not.toContain('rest');
});
