import { readFileSync } from 'node:fs';

/** Version of this program, such as `0.1.0`. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
