import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tabIcons } from './icons.ts';

/** Static file of public documents. */
export interface Asset {
  /** Below `/status/`, such as `_/2Jmj7l5rSw0yVb_v/style.css`: the hash is that of all files, so that they never change. */
  path: string;
  /** Media type. */
  type: string;
  bytes: Buffer;
}

const textOf = (file: URL) => readFileSync(file, 'utf8');

const FILES = [
  {
    name: 'style.css',
    type: 'text/css; charset=utf-8',
    text: textOf(new URL('./style.css', import.meta.url)),
  },
  {
    name: 'live.js',
    type: 'text/javascript; charset=utf-8',
    text: textOf(new URL('./browser/live.js', import.meta.url)),
  },
  ...tabIcons().map(({ name, text }) => ({ name, type: 'image/svg+xml', text })),
];

const HASH = createHash('sha256')
  .update(FILES.map(({ name, text }) => `${name}\0${text.length}\0${text}`).join(''))
  .digest('base64url')
  .slice(0, 16);

/** Static files of public documents. */
export const ASSETS: readonly Asset[] = FILES.map(({ name, type, text }) => ({
  path: assetPath(name),
  type,
  bytes: Buffer.from(text),
}));

/** Path of a static file below `/status/`. */
export function assetPath(name: string): string {
  return `_/${HASH}/${name}`;
}
