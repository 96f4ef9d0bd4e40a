import { describe, expect, it, test } from 'vitest';
import { readClientMetadata, redirectTarget, redirectUriProblem } from './oauth-registration.ts';

const REDIRECT = { redirect_uris: ['http://127.0.0.1:4711/callback'] };

describe('an address for codes', () => {
  test.each([
    'https://assistant.example/callback',
    'http://127.0.0.1/callback',
    'http://localhost:33418/',
    'http://[::1]:9/callback',
    'com.example.assistant:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ])('may be %s [48.3]', (uri) => {
    expect(redirectUriProblem(uri)).toBeNull();
  });

  test.each([
    [
      'http://assistant.example/',
      'must begin with https, unless its host is localhost, 127.0.0.1 or [::1]',
    ],
    [
      'http://127.0.0.1.example.com/',
      'must begin with https, unless its host is localhost, 127.0.0.1 or [::1]',
    ],
    [
      'http://localhost.:1/',
      'must begin with https, unless its host is localhost, 127.0.0.1 or [::1]',
    ],
    ['javascript:alert(1)', 'must have a scheme of the application'],
    ['JavaScript:alert(1)', 'must have a scheme of the application'],
    ['data:text/html,x', 'must have a scheme of the application'],
    ['https://assistant.example/#', 'must have no fragment'],
    ['https://user@assistant.example/', 'must contain no user name or password'],
    ['/callback', 'must be an absolute address'],
    ['https://assistant.example/a b', 'must be an absolute address'],
    ['https://assistant.example/\n', 'must be an absolute address'],
    [`https://assistant.example/${'a'.repeat(2_023)}`, 'must have at most 2048 characters'],
  ])('can not be %s [48.3]', (uri, problem) => {
    expect(redirectUriProblem(uri)).toBe(problem);
  });

  test.each([
    ['https://assistant.example:8443/callback', 'assistant.example:8443'],
    ['cursor://anysphere.cursor-mcp/callback', 'cursor:'],
  ])('of %s is shown as %s', (uri, shown) => {
    expect(redirectTarget(uri)).toBe(shown);
  });
});

describe('the metadata of a client', () => {
  it('keeps what is used [48.3]', () => {
    const metadata = readClientMetadata({
      ...REDIRECT,
      client_name: ' Assistant ',
      client_uri: 'https://assistant.example',
      logo_uri: 'https://assistant.example/logo.png',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    expect(metadata).toEqual({
      name: 'Assistant',
      uri: 'https://assistant.example',
      redirectUris: REDIRECT.redirect_uris,
      grantTypes: ['authorization_code', 'refresh_token'],
      applicationType: 'native',
    });
  });

  it('has the defaults of the standard', () => {
    expect(readClientMetadata({ redirect_uris: ['https://assistant.example/'] })).toEqual({
      name: null,
      uri: null,
      redirectUris: ['https://assistant.example/'],
      grantTypes: ['authorization_code'],
      applicationType: 'web',
    });
  });

  test.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://assistant.example/' }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array(11).fill('https://assistant.example/') }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://assistant.example/', 'data:,'] }, 'invalid_redirect_uri'],
    [{ ...REDIRECT, client_name: ' ' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 'a'.repeat(101) }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 'Assis\u0000tant' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 'Assis\u202etant' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: '\u200b' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: '\u0301' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: '\u061cClaude' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 'Claude\u2028verified' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 'Claude\u2029verified' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: '\u3164' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 'Cl\u00adaude' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_name: 7 }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_uri: 'https://assistant.example/\0' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_uri: 'https://assistant.example/é' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, client_uri: 'https://me@assistant.example/' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ ...REDIRECT, grant_types: 'authorization_code' }, 'invalid_client_metadata'],
    [{ ...REDIRECT, response_types: ['token'] }, 'invalid_client_metadata'],
  ])('%j is refused as %s [48.3]', (body, error) => {
    expect(readClientMetadata(body)).toMatchObject({
      error,
      description: expect.stringMatching(/\.$/),
    });
  });
});
