import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useServices } from '../support/service.ts';

const services = useServices();
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the tree whose packages are links, so that its own `node_modules/.cache` is empty and can be spoiled. */
async function copyOfTree() {
  const place = await services.folder();
  const packages = path.join(place, 'node_modules');
  for (const name of ['src', 'package.json', 'openapi.json'])
    cpSync(path.join(ROOT, name), path.join(place, name), { recursive: true });
  mkdirSync(packages);
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(packages, name));
  return {
    program: path.join(place, 'src/start.js'),
    cache: path.join(packages, '.cache'),
    beside: path.join(packages, '.cache/tocsin-modules'),
    dataDir: path.join(place, 'data'),
  };
}

type Tree = Awaited<ReturnType<typeof copyOfTree>>;

/** The process ends when the modules that read its settings are loaded. */
const UNUSABLE = { PORT: 'none', NODE_COMPILE_CACHE: undefined };

/** Number of compiled modules in a folder. */
const storedIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        .length
    : 0;

/** More than the start itself loads, and fewer than those that read the settings. */
const SOME = 30;
/** Fewer than the modules of a server. */
const MANY = 300;

async function startOnce({ program, dataDir }: Tree, environment = {}) {
  const { code, stdout, stderr } = await services.run(
    { ...UNUSABLE, DATA_DIR: dataDir, ...environment },
    program,
  );
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^PORT .+ must be .+\.\n$/),
  ]);
}

test('the first start stores compiled modules beside the packages, also for its probes', async () => {
  const tree = await copyOfTree();
  const environment = { NODE_COMPILE_CACHE: undefined, DATA_DIR: tree.dataDir };
  const service = await services.start(environment, null, tree.program);
  const probes = await service.probes();
  expect(probes.length).toBeGreaterThan(0);
  for (const pid of probes) {
    const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
    expect(variables).toContain(`NODE_COMPILE_CACHE=${tree.beside}`);
  }
  await service.stop();
  expect(storedIn(tree.beside)).toBeGreaterThan(MANY);
  expect(existsSync(path.join(tree.dataDir, 'modules'))).toBe(false);
});

test('or in the data folder, where that can not be written', async () => {
  const tree = await copyOfTree();
  // Unlike permissions, a file in the place of a folder stops root, too.
  writeFileSync(tree.cache, '');
  await startOnce(tree);
  expect(storedIn(path.join(tree.dataDir, 'modules'))).toBeGreaterThan(SOME);
});

test('or in the folder that NODE_COMPILE_CACHE names', async () => {
  const tree = await copyOfTree();
  const chosen = path.join(tree.dataDir, 'chosen');
  await startOnce(tree, { NODE_COMPILE_CACHE: chosen });
  expect(storedIn(chosen)).toBeGreaterThan(SOME);
  expect(readdirSync(tree.dataDir)).toEqual(['chosen']);
  expect(existsSync(tree.cache)).toBe(false);
});

test.each([
  ['below a file', ({ program }: Tree) => path.join(program, 'data')],
  ['in /proc', () => '/proc/none'],
])(
  'without a place the start goes on, and ends with what is wrong with the folder: %s',
  async (_where, dataDirOf) => {
    const tree = await copyOfTree();
    writeFileSync(tree.cache, '');
    const DATA_DIR = dataDirOf(tree);
    const { code, stdout, stderr } = await services.run(
      { NODE_COMPILE_CACHE: undefined, DATA_DIR },
      tree.program,
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(`The folder ${DATA_DIR} can't hold the data`);
    expect(stdout).toContain('or set DATA_DIR.');
  },
);
