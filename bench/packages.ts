/** What of a lock file of npm matters here: which version is at which place. */
export interface LockFile {
  packages: Record<string, { version?: string; optional?: boolean }>;
}

/** The key of the tree itself among its packages. */
const ITSELF = '';

/**
 * Whether installed packages include all that a lock file asks for, each at its place and in its version: a tree with that
 * lock file can then use them. Optional ones may be missing, as those for other systems are.
 */
export function holdsPackages(installed: LockFile, wanted: LockFile): boolean {
  return Object.entries(wanted.packages).every(([place, { version, optional }]) => {
    if (place === ITSELF) return true;
    const found = installed.packages[place];
    return found === undefined ? optional === true : found.version === version;
  });
}
