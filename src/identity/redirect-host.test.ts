import { expect, test } from 'vitest';
import { redirectHost } from './redirect-host.ts';

test.each([
  ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
  ['https://claude.ai@evil.example/callback', 'evil.example'],
  ['https://CLAUDE.ai:8443/callback', 'claude.ai:8443'],
  ['https://сlaude.ai/callback', 'xn--laude-0ye.ai'],
  ['http://127.0.0.1:33418/callback', '127.0.0.1:33418'],
  ['http://[::1]/callback', '[::1]'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
  ['com.example.app:/callback', 'com.example.app:'],
  ['callback', ''],
])('%s leads to "%s"', (address, host) => {
  expect(redirectHost(address)).toBe(host);
});
