import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { releasePackage } from '../scripts/release-package.ts';

const { texts, manifest, imported } = releasePackage(fileURLToPath(new URL('..', import.meta.url)));
const names = [...texts.keys()];

test('the package has its entries, programs of children and threads, and files that are read', () => {
  expect(names).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/tocsin',
      'examples/tocsin-run',
      'openapi.json',
      'src/api/pages/browser/service-worker.js',
      'src/api/reference/renderer.js',
      'src/cli.js',
      'src/identity/password-strength-worker.js',
      'src/main.js',
      'src/probe/agent/child.js',
      'src/probe/content/content-worker.js',
      'src/probe/registration/rdap-servers.txt',
      'src/report/pdf/program.js',
      'src/start.js',
      'src/status-page/render/browser/live.js',
      'src/status-page/render/style.css',
      'src/status-page/text/image-program.js',
      'src/store/database/scan-thread.js',
      'src/tocsin.js',
      'web/style/tokens.css',
    ]),
  );
});

test('the package has no TypeScript, no tests, no sources of the dashboard', () => {
  const strange = names.filter((name) =>
    /\.tsx?$|\.map$|\.test\.|^test\/|bundle|fixtures/.test(name),
  );
  expect(strange).toEqual([]);
  expect(names.filter((name) => name.startsWith('web/'))).toEqual(['web/style/tokens.css']);
});

test('every import of the package leads to one of its files', () => {
  const broken = names
    .filter((name) => name.endsWith('.js') && name.startsWith('src/'))
    .flatMap((name) =>
      [...texts.get(name)!.matchAll(/^(?:import|export|\} from)\b[^'\n]*'(\.\.?\/[^']+)'/gm)]
        .map(([, specifier]) => path.join(path.dirname(name), specifier!))
        .filter((target) => !texts.has(target))
        .map((target) => `${name}: ${target}`),
    );
  expect(broken).toEqual([]);
});

test('its manifest names what it imports, and nothing that only develops or builds', () => {
  expect([...imported].filter((name) => manifest.dependencies[name] === undefined)).toEqual([]);
  expect(manifest.dependencies).not.toHaveProperty('esbuild');
  expect(
    Object.values(manifest.dependencies).filter((one) => !/^\d+\.\d+\.\d+$/.test(one)),
  ).toEqual([]);
  expect(Object.keys(manifest).toSorted()).toEqual([
    'bin',
    'dependencies',
    'description',
    'engines',
    'license',
    'name',
    'os',
    'type',
    'version',
  ]);
});

test('it speaks of its own command', () => {
  const words = [...texts].filter(([name]) => name !== 'README.md');
  expect(
    words.filter(([, text]) => /npm (?:start|run tocsin)/.test(text)).map(([name]) => name),
  ).toEqual([]);
  expect(texts.get('src/operator/command-line.js')).toContain('Usage: tocsin COMMAND');
  expect(texts.get('src/start.js')).toContain('Use "npx -p node@24 -p tocsin tocsin"');
});
