import { expect, test } from 'vitest';
import { iconWith, tabTitle } from './tab-title.ts';

test.each([
  ['Incidents', 0, 'Incidents · Tocsin'],
  ['Incidents', 3, '(3) Incidents · Tocsin'],
  ['2 of 60 monitors are down', 2, '2 of 60 monitors are down · Tocsin'],
  ['20 of 60 monitors are degraded', 2, '(2) 20 of 60 monitors are degraded · Tocsin'],
  ['1,234 of 10,000 monitors are down', 1_234, '1,234 of 10,000 monitors are down · Tocsin'],
  ['1.234 von 10.000 Monitoren', 1_234, '1.234 von 10.000 Monitoren · Tocsin'],
  ['2 of 60 monitors are down', 20, '(20) 2 of 60 monitors are down · Tocsin'],
  ['3rd party', 3, '(3) 3rd party · Tocsin'],
  ['', 1, '(1) Tocsin'],
])('the title of %j with %i down is %j', (page, count, title) => {
  expect(tabTitle(page, count)).toBe(title);
});

test.each([
  [1, '>1</text>'],
  [99, '>99</text>'],
  [100, '>99+</text>'],
])('the icon of %i down has the text %j', (count, text) => {
  const address = iconWith(count);
  expect(address).toMatch(/^data:image\/svg\+xml,/);
  expect(decodeURIComponent(address)).toContain(text);
});
