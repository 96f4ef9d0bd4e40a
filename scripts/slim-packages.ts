/**
 * Removes from `node_modules` what running does not need. npm runs it after each installation, and it does nothing where
 * packages for development are. `slim-packages.ts --built` also removes what only builds the dashboard, once that is built.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Dependencies that are in the built dashboard, or build it. */
export const BUILD_ONLY: readonly string[] = [
  '@base-ui/react',
  '@tanstack/react-query',
  'esbuild',
  'qr',
  'react',
  'react-dom',
  'uplot',
  'wouter',
];

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** TypeScript below `node_modules` is never run: Node refuses it, and bundlers take the JavaScript beside it. */
const NEEDLESS_FILE = /\.(?:[mc]?ts|tsx|map)$|^(?:CHANGELOG|HISTORY)\b/;
/** Folders of a package, not below others. */
const NEEDLESS_FOLDERS = ['docs', 'example', 'examples', 'test', 'tests'];
/** Folders of the package with Node: headers and manuals. */
const NEEDLESS_OF_NODE = ['include', 'share'];

/**
 * Removes what running does not need: packages that nothing reaches, and of the others sources, declarations, source maps,
 * tests, documentation and headers.
 *
 * @param root folder with `package.json` and `node_modules`.
 * @param isBuilt whether the dashboard is built, so that its own packages can go.
 * @returns the folders of packages that stay, relative to `node_modules`.
 */
export function prune(root: string, isBuilt: boolean): string[] {
  const modules = path.join(root, 'node_modules');
  const needed = neededPackages(root, isBuilt ? BUILD_ONLY : []);
  for (const folder of packageFolders(modules)) {
    const relative = path.relative(modules, folder);
    const holdsNeeded = [...needed].some((one) => one.startsWith(`${relative}${path.sep}`));
    if (needed.has(relative)) slim(folder);
    else if (!holdsNeeded) rmSync(folder, { recursive: true });
  }
  return [...needed].toSorted();
}

/** Of fonts that only reports use: their style sheets. */
const NEEDLESS_OF_FONTS = /\.s?css$/;

/** Removes the needless files of a package; those of packages inside of it too. */
function slim(folder: string): void {
  const isNode = path.basename(folder).startsWith('node-linux-');
  for (const name of [...NEEDLESS_FOLDERS, ...(isNode ? NEEDLESS_OF_NODE : [])])
    rmSync(path.join(folder, name), { recursive: true, force: true });
  const isFont = /\/noto-sans-/.test(folder);
  const isNeedless = (name: string) =>
    NEEDLESS_FILE.test(name) || (isFont && NEEDLESS_OF_FONTS.test(name));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && isNeedless(entry.name)) rmSync(path.join(entry.parentPath, entry.name));
}

/** Whether packages are installed that only development needs, by what npm notes about an installation; others are left alone. */
function isForDevelopment(root: string): boolean {
  const file = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(file)) return true;
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.values(packages).some(({ dev }) => dev === true);
}

/** Packages that are reached from those that the program imports, as Node finds them. */
function neededPackages(root: string, except: readonly string[]): Set<string> {
  const modules = path.join(root, 'node_modules');
  const needed = new Set<string>();
  const visit = (folder: string, left: readonly string[] = []): void => {
    const manifest = readManifest(folder);
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
    const peers = Object.keys(peerDependencies).filter(
      (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
    );
    const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    for (const name of names) {
      const found = left.includes(name) ? undefined : find(root, folder, name);
      if (found === undefined || needed.has(path.relative(modules, found))) continue;
      needed.add(path.relative(modules, found));
      visit(found);
    }
  };
  visit(root, except);
  return needed;
}

/** The folder of a package as it is seen from a folder below `root`; undefined when it is not installed. */
function find(root: string, from: string, name: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(folder, 'package.json'))) return folder;
    if (at === root) return undefined;
  }
}

/** All packages below `node_modules`, those inside of others too, innermost first. */
function packageFolders(modules: string): string[] {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const folder = path.join(modules, name);
      if (name.startsWith('@')) return packageFolders(folder);
      const inner = path.join(folder, 'node_modules');
      return [...(existsSync(inner) ? packageFolders(inner) : []), folder];
    });
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const isBuilt = process.argv.includes('--built');
  if (isBuilt || !isForDevelopment(root))
    console.log(`${prune(root, isBuilt).length} packages stay.`);
}
