import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOG_AREAS, LOG_FIELDS } from './log-messages.ts';

const SOURCE = new URL('../', import.meta.url);

/** The program's text without tests and without the table itself. */
const text = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|log-messages\.ts$/.test(name))
  .map((name) => readFileSync(new URL(name, SOURCE), 'utf8'))
  .join('\n');

const entries = Object.values(LOG_AREAS).flatMap((area) => Object.entries(area));

test('each message of the table is logged somewhere; the types know those that are not in it [39.38]', () => {
  const unused = entries.filter(([message]) => !text.includes(message.replace('…', '')));
  expect(unused).toEqual([]);
});

test('each field has a meaning, and none has one in vain', () => {
  const used = new Set(
    entries.flatMap(([, { fields }]) => fields.replaceAll('?', '').split(' ').filter(Boolean)),
  );
  expect([...used].toSorted()).toEqual(Object.keys(LOG_FIELDS).toSorted());
});

test('messages are sentences, and fields are in snake case', () => {
  for (const [message, { fields }] of entries) {
    expect(message).toMatch(/^[A-Z].*[.…]$/);
    expect(fields).toMatch(/^(([a-z]+(_[a-z]+)*)\??( |$))*$/);
  }
});
