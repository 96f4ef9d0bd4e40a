import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { acceptedPlan } from '../../../test/support/accepted.ts';
import { openApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { SECTIONS } from '../document.ts';
import { writeConfiguration } from '../write.ts';
import { ImportError, type Imported, type Importer } from './importer.ts';
import { IMPORTERS } from './index.ts';
import { parseJsonPages } from './sources.ts';

const FOLDER = new URL('./fixtures/', import.meta.url);
const NOW = Date.UTC(2030, 0, 1);

/** Files of other services with neutral facts, by the name of their importer. */
const FIXTURES = readdirSync(FOLDER).map((file) => {
  const importer = IMPORTERS.find(({ name }) => file.startsWith(name));
  if (importer === undefined) throw new Error(`No importer reads ${file}.`);
  return { file, importer, text: readFileSync(new URL(file, FOLDER), 'utf8') };
});

const opened = openInMemory().then((database) => openApi(database, { allowHttpWebhooks: true }));

describe.each(FIXTURES)('$file', ({ file, importer, text }) => {
  const { document, report } = importer.read({ file, text, now: NOW });

  test('becomes a set that the API plans', async () => {
    const { changes } = await acceptedPlan(await opened, document);
    const items = SECTIONS.flatMap((section) => document[section] ?? []);
    expect(changes.map(({ action }) => action)).toEqual(items.map(() => 'create'));
  });

  test('has a line in the report for each of its things', () => {
    const reported = report.flatMap(({ item }) => item ?? []);
    const isReported = (section: string, key: string) =>
      reported.some((item) => item.section === section && item.key === key);
    for (const { section, key } of reported)
      expect(
        document[section]?.some((item) => item.key === key),
        key,
      ).toBe(true);
    for (const { key } of document.monitors ?? [])
      expect(isReported('monitors', key), key).toBe(true);
    for (const { outcome, item, notes } of report) {
      expect(item === null).toBe(outcome === 'left_out');
      expect(notes.length > 0 || outcome === 'imported').toBe(true);
      for (const sentence of notes) expect(sentence).toMatch(/^[A-Z"\d].*\.$/);
    }
  });

  test('is refused where it holds something else', () => {
    for (const other of ['', '\0', '{}', '[{}]', '{"a":', 'null', '"text"', '<html></html>'])
      expect(resultOf(importer, other)).toBeInstanceOf(ImportError);
  });
});

/** What comes of a text; throws what is no ImportError. */
function resultOf(importer: Importer, text: string): Imported | ImportError {
  try {
    return importer.read({ file: 'file', text, now: NOW });
  } catch (error) {
    if (error instanceof ImportError) return error;
    throw error;
  }
}

const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'true',
  'x'.repeat(3_000),
  '\0',
  '\ud800',
  '\u202e',
  '__proto__',
];
const ODD_PLACES = ['https://a:b@c', 'http://[::1]:99999/', '2030-13-45T99:99', '99:99'];
const ODD_NUMBERS = [0, -1, 1.5, 1e300, 253_402_300_800];
const ODD_TREES: unknown[] = [[], {}, [null], { a: { b: {} } }, ['x', 1, {}]];
const ODD: unknown[] = [
  null,
  true,
  false,
  ...ODD_TEXTS,
  ...ODD_PLACES,
  ...ODD_NUMBERS,
  ...ODD_TREES,
];

/** Values that a field may hold in a broken file. */
const odd = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The documents of a fixture in JSON or YAML; in a `.txt`, answers in JSON stand one after another. */
function documentsOf({ file, text }: { file: string; text: string }): unknown[] {
  if (/\.(?:json|txt)$/.test(file)) return parseJsonPages({ file, text, now: NOW }, '');
  const documents = parseAllDocuments(text, { merge: true });
  return Array.isArray(documents) ? documents.map((document) => document.toJS() as unknown) : [];
}

/** Texts of a fixture with odd values in place of some of its own. */
function broken(fixture: { file: string; text: string }): fc.Arbitrary<string> {
  const documents = JSON.stringify(documentsOf(fixture));
  const separator = /\.(?:json|txt)$/.test(fixture.file) ? '\n' : '\n---\n';
  const places = pathsOf(JSON.parse(documents)).filter(({ length }) => length > 1);
  const changes = fc.array(fc.tuple(fc.nat(places.length - 1), odd), {
    minLength: 1,
    maxLength: 8,
  });
  return changes.map((list) => {
    const copy = JSON.parse(documents) as unknown[];
    for (const [place, value] of list) put(copy, places[place]!, structuredClone(value));
    return copy.map((document) => JSON.stringify(document)).join(separator);
  });
}

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = names.flatMap((name) =>
    pathsOf((value as Record<string | number, unknown>)[name], [...path, name]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function put(tree: unknown, path: Path, value: unknown): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], tree);
  if (typeof parent === 'object' && parent !== null)
    (parent as Record<string | number, unknown>)[path.at(-1)!] = value;
}

const BREAKABLE = FIXTURES.filter(({ file }) => /\.(?:json|txt|ya?ml)$/.test(file));

test.each(BREAKABLE)('$file, broken, has no other error', (fixture) => {
  fc.assert(
    fc.property(broken(fixture), (text) => void resultOf(fixture.importer, text)),
    { numRuns: 80 },
  );
});

// What an export of ours holds is as the API took it, so that a broken one is not looked at again.
test.each(BREAKABLE.filter(({ importer }) => importer.name !== 'tocsin'))(
  '$file, broken, becomes a set that the API plans, or is refused',
  async (fixture) => {
    const api = await opened;
    await fc.assert(
      fc.asyncProperty(broken(fixture), async (text) => {
        const result = resultOf(fixture.importer, text);
        if (!(result instanceof ImportError)) await acceptedPlan(api, result.document);
      }),
      { numRuns: 8 },
    );
  },
);

test.each(IMPORTERS)('$name takes random texts, or refuses them by an ImportError', (importer) => {
  const { text } = FIXTURES.find((fixture) => fixture.importer === importer)!;
  const cut = fc.tuple(
    fc.nat(text.length),
    fc.nat(20),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    cut.map(([at, length, more]) => text.slice(0, at) + more + text.slice(at + length)),
    fc
      .array(fc.array(fc.string(), { maxLength: 5 }))
      .map((rows) => rows.map((row) => row.join(',')).join('\n')),
  );
  fc.assert(
    fc.property(texts, (given) => void resultOf(importer, given)),
    { numRuns: 100 },
  );
});

test.each([
  [
    'blackbox',
    'scrape_configs: [{job_name: web, params: {module: [http_2xx]}, static_configs: [{targets: ["https://ann:s3cret@example.com"]}]}]',
  ],
  [
    'uptimerobot',
    'URL,Type,Alert contact\nhttps://ann:s3cret@example.com,HTTP,https://hooks.slack.com/services/T0/B0/s3cret',
  ],
  [
    'uptimerobot',
    JSON.stringify({
      id: 1,
      friendlyName: null,
      type: 1,
      url: 'https://example.com',
      alert_contacts: [{ id: 7, value: 'https://hooks.slack.com/services/T0/B0/s3cret' }],
    }),
  ],
  [
    'better-stack',
    JSON.stringify({
      data: { id: 1, type: 'monitor', attributes: { url: 'https://ann:s3cret@example.com' } },
    }),
  ],
  [
    'statuscake',
    JSON.stringify({
      data: {
        test_type: 'HTTP',
        website_url: 'https://ann:s3cret@example.com',
        custom_header: 'Authorization: s3cret',
      },
    }),
  ],
  [
    'checkly',
    JSON.stringify({
      checkType: 'API',
      request: {
        url: 'https://example.com',
        basicAuth: { username: '{{USER}}', password: 's3cret' },
      },
    }),
  ],
])('%s: no secret stands in a name, a setting or the report', (service, text) => {
  const importer = IMPORTERS.find(({ name }) => name === service)!;
  const { document, report } = resultOf(importer, text) as Imported;
  expect(document.monitors).toHaveLength(1);
  expect(writeConfiguration(document).text + JSON.stringify(report)).not.toContain('s3cret');
});

test('a file with more things than a set may have is refused', () => {
  const checks = Array.from({ length: 20_001 }, () => ({ name: 'Same', grace: 60, timeout: 60 }));
  const importer = IMPORTERS.find(({ name }) => name === 'healthchecks')!;
  expect(resultOf(importer, JSON.stringify({ checks }))).toMatchObject({
    message: 'The file holds more than 20000 things, and a set may have no more: give it in parts.',
  });
  const { document } = resultOf(importer, JSON.stringify(checks.slice(1))) as Imported;
  expect(new Set(document.monitors!.map(({ key }) => key)).size).toBe(20_000);
});
