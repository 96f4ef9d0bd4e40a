import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Colors and sizes of the dashboard, which these pages share. */
const TOKENS = new URL('../../../web/style/tokens.css', import.meta.url);

export interface Asset {
  path: string;
  type: string;
  bytes: Buffer;
}

/** Scripts, style sheet and icon of the pages, from `browser/`. */
export interface Assets {
  /** Path with a hash of all files, so that browsers can cache them forever. */
  path: string;
  files: Asset[];
}

export function readAssets(): Assets {
  const folder = new URL('./browser/', import.meta.url);
  const hash = createHash('sha256');
  const read = readdirSync(folder)
    .filter((name) => TYPES[extensionOf(name)] !== undefined)
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }));
  const found = [...read, { name: 'tokens.css', bytes: readTokens() }].map(({ name, bytes }) => {
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    return { name, type: TYPES[extensionOf(name)]!, bytes };
  });
  const path = `/pages/${hash.digest('base64url').slice(0, 16)}`;
  return {
    path,
    files: found.map(({ name, type, bytes }) => ({ path: `${path}/${name}`, type, bytes })),
  };
}

/** Nothing where the source of the dashboard is missing: pages are plain then, and checks go on. */
function readTokens(): Buffer {
  return existsSync(TOKENS) ? readFileSync(TOKENS) : Buffer.alloc(0);
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
