/**
 * What the package for npm holds: JavaScript, since Node strips no types below `node_modules`, and only what the program reaches
 * from its two entries by imports and by `new URL('…', import.meta.url)`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { BUILD_ONLY } from './slim-packages.ts';

/** A package before it is packed. */
export interface ReleasePackage {
  manifest: Manifest;
  /** Contents by their paths in the package, without manifest, lock file and dashboard. */
  texts: ReadonlyMap<string, string>;
  /** Packages that the program imports. */
  imported: ReadonlySet<string>;
}

export interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  [field: string]: unknown;
}

const ENTRIES = ['bin/tocsin', 'src/start.js', 'src/tocsin.js'];
/** What people read first, as the package shows it. */
const README = 'docs/install/npm.md';
/** The builder of the dashboard, which comes built. */
const LEFT_OUT = new Set(['bundle', 'program', 'words'].map((name) => `src/dashboard/${name}.ts`));
/** What the manifest of a package says, of what that of the source says. */
const KEPT_FIELDS = ['name', 'version', 'description', 'license', 'type', 'bin', 'engines'];

/** Specifiers of imports and exports, of `import()` and `require()`, and of `new URL('…', import.meta.url)`. */
const SPECIFIERS =
  /(?<=\b(?:from|import)\s*|\b(?:import|require|require\.resolve)\(\s*)'(?<module>[\w@./:-]+)'|(?<=\bnew URL\(\s*)'(?<file>\.[^'\n]+)'(?=,\s*import\.meta\.url)/g;

/** Reads the source in `root` and says what the package holds. @throws an Error that names an import that leads nowhere. */
export function releasePackage(root: string): ReleasePackage {
  const texts = new Map<string, string>();
  const imported = new Set<string>();
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const visit = (file: string): void => {
    const target = asJavaScript(file);
    if (texts.has(target) || LEFT_OUT.has(file)) return;
    if (statSync(path.join(root, file)).isDirectory()) {
      for (const name of readdirSync(path.join(root, file)))
        if (name !== 'tsconfig.json') visit(path.join(file, name));
      return;
    }
    if (!/\.[jt]s$/.test(file)) {
      texts.set(target, inPackage(read(file)));
      return;
    }
    const code = file.endsWith('.ts') ? stripTypeScriptTypes(read(file)) : read(file);
    texts.set(target, inPackage(code.replaceAll(SPECIFIERS, asJavaScript)));
    for (const { groups } of code.matchAll(SPECIFIERS)) {
      const { module, file: beside } = groups!;
      const specifier = module ?? beside!;
      if (specifier.startsWith('.')) {
        const found = path.join(path.dirname(file), specifier);
        // The folder of the package itself, and what is written there later.
        if (found === './' || found === '.' || found.startsWith('node_modules')) continue;
        if (!existsSync(path.join(root, found)))
          throw new Error(`${file} names ${specifier}, which is missing.`);
        visit(found);
      } else if (!specifier.startsWith('node:'))
        imported.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
    }
  };
  for (const file of [...ENTRIES, 'LICENSE']) visit(file);
  texts.delete('package.json');
  // Other documents are not part of it.
  texts.set('README.md', read(README).replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'));
  return { manifest: manifestOf(JSON.parse(read('package.json')) as Manifest), texts, imported };
}

/** The name of a file in the package, or a text that names files. */
function asJavaScript(text: string): string {
  return text.replace(/\.ts(?=$|')/, '.js');
}

/** Words to people name the command of the package, and how a machine with an old Node runs it. */
function inPackage(text: string): string {
  return text
    .replaceAll(/Use "npm (?:start|run tocsin -- help)"/g, 'Use "npx -p node@24 -p tocsin tocsin"')
    .replaceAll(/npm run (?:--silent )?tocsin -- /g, 'tocsin ')
    .replaceAll('npm start -- ', 'tocsin start ')
    .replaceAll('npm start', 'tocsin start');
}

/** Dependencies without those of the dashboard, which is built, and without Node: who installs a package has one. */
function manifestOf(source: Manifest): Manifest {
  const kept = Object.entries(source).filter(([field]) => KEPT_FIELDS.includes(field));
  const dependencies = Object.entries(source.dependencies).filter(
    ([name]) => !BUILD_ONLY.includes(name),
  );
  return {
    ...(Object.fromEntries(kept) as Manifest),
    os: ['linux'],
    dependencies: Object.fromEntries(dependencies),
  };
}
