import { expect, test } from 'vitest';
import { commandOf } from './shortcuts.ts';

test.each([
  [{ key: 'k', isControl: true }, '', { do: 'palette' }],
  [{ key: 'K', isControl: true }, '', { do: 'palette' }],
  [{ key: 's', isControl: true }, '', null],
  [{ key: '/', isControl: false }, '', { do: 'search' }],
  [{ key: 'n', isControl: false }, '', { do: 'new' }],
  [{ key: '?', isControl: false }, '', { do: 'help' }],
  [{ key: 'j', isControl: false }, '', { do: 'next' }],
  [{ key: 'k', isControl: false }, '', { do: 'previous' }],
  [{ key: 'e', isControl: false }, '', { do: 'edit' }],
  [{ key: 'x', isControl: false }, '', { do: 'select' }],
  [{ key: 'g', isControl: false }, '', { do: 'wait' }],
  [{ key: 'i', isControl: false }, 'g', { do: 'go', path: '/incidents' }],
  [{ key: 'n', isControl: false }, 'g', null],
  [{ key: 'q', isControl: false }, '', null],
])('%o after %j is %o', (press, before, command) => {
  expect(commandOf(press, before)).toEqual(command);
});
