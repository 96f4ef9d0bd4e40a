import { expect, test } from 'vitest';
import { loadConfiguration } from './load.ts';
import { writeConfiguration } from './write.ts';

test('a document is written with references in place of its secrets', () => {
  const { text, secrets } = writeConfiguration({
    name: 'shop',
    monitors: [
      {
        url: 'https://example.com',
        key: 'home',
        auth_password: { from: 'import', value: 'one' },
        request_headers: { Accept: '*/*', 'X-Key': { from: 'import', value: 'two' } },
        tags: [],
        is_on: 'yes',
      },
      { key: '1', auth_password: { from: 'env HOME_AUTH_PASSWORD', value: 'other' } },
    ],
    groups: [{ key: 'front', name: 'Front: end' }],
    alert_channels: [
      { key: 'a', settings: { token: { from: 'file secrets/token' } } },
      { key: 'b', settings: { token: { from: 'env TOKEN' } } },
      { key: 'c', settings: { token: { from: 'env TOKEN' } } },
    ],
  });
  expect(text).toBe(`name: shop

groups:
  - key: front
    name: "Front: end"

monitors:
  - key: home
    url: https://example.com
    auth_password: {env: HOME_AUTH_PASSWORD}
    request_headers:
      Accept: "*/*"
      X-Key: {env: HOME_REQUEST_HEADERS_X_KEY}
    tags: []
    is_on: yes
  - key: "1"
    auth_password: {env: HOME_AUTH_PASSWORD_2}

alert_channels:
  - key: a
    settings:
      token: {file: secrets/token}
  - key: b
    settings:
      token: {env: TOKEN}
  - key: c
    settings:
      token: {env: TOKEN}
`);
  expect(secrets).toEqual([
    { variable: 'HOME_AUTH_PASSWORD', value: 'one' },
    { variable: 'HOME_REQUEST_HEADERS_X_KEY', value: 'two' },
    { variable: 'HOME_AUTH_PASSWORD_2', value: 'other' },
    { variable: 'TOKEN', value: null },
  ]);
});

test('what was written is loaded as the same document', () => {
  const document = {
    name: 'x',
    monitors: [
      { key: 'a', text: ' two\nlines\r\n', deep: [{ a: null, b: [1.5, true, '5', '# no', ''] }] },
      { key: 'b', request_headers: { env: 'staging' }, password: { from: 'env A' } },
    ],
    reports: [],
  };
  const result = loadConfiguration([{ name: 'a.yaml', text: writeConfiguration(document).text }]);
  expect('errors' in result ? result.errors : result.document).toEqual(document);
});
