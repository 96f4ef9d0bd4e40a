/**
 * `image-packages.ts ROOT`: removes from ROOT/node_modules what an image does not need once the dashboard is built there:
 * packages that only its build uses, those that came along as optional peers, declarations, source maps, headers.
 */
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Dependencies that are in the built dashboard, or build it. */
export const BUILD_ONLY: readonly string[] = [
  '@base-ui/react',
  '@fontsource-variable/inter',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
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

const NEEDLESS_FILES = ['**/*.d.ts', '**/*.d.mts', '**/*.d.cts', '**/*.map'];
const NEEDLESS_FOLDERS = ['node-linux-*/include', 'node-linux-*/share'];

/** Removes what running does not need. Returns the folders of packages that stay, relative to `node_modules`. */
export function prune(root: string): string[] {
  const modules = path.join(root, 'node_modules');
  const needed = neededPackages(root);
  for (const folder of packageFolders(modules)) {
    const relative = path.relative(modules, folder);
    const holdsNeeded = [...needed].some((one) => one.startsWith(`${relative}${path.sep}`));
    if (!needed.has(relative) && !holdsNeeded) rmSync(folder, { recursive: true });
  }
  for (const each of globSync([...NEEDLESS_FILES, ...NEEDLESS_FOLDERS], { cwd: modules }))
    rmSync(path.join(modules, each), { recursive: true });
  return [...needed].toSorted();
}

/** Packages that are reached from those that the program imports, as Node finds them. */
function neededPackages(root: string): Set<string> {
  const modules = path.join(root, 'node_modules');
  const needed = new Set<string>();
  const visit = (folder: string, except: readonly string[] = []): void => {
    const manifest = readManifest(folder);
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
    const peers = Object.keys(peerDependencies).filter(
      (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
    );
    const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    for (const name of names) {
      const found = except.includes(name) ? undefined : find(root, folder, name);
      if (found === undefined || needed.has(path.relative(modules, found))) continue;
      needed.add(path.relative(modules, found));
      visit(found);
    }
  };
  visit(root, BUILD_ONLY);
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

if (import.meta.main) console.log(`${prune(path.resolve(process.argv[2]!)).length} packages stay.`);
