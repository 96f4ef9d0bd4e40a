import { describe, expect, it, test } from 'vitest';
import {
  authorizationServerMetadata,
  resourceMetadata,
  toolServerChallenge,
  wellKnownDocument,
} from './oauth-metadata.ts';

const HOST = 'https://up.example.com';
const BELOW = 'https://example.com/tocsin';

describe('the documents for clients', () => {
  test.each([
    [HOST, '/.well-known/oauth-authorization-server/api/auth'],
    [HOST, '/.well-known/oauth-authorization-server'],
    [HOST, '/api/auth/.well-known/oauth-authorization-server'],
    [BELOW, '/.well-known/oauth-authorization-server/tocsin/api/auth'],
    [BELOW, '/.well-known/oauth-authorization-server/api/auth'],
  ])('of the authorization server of %s stands at %s [48.1]', (baseUrl, path) => {
    expect(wellKnownDocument(path, baseUrl)).toEqual(authorizationServerMetadata(baseUrl));
  });

  test.each([
    [HOST, '/.well-known/oauth-protected-resource/mcp'],
    [HOST, '/.well-known/oauth-protected-resource'],
    [BELOW, '/.well-known/oauth-protected-resource/tocsin/mcp'],
  ])('of the tool server of %s stands at %s [48.1]', (baseUrl, path) => {
    expect(wellKnownDocument(path, baseUrl)).toEqual(resourceMetadata(baseUrl));
  });

  test.each([
    '/.well-known/oauth-protected-resource/api',
    '/.well-known/openid-configuration',
    '/',
  ])('there is none at %s', (path) => {
    expect(wellKnownDocument(path, HOST)).toBeNull();
  });

  it('leads from a refused call of the tool server to its document [48.2]', () => {
    const metadata = `resource_metadata="${HOST}/.well-known/oauth-protected-resource/mcp"`;
    expect(toolServerChallenge(HOST, false)).toBe(`Bearer ${metadata}`);
    expect(toolServerChallenge(HOST, true)).toBe(`Bearer error="invalid_token", ${metadata}`);
    expect(toolServerChallenge(BELOW, false)).toBe(
      'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource/tocsin/mcp"',
    );
  });
});
