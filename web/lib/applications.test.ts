import { expect, test } from 'vitest';
import { en } from '../words/en.ts';
import { accessText, destinationOf, isOpenable, PERMISSIONS } from './applications.ts';

const words = en.account.applications;

test.each([
  [[], 'owner', 'may do nothing'],
  [['read'], 'owner', 'may only read'],
  [['read'], 'viewer', 'may only read'],
  [['delete', 'read'], 'admin', 'may read and delete'],
  [['update', 'create', 'read'], 'editor', 'may read, create and change'],
  [[...PERMISSIONS], 'editor', 'may read, create, change, delete and check any address'],
  [['read', 'check_url'], 'viewer', 'may read and check any address'],
  [[...PERMISSIONS], 'viewer', 'may only read, as your role is viewer'],
  [['read'], null, 'no access: your membership in this team is not active'],
])('with %j and the role %s: %s', (permissions, role, text) => {
  expect(accessText(permissions, role, words)).toBe(text);
});

test.each([
  ['claude.ai', 'claude.ai'],
  ['localhost.evil.example', 'localhost.evil.example'],
  ['127.0.0.1.evil.example:80', '127.0.0.1.evil.example:80'],
  ['tools.example:8443', 'tools.example:8443'],
  ['localhost', 'an application on this computer (localhost)'],
  ['127.0.0.1:33418', 'an application on this computer (127.0.0.1:33418)'],
  ['[::1]:33418', 'an application on this computer ([::1]:33418)'],
  ['cursor:', 'an application on this device (cursor:)'],
  ['com.example.app://callback', 'an application on this device (com.example.app:)'],
])('the redirect host %s is shown as "%s"', (host, text) => {
  expect(destinationOf(host, words)).toBe(text);
});

test.each([
  ['https://claude.ai/api/mcp/auth_callback?code=x', true],
  ['http://127.0.0.1:33418/callback?code=x', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback?code=x', true],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  [' \tjava\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['blob:https://up.example.com/x', false],
  ['/connect', false],
  ['', false],
])('the address %j may be opened: %s', (address, isAllowed) => {
  expect(isOpenable(address)).toBe(isAllowed);
});
