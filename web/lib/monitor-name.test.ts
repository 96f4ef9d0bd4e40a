import { expect, test } from 'vitest';
import { monitorName } from './monitor-name.ts';

// As `targetOf` of the overview, whose names the list shows.
test.each<[monitor: Parameters<typeof monitorName>[0], name: string]>([
  [{ friendly_name: 'Shop', url: 'https://shop.example' }, 'Shop'],
  [{ friendly_name: null, url: 'http://localhost:4710/' }, 'localhost:4710'],
  [{ friendly_name: null, url: 'https://shop.example/cart?a=1' }, 'shop.example/cart'],
  [{ friendly_name: null, url: 'shop.example' }, 'shop.example'],
  [{ friendly_name: null, url: 'db.internal', port: 5432 }, 'db.internal:5432'],
  [{ friendly_name: null, url: '2001:db8::1', port: 5432 }, '[2001:db8::1]:5432'],
])('the name of %o is %s', (monitor, name) => {
  expect(monitorName(monitor)).toBe(name);
});
