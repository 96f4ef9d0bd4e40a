import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Encoder of QR codes: a script without imports, served as its package has it. */
const QR_CODES = { name: 'qr.js', url: new URL('index.js', packageOf('qr')) };

export interface Asset {
  path: string;
  type: string;
  bytes: Buffer;
}

/** Scripts, style sheet and icon of the pages, from `browser/`, and the encoder of QR codes. */
export interface Assets {
  /** Path with a hash of all files, so that browsers can cache them forever. */
  path: string;
  files: Asset[];
}

export function readAssets(): Assets {
  const folder = new URL('./browser/', import.meta.url);
  const hash = createHash('sha256');
  const places = readdirSync(folder)
    .filter((name) => TYPES[extensionOf(name)] !== undefined)
    .toSorted()
    .map((name) => ({ name, url: new URL(name, folder) }));
  const found = [...places, QR_CODES].map(({ name, url }) => {
    const bytes = readFileSync(url);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    return { name, type: TYPES[extensionOf(name)]!, bytes };
  });
  const path = `/pages/${hash.digest('base64url').slice(0, 16)}`;
  return {
    path,
    files: found.map(({ name, type, bytes }) => ({ path: `${path}/${name}`, type, bytes })),
  };
}

/** Address of a package's `package.json`. */
function packageOf(name: string): URL {
  return pathToFileURL(findPackageJSON(name, import.meta.url)!);
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
