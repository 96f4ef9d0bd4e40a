import { expect, test } from 'vitest';
import { sharedApi } from '../../test/support/api.ts';
import { pageHeaders, securityHeaders } from './security-headers.ts';

const shared = sharedApi();

test.each([
  ['GET', '/api/v1/test', 200],
  ['GET', '/api/v1/monitors', 401],
  ['GET', '/api/v1/nothing', 404],
  ['PATCH', '/api/v1/test', 405],
  ['GET', '/healthz', 200],
  ['GET', '/metrics', 200],
  ['GET', '/openapi.json', 200],
  ['GET', '/service-worker.js', 200],
  ['GET', '/nowhere', 404],
])('%s %s tells browsers to do nothing with it', async (method, url, status) => {
  const { app, alice } = await shared();
  const headers = /test|nothing/.test(url) ? { authorization: `Bearer ${alice.token}` } : {};
  const response = await app.inject({ method: method as 'GET', url, headers });
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
  });
});

test('the reference has the headers of a page', async () => {
  const { app } = await shared();
  const { headers } = await app.inject('/docs');
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
});

test('strict transport security is sent only over TLS', () => {
  expect(securityHeaders('https://up.example.com')).toHaveProperty('strict-transport-security');
  expect(securityHeaders('http://localhost:3000')).not.toHaveProperty('strict-transport-security');
});

test('sources that a page does not name are blocked', () => {
  expect(pageHeaders({ 'img-src': "'self'" })['content-security-policy']).toBe(
    "default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});
