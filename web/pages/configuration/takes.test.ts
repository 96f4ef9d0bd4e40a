import { expect, test } from 'vitest';
import { IMPORTERS } from '../../app/importers.gen.ts';
import { de } from '../../words/de.ts';
import { en } from '../../words/en.ts';

/** Files, addresses and parameters, such as `/v1/uptime/ID`, `blackbox.yml` and `alert_contacts=1`. */
const NAMES = /(?:https:\/)?\/[\w./-]*\w(?:\?\w+=\d+)?|\w+[._]\w+(?:=\d+)?/g;

test.each(IMPORTERS)('German words name all files and addresses of $title', ({ name, takes }) => {
  const english = en.imports.takes[name] ?? takes;
  const german = de.imports.takes[name]!.match(NAMES) ?? [];
  expect(german).toEqual(expect.arrayContaining(english.match(NAMES) ?? []));
});
