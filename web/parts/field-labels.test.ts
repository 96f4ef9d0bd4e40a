import { expect, test } from 'vitest';
import { NO_SMS_CHANNEL } from '../../src/resources/status-pages/fields.ts';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { apiSentence, withLabel } from './field-labels.ts';

test.each([
  ['is required: give one of open, resolved.', 'fehlt.'],
  ['must be text of 1 to 255 characters.', 'muss 1 bis 255 Zeichen haben.'],
  [
    'must be a whole number of days from 1 to 365.',
    'muss eine ganze Zahl von 1 bis 365 Tagen sein.',
  ],
  [
    'must be unique in the team, without regard to case: group 1 has it already.',
    'ist im Team schon vergeben.',
  ],
  [
    'must be an e-mail address, such as ed@example.com.',
    'muss eine E-Mail-Adresse sein, wie ed@example.com.',
  ],
  [`${NO_SMS_CHANNEL}.`, 'muss ein SMS-Kanal deines Teams sein.'],
  [
    'must be a date and time such as 2030-01-31T12:00:00Z.',
    'muss Datum und Uhrzeit sein, wie 2030-01-31 22:00.',
    'must be a date and time such as 2030-01-31 22:00.',
  ],
  // What is not known stays as it is.
  ['must form a cycle.', 'must form a cycle.'],
])('%s is in German: %s', (sentence, german, english = sentence) => {
  expect(apiSentence(sentence, de.sentences.ofApi)).toBe(german);
  expect(apiSentence(sentence, en.sentences.ofApi)).toBe(english);
});

test.each([
  ['url', 'url must be an address.', 'URL', 'URL must be an address.'],
  ['keywords.0.phrase', 'keywords.0.phrase is required.', 'Words 1', 'Words 1 is required.'],
  // Messages of the dashboard and of sign-in do not name their field.
  ['code', 'Invalid code.', 'Current code', 'Invalid code.'],
  ['url', 'urls are full.', 'URL', 'urls are full.'],
  ['secret', 'secret is not shown here.', '', 'secret is not shown here.'],
])('an error of %s, "%s", is by the label "%s": %s', (name, message, label, text) => {
  expect(withLabel(message, name, label)).toBe(text);
});
