import { expect, test } from 'vitest';
import { buildPlaces, ensureBuild } from './builds.ts';
import { DOCUMENTS, LANGUAGES, type Manifest } from './manifest.ts';
import { firstScriptBytes, MAX_FIRST_SCRIPT_BYTES, sizeReport } from './size-report.ts';

const file = (name: string, bytes: number, gzip?: number) => ({
  name,
  type: '',
  bytes,
  encoded: gzip === undefined ? {} : { gzip },
});

const MANIFEST: Manifest = {
  documents: {
    en: {
      dashboard: { script: 'main.js', preloads: ['chunk.js'], styles: ['main.css'] },
      entry: { script: 'entry.js', preloads: ['chunk.js'], styles: [] },
    },
    de: {
      dashboard: { script: 'chunk.js', preloads: [], styles: [] },
      entry: { script: 'chunk.js', preloads: [], styles: [] },
    },
  },
  files: [
    file('chunk.js', 5_000, 2_000),
    file('entry.js', 6_000, 3_000),
    file('inter.woff2', 40_000),
    file('late.js', 3_000, 1_000),
    file('main.css', 900, 300),
    file('main.js', 90_000, 30_000),
  ],
};

test('the report has the first view of each document before the rest, the largest file first', () => {
  expect(firstScriptBytes(MANIFEST, 'en', 'dashboard')).toBe(32_000);
  expect(firstScriptBytes(MANIFEST, 'en', 'entry')).toBe(5_000);
  expect(sizeReport(MANIFEST).split('\n')).toEqual([
    'First view of dashboard (en): 32,300 B, of which scripts 32,000 B of at most 104,000 B',
    '    30,000 B  main.js',
    '     2,000 B  chunk.js',
    '       300 B  main.css',
    'First view of entry (en): 5,000 B, of which scripts 5,000 B of at most 80,000 B',
    '     3,000 B  entry.js',
    '     2,000 B  chunk.js',
    'First view of dashboard (de): 2,000 B, of which scripts 2,000 B of at most 104,000 B',
    '     2,000 B  chunk.js',
    'First view of entry (de): 2,000 B, of which scripts 2,000 B of at most 80,000 B',
    '     2,000 B  chunk.js',
    'Loaded when needed: 41,000 B',
    '    40,000 B  inter.woff2',
    '     1,000 B  late.js',
  ]);
});

test.each(LANGUAGES)(
  'the first view of each document in %s keeps to its limit',
  async (language) => {
    const { manifest } = await ensureBuild(buildPlaces(null), new AbortController().signal);
    for (const name of DOCUMENTS) {
      const bytes = firstScriptBytes(manifest, language, name);
      expect([name, bytes <= MAX_FIRST_SCRIPT_BYTES[name]], sizeReport(manifest)).toEqual([
        name,
        true,
      ]);
    }
  },
);

test('React is one file for both documents in all languages', async () => {
  const { manifest } = await ensureBuild(buildPlaces(null), new AbortController().signal);
  const views = LANGUAGES.flatMap((language) =>
    DOCUMENTS.map((name) => new Set(manifest.documents[language][name].preloads)),
  );
  const largest = manifest.files
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((one, other) => (other.bytes > one.bytes ? other : one));
  expect(views.every((names) => names.has(largest.name))).toBe(true);
});
