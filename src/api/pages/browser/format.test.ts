import { expect, test } from 'vitest';
import { fieldMessage } from './format.js';

test.each([
  ['timezone must be a text.', 'Time zone must be a text.'],
  ['timezones differ.', 'timezones differ.'],
  ['Nobody lives there.', 'Nobody lives there.'],
])('what the API says of a field, "%s", is shown as "%s"', (message, shown) => {
  expect(fieldMessage(message, 'timezone', 'Time zone')).toBe(shown);
});
