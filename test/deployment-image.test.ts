import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BUILD_ONLY, prune } from '../scripts/slim-packages.ts';
import { freshDirectory } from './support/directories.ts';

/** Files of a folder, by their paths. */
function lay(folder: string, files: Record<string, object | string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
}

test('packages that running needs stay, wherever they lie; others go', async () => {
  const { place, remove } = await freshDirectory();
  lay(place, {
    'package.json': {
      dependencies: { server: '1', react: '1' },
      optionalDependencies: { node: '1' },
    },
    'node_modules/server/package.json': {
      dependencies: { '@scope/one': '1' },
      optionalDependencies: { absent: '1' },
      peerDependencies: { peer: '1', tests: '1' },
      peerDependenciesMeta: { tests: { optional: true } },
    },
    'node_modules/server/index.js': '',
    'node_modules/server/index.d.ts': '',
    'node_modules/server/index.js.map': '',
    'node_modules/@scope/one/package.json': { dependencies: { deep: '2' } },
    'node_modules/@scope/one/node_modules/deep/package.json': {},
    'node_modules/@scope/two/package.json': {},
    'node_modules/deep/package.json': {},
    'node_modules/peer/package.json': {},
    'node_modules/tests/package.json': {},
    'node_modules/node/package.json': {},
    'node_modules/react/package.json': { dependencies: { scheduler: '1' } },
    'node_modules/scheduler/package.json': {},
    'node_modules/.cache/tocsin-dashboard/build': '',
  });
  expect(prune(place, true)).toEqual(
    ['@scope/one', '@scope/one/node_modules/deep', 'node', 'peer', 'server'].toSorted(),
  );
  expect(globSync('**/*', { cwd: join(place, 'node_modules') }).toSorted()).toEqual([
    '@scope',
    '@scope/one',
    '@scope/one/node_modules',
    '@scope/one/node_modules/deep',
    '@scope/one/node_modules/deep/package.json',
    '@scope/one/package.json',
    'node',
    'node/package.json',
    'peer',
    'peer/package.json',
    'server',
    'server/index.js',
    'server/package.json',
  ]);
  expect(existsSync(join(place, 'node_modules/.cache/tocsin-dashboard/build'))).toBe(true);
  await remove();
});

test('only the build of the dashboard imports what the image leaves out', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(BUILD_ONLY.filter((name) => dependencies[name] === undefined)).toEqual([]);
  const isBuildOnly = new RegExp(
    `(?:from|import|require\\.resolve)\\W+(?:${BUILD_ONLY.join('|')})['/]`,
  );
  const files = globSync('src/**/*.{ts,js}', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => isBuildOnly.test(readFileSync(join(root, file), 'utf8')));
  expect(files.toSorted()).toEqual(['src/dashboard/bundle.ts', 'src/dashboard/words.ts']);
});
