import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { readConfiguration } from './files.ts';

/** Reads files of a folder of its own, and shows it without the name of that folder. */
async function settle(files: Record<string, string | Buffer>) {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  const root = fresh.place;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  const read = async (
    names: string[],
    environment: Record<string, string | undefined> = {},
    allowsOutsideFiles = false,
  ) => {
    const paths = names.map((name) => path.join(root, name));
    const result = await readConfiguration(paths, { environment, allowsOutsideFiles });
    if (!('errors' in result)) return result.document;
    return result.errors.map(({ file, line, column, message }) =>
      `${file}:${line}:${column}: ${message}`.replaceAll(`${root}/`, ''),
    );
  };
  return { root, read };
}

test('a folder is read with all below it, in the order of names, without hidden files', async () => {
  const { root, read } = await settle({
    'set/b.yml': 'monitors: [{key: b}]',
    'set/a.yaml': 'name: x\nmonitors: [{key: a}]',
    'set/a/c.json': '{"monitors": [{"key": "c"}]}',
    'set/.hidden.yaml': 'foo',
    'set/.git/x.yaml': 'foo',
    'set/notes.txt': 'foo',
    'set/..data/d.yaml': 'monitors: [{key: d}]',
    'more.yaml': 'monitors: [{key: e}]',
  });
  await symlink('..data/d.yaml', path.join(root, 'set/d.yaml'));
  await symlink('..', path.join(root, 'set/up'));
  expect(await read(['set', 'more.yaml', 'set/b.yml'])).toEqual({
    name: 'x',
    monitors: ['c', 'a', 'b', 'd', 'e'].map((key) => ({ key })),
  });
});

test('what can not be read is an error of its file', async () => {
  const { root, read } = await settle({
    'empty/notes.txt': '',
    'links/a.yaml': 'name: x',
    'wide.yaml': Buffer.from('name: x\ny: "ü\xff', 'latin1'),
    'utf16.yaml': Buffer.from('\ufeffname: x', 'utf16le'),
    'big.yaml': Buffer.alloc(10 * 1024 * 1024 + 1, '#'),
    'good.yaml': 'name: x',
  });
  await symlink('/etc/passwd', path.join(root, 'links/b.yaml'));
  await symlink('circle.yaml', path.join(root, 'circle.yaml'));
  const table: [string[], string[]][] = [
    [['nowhere.yaml'], ['nowhere.yaml:1:1: This does not exist.']],
    [['good.yaml/x'], ['good.yaml/x:1:1: A part of this path is no folder.']],
    [['empty'], ['empty:1:1: The folder has no files that end in .yaml, .yml or .json.']],
    [
      ['links'],
      ['links/b.yaml:1:1: This link leads out of the folder. Put the file itself there.'],
    ],
    [['circle.yaml'], ['circle.yaml:1:1: This link leads in a circle.']],
    [['wide.yaml'], ['wide.yaml:2:5: This is not UTF-8. Save the file as text in UTF-8.']],
    [['utf16.yaml'], ['utf16.yaml:1:1: This is not UTF-8. Save the file as text in UTF-8.']],
    [['big.yaml'], ['big.yaml:1:1: The file has more than 10240 KiB.']],
  ];
  for (const [names, errors] of table) expect(await read(names), names[0]).toEqual(errors);
  expect(await readConfiguration(['/dev/zero'], { environment: {} })).toEqual({
    errors: [{ file: '/dev/zero', line: 1, column: 1, message: 'This is no file.' }],
  });
});

test('secrets get the values of variables and files, without the last line end', async () => {
  const { read } = await settle({
    'set/sub/a.yaml': `name: x
monitors:
  - key: a
    one: {env: ONE}
    none: {env: toString}
    empty: {env: EMPTY}
    file: {file: ../secrets/token}
    lines: {file: ../secrets/lines}
    gone: {file: ../secrets/gone}
`,
    'set/secrets/token': 'value\r\n',
    'set/secrets/lines': 'a\nb\n\n',
  });
  expect(await read(['set'], { ONE: 'value', EMPTY: '' })).toEqual({
    name: 'x',
    monitors: [
      {
        key: 'a',
        one: { from: 'env ONE', value: 'value' },
        none: { from: 'env toString' },
        empty: { from: 'env EMPTY' },
        file: { from: 'file ../secrets/token', value: 'value' },
        lines: { from: 'file ../secrets/lines', value: 'a\nb\n' },
        gone: { from: 'file ../secrets/gone' },
      },
    ],
  });
});

const outside = (file: string) =>
  `The file "${file}" is outside of set. Move it there; commands take it with --outside-files, too.`;

test('a secret is not read outside of the folder, unless it is allowed [39.73]', async () => {
  const { root, read } = await settle({
    'set/a.yaml': 'name: x\nmonitors: [{key: a, b: {file: ../token}}]',
    'set/gone.yaml': 'name: x\nmonitors: [{key: a, b: {file: ../gone}}]',
    'set/link.yaml': 'name: x\nmonitors: [{key: a, b: {file: link}}]',
    'set/folder.yaml': 'name: x\nmonitors: [{key: a, b: {file: .}}]',
    'set/big.yaml': 'name: x\nmonitors: [{key: a, b: {file: big}}]',
    'set/nul.yaml': 'name: x\nmonitors: [{key: a, b: {file: "a\\0b"}}]',
    'set/big': 'x'.repeat(64 * 1024 + 1),
    token: 'value',
  });
  await symlink('../token', path.join(root, 'set/link'));
  const table: [string, string][] = [
    ['set/a.yaml', outside('../token')],
    ['set/gone.yaml', outside('../gone')],
    ['set/link.yaml', outside('link')],
    ['set/folder.yaml', `The file "." can't be read: This is no file.`],
    ['set/big.yaml', `The file "big" can't be read: The file has more than 64 KiB.`],
    ['set/nul.yaml', "This can't be read (ERR_INVALID_ARG_VALUE)."],
  ];
  for (const [name, message] of table)
    expect(await read([name]), name).toEqual([`${name}:2:24: ${message}`]);
  expect(await read(['set/a.yaml'], {}, true)).toMatchObject({
    monitors: [{ b: { from: 'file ../token', value: 'value' } }],
  });
});
