/** Fails on marks of unfinished or disabled work, and on paths of the developer's machine. */
import { globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const EXCLUDED = ['.git', 'node_modules', 'data', 'coverage', '.cache', 'dist'];
const TEXT = /\.(?:[jt]sx?|md|json|ya?ml|css|html|sh)$|(?:^|\/)(?:run|Dockerfile)$/;

// Written so that no pattern matches itself.
const MARKS: [what: string, pattern: RegExp][] = [
  ['unfinished work', /\b(?:TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/],
  ['a skipped test', /\b(?:test|it|describe)\.(?:only|skip|todo)[(.]/],
  ['a disabled check', /@ts-(?:ignore|nocheck)|(?:es|ox)lint-disable/],
];
const PLACES = [ROOT, homedir()].filter((place) => place.split('/').length > 2);

let found = 0;
const files = globSync('**', {
  cwd: ROOT,
  exclude: (name) => EXCLUDED.includes(path.basename(name)),
});
for (const file of [...files, ...globSync('.ci/*', { cwd: ROOT })]) {
  if (!TEXT.test(file)) continue;
  const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const marks = MARKS.filter(([, pattern]) => pattern.test(line)).map(([what]) => what);
    if (PLACES.some((place) => line.includes(`${place}/`))) marks.push('a path of this machine');
    for (const mark of marks) console.log(`${file}:${index + 1}: ${mark}`);
    found += marks.length;
  }
}
process.exitCode = found > 0 ? 1 : 0;
