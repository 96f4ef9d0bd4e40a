import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isApiPath, pathOf, routedUrl } from './url.ts';

test.each([
  ['/api', '/api/v1'],
  ['/api/', '/api/v1/'],
  ['/api?x=1', '/api/v1?x=1'],
  ['/api#x', '/api/v1'],
  ['/api?x=1#y', '/api/v1?x=1'],
  ['/api/monitors?page=2', '/api/v1/monitors?page=2'],
  ['/api/v1', '/api/v1'],
  ['/api/v1/monitors', '/api/v1/monitors'],
  ['/api/v10/monitors', '/api/v1/v10/monitors'],
  ['/apiary', '/apiary'],
  ['/healthz?next=/api/x', '/healthz?next=/api/x'],
  ['http://example.com/api/monitors?q=%zz', '/api/v1/monitors?q=%25zz'],
  ['HTTPS://example.com', '/'],
  ['/api/monitors/%zz', '/api/v1/monitors/%25zz'],
  ['/api/monitors/%20%ff', '/api/v1/monitors/%2520%25ff'],
  ['/api/monitors/%20', '/api/v1/monitors/%20'],
  ['/api?q=\u00c3\u00bc "a"&r[]=%4a', '/api/v1?q=%C3%BC%20%22a%22&r%5B%5D=%4a'],
  ['/api?a=1,2;3:4/5?6%', '/api/v1?a=1,2;3:4/5?6%25'],
  ['*', '*'],
  ['', '/'],
])('%s is routed as %s', (sent, routed) => {
  expect(routedUrl(sent)).toBe(routed);
});

test('every request target has a path', () => {
  const target = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc
      .array(fc.constantFrom('/', 'api', 'v1', '%', '%61', '%ff', '?', '#', 'x'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(target, (sent) => {
      const routed = routedUrl(sent);
      expect(pathOf(routed)).not.toMatch(/[?#]/);
      expect(routedUrl(routed)).toBe(routed);
    }),
  );
});

test('percent-encoded letters are decoded', () => {
  expect(pathOf('/%61pi/v1/x?y')).toBe('/api/v1/x');
  expect(isApiPath(pathOf('/%61pi/v1/x'))).toBe(true);
});
