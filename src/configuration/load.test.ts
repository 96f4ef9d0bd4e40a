import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { stringify } from 'yaml';
import { SECTIONS } from './document.ts';
import { loadConfiguration } from './load.ts';

function load(...texts: string[]) {
  return loadConfiguration(texts.map((text, index) => ({ name: `${'abc'[index]}.yaml`, text })));
}

function loaded(...texts: string[]) {
  const result = load(...texts);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result;
}

/** Errors as the command line prints them. */
function errorsOf(...texts: string[]): string[] {
  const result = load(...texts);
  if (!('errors' in result)) throw new Error('It was loaded.');
  return result.errors.map((e) => `${e.file}:${e.line}:${e.column}: ${e.message}`);
}

const SHOP = `# The shop.
name: shop
defaults:
  monitors:
    check_interval: 5
    settings: {a: 1, b: 2}
presets:
  base: {tags: [x, y], method: HEAD}
  web:
    extends: base
    type: http
    settings:
      b: 3
  slow: {check_interval: 30, method: null}
groups:
  - key: front
    name: Front
monitors:
  - key: home
    extends: [web, slow]
    url: https://example.com
    group_id: front
  - key: api
    extends: web
    tags: [z]
    check_interval: null
    request_headers: {env: staging}
    auth_password: {env: API_PASSWORD}
  - key: plain
    settings:
      deep: {file: secrets/token}
`;

describe('a document', () => {
  const { document, references, placeOf } = loaded(SHOP);
  const at = (path: string) => {
    const place = placeOf(path);
    return place === null ? null : `${place.file}:${place.line}:${place.column}`;
  };

  it('has the fields of defaults, presets and items, of which the last one wins', () => {
    expect(document).toEqual({
      name: 'shop',
      groups: [{ key: 'front', name: 'Front' }],
      monitors: [
        {
          key: 'home',
          check_interval: 30,
          settings: { a: 1, b: 3 },
          tags: ['x', 'y'],
          type: 'http',
          url: 'https://example.com',
          group_id: 'front',
        },
        {
          key: 'api',
          settings: { a: 1, b: 3 },
          tags: ['z'],
          method: 'HEAD',
          type: 'http',
          request_headers: { env: 'staging' },
          auth_password: { from: 'env API_PASSWORD' },
        },
        {
          key: 'plain',
          check_interval: 5,
          settings: { a: 1, b: 2, deep: { from: 'file secrets/token' } },
        },
      ],
    });
  });

  it('names its references, whose values belong into it', () => {
    expect(references).toEqual([
      {
        kind: 'env',
        target: 'API_PASSWORD',
        path: 'monitors.1.auth_password',
        place: { file: 'a.yaml', line: 28, column: 20 },
        secret: { from: 'env API_PASSWORD' },
      },
      {
        kind: 'file',
        target: 'secrets/token',
        path: 'monitors.2.settings.deep',
        place: { file: 'a.yaml', line: 31, column: 13 },
        secret: { from: 'file secrets/token' },
      },
    ]);
    expect(references[0]!.secret).toBe(document.monitors![1]!['auth_password']);
  });

  it.each([
    ['name', 'a.yaml:2:1'],
    ['monitors', 'a.yaml:18:1'],
    ['monitors.0', 'a.yaml:19:5'],
    ['monitors.0.key', 'a.yaml:19:5'],
    ['monitors.0.url', 'a.yaml:21:5'],
    ['monitors.0.tags', 'a.yaml:8:10'],
    ['monitors.0.tags.1', 'a.yaml:8:20'],
    ['monitors.0.check_interval', 'a.yaml:14:10'],
    ['monitors.0.settings.a', 'a.yaml:6:16'],
    ['monitors.0.settings.b', 'a.yaml:13:7'],
    ['monitors.0.not_written', 'a.yaml:19:5'],
    ['monitors.0.settings.not_written', 'a.yaml:12:5'],
    ['monitors.1.tags.5', 'a.yaml:25:5'],
    ['monitors.1.check_interval', 'a.yaml:26:5'],
    ['monitors.1.auth_password.value', 'a.yaml:28:5'],
    ['monitors.2.check_interval', 'a.yaml:5:5'],
    ['monitors.3', null],
    ['monitors.x', null],
    ['reports.0.name', null],
    ['constructor', null],
    ['', null],
  ])('knows where %s was written', (path, place) => {
    expect(at(path)).toBe(place);
  });

  it('is joined from several files, which share presets and defaults', () => {
    const all = loaded(
      'name: x\nmonitors: [{key: a, extends: p}]\nprune: true\nmax_deletions: 7',
      '\uFEFFname: x\r\npresets:\r\n  p: {type: http}\r\nmonitors:\r\n  - key: b\r\n',
      '{\n\t"defaults": {"monitors": {"port": 1}},\n\t"monitors": [{"key": "c"}]\n}',
    );
    expect(all.document).toEqual({
      name: 'x',
      monitors: [
        { key: 'a', type: 'http', port: 1 },
        { key: 'b', port: 1 },
        { key: 'c', port: 1 },
      ],
    });
    expect(all).toMatchObject({ prune: true, maxDeletions: 7 });
    expect(all.placeOf('monitors.1.key')).toEqual({ file: 'b.yaml', line: 5, column: 5 });
    expect(all.placeOf('monitors.2.port')).toEqual({ file: 'c.yaml', line: 2, column: 28 });
  });

  it('may have anchors, aliases and merge keys, each entry of which is found', () => {
    const { document: made, placeOf: where } = loaded(`name: x
x-web: &web {type: http, tags: &tags [a]}
x-more: &more
  <<: *web
  port: 2
monitors:
  - {<<: [*more, {port: 3, url: u}], key: a}
  - {key: b, tags: *tags}
`);
    expect(made.monitors).toEqual([
      { key: 'a', type: 'http', tags: ['a'], port: 2, url: 'u' },
      { key: 'b', tags: ['a'] },
    ]);
    expect(where('monitors.0.type')).toEqual({ file: 'a.yaml', line: 2, column: 14 });
    expect(where('monitors.0.url')).toEqual({ file: 'a.yaml', line: 7, column: 28 });
    expect(where('monitors.1.tags.0')).toEqual({ file: 'a.yaml', line: 2, column: 39 });
  });

  it('has empty lists where nothing stands below a section, and numbers as names of fields', () => {
    expect(
      loaded('name: x\nmonitors:\ngroups: []\ndefaults:\npresets:\nreports: [{key: a, 7: b}]')
        .document,
    ).toEqual({
      name: 'x',
      groups: [],
      monitors: [],
      reports: [{ key: 'a', 7: 'b' }],
    });
  });

  it('may have 20,000 items, as a server takes', () => {
    const items = '- {key: a}\n'.repeat(20_001);
    expect(errorsOf(`name: x\nmonitors:\n${items}`).at(-1)).toBe(
      'a.yaml:20003:3: The files have more than 20000 items. Divide them into several sets.',
    );
  });
});

const COLON =
  'The value has another ": " in it. Put a text that contains ": " in quotes, and begin all fields of an item in one column.';
const KEY_FORM =
  'must be text of at most 100 characters: letters a to z, digits, ".", "_" and "-", with a letter or digit at both ends';
const TOP = `name, defaults, presets, prune, max_deletions, ${SECTIONS.join(', ')}`;

describe('errors', () => {
  const deep = `${'['.repeat(70)}`;
  const bomb = [
    'x-0: &x0 [1]',
    ...Array.from({ length: 30 }, (_, i) => `x-${i + 1}: &x${i + 1} [${`*x${i},`.repeat(9)}]`),
  ].join('\n');
  const chain = [
    'x-0: &x0 [1]',
    ...Array.from({ length: 80 }, (_, i) => `x-${i + 1}: &x${i + 1} [*x${i}]`),
  ].join('\n');

  test.each<[title: string, text: string, ...errors: string[]]>([
    [
      'no file content',
      '',
      '1:1: The file is empty. Write a section, such as "monitors:", or remove the file.',
    ],
    [
      'only a comment',
      '# x\n',
      '1:1: The file is empty. Write a section, such as "monitors:", or remove the file.',
    ],
    [
      'a list',
      '- key: a',
      '1:1: The file must be a map that begins with "name:" or a section such as "monitors:".',
    ],
    [
      'no name',
      'monitors: []',
      '1:1: The set has no name. Write "name: my-services" at the top of a file.',
    ],
    [
      'a wrong name',
      'name: My Shop',
      '1:1: "name" must be text of at most 100 characters: letters a to z, digits and hyphens, with a letter or digit at both ends.',
    ],
    [
      'an unknown section',
      'name: x\nmonitor: []',
      `2:1: "monitor" is not known at the top of a file: it must be one of ${TOP} (did you mean monitors?).`,
    ],
    [
      'defaults of no section',
      'name: x\ndefaults: {monitor: {}}',
      `2:12: "monitor" is no section: it must be one of ${SECTIONS.join(', ')} (did you mean monitors?).`,
    ],
    [
      'defaults that are no map',
      'name: x\ndefaults: [1]',
      '2:1: "defaults" must be a map of sections.',
    ],
    [
      'defaults of a key',
      'name: x\ndefaults: {monitors: {key: a}}',
      '2:23: "key" belongs to an item. Remove it here.',
    ],
    [
      'a preset that is text',
      'name: x\npresets: {a: b}',
      '2:11: "presets.a" must be a map of fields.',
    ],
    [
      'a section that is a map',
      'name: x\nmonitors: {a: 1}',
      '2:1: "monitors" must be a list: begin each item with "- key: …".',
    ],
    [
      'an item that is text',
      'name: x\nmonitors: [a]',
      '2:12: An item of "monitors" must be a map that begins with "key:".',
    ],
    [
      'no key',
      'name: x\nmonitors:\n- url: a',
      '3:3: The item has no key. Write "key:" with a name that stays, such as "key: website".',
    ],
    [
      'a key that is a number',
      'name: x\nmonitors:\n- key: 5',
      '3:3: "key" must be text: put it in quotes.',
    ],
    ['a key of wrong form', 'name: x\nmonitors:\n- key: A b', `3:3: "key" ${KEY_FORM}.`],
    [
      'a key that stands twice',
      'name: x\nmonitors:\n- key: a\n- key: b\n- key: a',
      '5:3: The key "a" is used already in a.yaml, line 3, column 3. Keys of monitors must differ.',
    ],
    [
      'an unknown preset',
      'name: x\npresets: {web: {}}\nmonitors:\n- {key: a, extends: wbe}',
      '4:12: There is no preset "wbe" (did you mean web?). Presets are web.',
    ],
    [
      'a preset by a number',
      'name: x\nmonitors:\n- {key: a, extends: 5}',
      '3:12: "extends" must be the name of a preset, or a list of names.',
    ],
    [
      'a circle',
      'name: x\npresets:\n  a: {extends: b}\n  b: {extends: [c]}\n  c: {extends: a}',
      '5:7: These presets extend each other in a circle: a → b → c → a.',
    ],
    [
      'a preset of itself',
      'name: x\npresets:\n  a: {extends: a}',
      '3:7: These presets extend each other in a circle: a → a.',
    ],
    ['a wrong prune', 'name: x\nprune: yes', '2:1: "prune" must be true or false.'],
    [
      'a wrong number of deletions',
      'name: x\nmax_deletions: -1',
      '2:1: "max_deletions" must be a whole number, 0 or more.',
    ],
    [
      'a syntax error',
      'name: x\nmonitors: [a\nb: 1\n',
      '3:1: A list that begins with "[" ends with "]", which is missing before this.',
    ],
    ['a colon in a text', 'name: a: b', `1:7: ${COLON}`],
    [
      'a field that is indented more than its item',
      'name: x\nmonitors:\n  - key: a\n     url: b\n',
      `3:10: ${COLON}`,
    ],
    [
      'a key without a colon',
      'name: x\nmonitors:\n  - key: a\n    url b\n    port: 1\n',
      '4:5: This is no "key: value". Write a colon and a space after the key.',
    ],
    [
      'a tab',
      'name: x\nmonitors:\n\t- key: a',
      '3:1: A tab indents this line. Indent with spaces.',
    ],
    [
      'a tab before more lines',
      'name: x\nmonitors:\n  - key: a\n\tfriendly_name: A\n    url: b\n',
      '4:1: A tab indents this line. Indent with spaces.',
    ],
    [
      'fields that are not indented like their item',
      'name: x\nmonitors:\n - key: a\n  url: b\n',
      '4:1: A list ends in this column. Begin its items with "- " there, and indent the fields of an item by two spaces more.',
    ],
    [
      'a quote that is not closed',
      'name: x\nmonitors:\n  - key: a\n    friendly_name: "A\n    url: b\n',
      '4:20: The quote that begins here is not closed.',
    ],
    ['a tag', 'name: !ref x', '1:7: Tags, such as !name, are not understood here. Remove it.'],
    [
      'a key twice in a map',
      'name: x\nmonitors:\n- key: a\n  url: 1\n  url: 2',
      '5:3: The key "url" stands twice in this map, first in line 4, column 3.',
    ],
    [
      'two documents',
      'name: x\n---\nname: y',
      '2:1: A second document begins here. Put it into a file of its own.',
    ],
    [
      '__proto__',
      'name: x\nmonitors: [{key: a, __proto__: {b: 1}}]',
      '2:21: The key __proto__ is not allowed.',
    ],
    ['a list as a key', 'name: x\n? [a]\n: b', '2:3: A key must be text.'],
    ['an unknown alias', 'name: *x', '1:7: *x is not known: write &x above, where it is defined.'],
    ['an alias of itself', 'name: x\nx-a: &a [*a]', '2:10: *a contains itself.'],
    [
      'a merge of text',
      'name: x\nx-a: {<<: a}',
      '2:11: << must name a map, or a list of maps, such as "<<: *defaults".',
    ],
    ['infinity', 'name: x\nmonitors: [{key: a, n: .inf}]', '2:24: A number must be finite.'],
    [
      'a number too large to be exact',
      'name: x\nmonitors: [{key: a, n: 12345678901234567890}]',
      '2:24: This number is too large to be exact. If it is a name, put it in quotes.',
    ],
    [
      'a control character',
      'name: x\ny: a\0b',
      "2:5: The character U+0000 can't stand in a file. Save the file as text in UTF-8, and write the character as an escape in double quotes.",
    ],
    [
      'deep nesting',
      `name: x\nx-a: ${deep}`,
      '2:71: Lists and maps are nested more than 64 deep here.',
    ],
    [
      'deep aliases',
      `name: x\n${chain}\nmonitors: [{key: a, b: *x80}]`,
      '83:12: Its aliases and presets make this item more than 64 deep.',
    ],
    [
      'a bomb of aliases',
      `name: x\n${bomb}\nmonitors: [{key: a, b: *x30}]`,
      '33:12: All files together have more than 3000000 values, or repeat them by aliases and presets. Divide them into several sets.',
    ],
    [
      'a reference to two things',
      'name: x\nmonitors: [{key: a, b: {env: A, file: b}}]',
      '2:24: Name either "env" or "file", not both.',
    ],
    [
      'a reference to a wrong variable',
      'name: x\nmonitors: [{key: a, b: {env: A-B}}]',
      '2:24: "env" must be the name of a variable: letters, digits and underscores.',
    ],
    [
      'a reference to a number',
      'name: x\nmonitors: [{key: a, b: {file: 5}}]',
      '2:24: "file" must be the path of a file.',
    ],
    [
      'several errors in their order',
      'name: x\nmonitors: [{}]\nfoo: 1\ngroups: [{}]',
      '2:12: The item has no key. Write "key:" with a name that stays, such as "key: website".',
      `3:1: "foo" is not known at the top of a file: it must be one of ${TOP}.`,
      '4:10: The item has no key. Write "key:" with a name that stays, such as "key: website".',
    ],
  ])('%s', (_title, text, ...errors) => {
    expect(errorsOf(text)).toEqual(errors.map((error) => `a.yaml:${error}`));
  });

  test('name both files', () => {
    expect(
      errorsOf(
        'name: x\npresets: {p: {}}\ndefaults: {monitors: {a: 1}}\nmonitors: [{key: a}]',
        'name: y\npresets: {p: {}}\ndefaults: {monitors: {a: 1}}\nmonitors: [{key: a}]',
      ),
    ).toEqual([
      'b.yaml:1:1: "name" differs from the one in a.yaml, line 1, column 1. Files of one set have the same.',
      'b.yaml:2:11: "presets.p" stands already in a.yaml, line 2, column 11.',
      'b.yaml:3:12: "defaults.monitors" stands already in a.yaml, line 3, column 12.',
      'b.yaml:4:13: The key "a" is used already in a.yaml, line 4, column 13. Keys of monitors must differ.',
    ]);
  });

  test('are at most 100', () => {
    expect(errorsOf(`name: x\nmonitors:\n${'- {}\n'.repeat(500)}`)).toHaveLength(100);
  });

  test('of a file beyond 10 MiB', () => {
    expect(errorsOf(`#${'x'.repeat(10 * 1024 * 1024)}`)).toEqual([
      'a.yaml:1:1: The file has more than 10 MiB. Divide it into several files.',
    ]);
  });

  test.each([
    ['directives', '%A b\n'.repeat(20_000)],
    ['aliases', '*a\n'.repeat(20_000)],
    ['quotes', '"'.repeat(20_000)],
    ['documents', '---\n'.repeat(20_000)],
    ['keys', 'a: 1\n'.repeat(5_000)],
  ])('of a flood of %s are few, and found at once', (_title, text) => {
    const { length } = errorsOf(text);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(100);
  });
});

const key = fc.stringMatching(/^[a-z0-9]([a-z0-9._-]{0,8}[a-z0-9])?$/);
const field = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((name) => !['key', 'extends', '__proto__', 'env', 'file', '<<'].includes(name));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'yes',
      'null',
      '1e3',
      '~',
      '- a',
      'a: b',
      '#',
      '',
      ' x ',
      '\u{1f600}',
      'a\nb\n',
      '\r\n',
      '012',
      '<<',
    ),
    fc.integer(),
    fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(field, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const documents = fc.record(
  {
    name: fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/),
    ...Object.fromEntries(
      SECTIONS.map((section) => [
        section,
        fc.uniqueArray(
          fc
            .tuple(key, fc.dictionary(field, value, { maxKeys: 4, noNullPrototype: true }))
            .map(([name, fields]) => ({ key: name, ...fields })),
          { maxLength: 3, selector: (item) => item.key },
        ),
      ]),
    ),
  },
  { requiredKeys: ['name'] },
);
const style = fc.record({
  indentSeq: fc.boolean(),
  // Its style "block" prints empty lists that are no YAML.
  collectionStyle: fc.constantFrom('flow', 'any'),
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL'),
  lineWidth: fc.constantFrom(0, 40),
  aliasDuplicateObjects: fc.boolean(),
  // With 4, it prints block literals that begin with a space wrongly.
  indent: fc.constant(2),
});

test('a document is the same in each style of YAML and in JSON [39.71]', () => {
  fc.assert(
    fc.property(
      documents,
      style,
      fc.boolean(),
      (document, { collectionStyle, ...options }, isJson) => {
        const text = isJson
          ? JSON.stringify(document, null, options.indent)
          : stringify(document, { ...options, collectionStyle } as object);
        expect(loaded(text).document).toEqual(document);
      },
    ),
    { numRuns: 100 },
  );
});

test('whatever is changed in a file, there is a result, or there are errors with a place [39.71]', () => {
  const change = fc.record({
    at: fc.nat(SHOP.length),
    remove: fc.nat(8),
    insert: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom(
        '\t',
        '\0',
        '\r',
        '\uFEFF',
        '\ud800',
        '&a ',
        '*a',
        '<<: ',
        '---\n',
        '[',
        '{',
        '"',
        "'",
        '|',
        ': ',
        '? ',
        '!',
        '%',
        '@',
        '- ',
      ),
    ),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const text = changes.reduce(
        (all, { at, remove, insert }) => all.slice(0, at) + insert + all.slice(at + remove),
        SHOP,
      );
      const result = load(text);
      if (!('errors' in result)) {
        expect(result.placeOf('monitors.0.url.x')).not.toBeUndefined();
        return;
      }
      expect(result.errors).not.toEqual([]);
      const lines = text.split('\n');
      for (const { file, line, column, message } of result.errors) {
        expect(file).toBe('a.yaml');
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
        expect(message).toMatch(/\.$/);
      }
    }),
    { numRuns: 500 },
  );
});
