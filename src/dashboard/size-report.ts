import { firstView, transferred, type BuiltFile, type Manifest } from './manifest.ts';

/** Gzip bytes of scripts that a browser may have to load before it shows anything (see ADR 36). */
export const MAX_FIRST_SCRIPT_BYTES = 130_000;

/** Gzip bytes of the scripts that a browser loads before it shows anything. */
export function firstScriptBytes(manifest: Manifest): number {
  const scripts = new Set([manifest.script, ...manifest.preloads]);
  return sum(manifest.files.filter(({ name }) => scripts.has(name)));
}

/** Lists what browsers load: each file with its gzip bytes, the first view before the rest, the largest first. */
export function sizeReport(manifest: Manifest): string {
  const first = new Set(firstView(manifest));
  const [early, late] = [true, false].map((isFirst) =>
    manifest.files
      .filter(({ name }) => first.has(name) === isFirst)
      .toSorted((one, other) => transferred(other) - transferred(one)),
  );
  return [
    `First view: ${bytesOf(sum(early!))}, of which scripts ${bytesOf(firstScriptBytes(manifest))} of at most ${bytesOf(MAX_FIRST_SCRIPT_BYTES)}`,
    ...early!.map(lineOf),
    `Loaded when needed: ${bytesOf(sum(late!))}`,
    ...late!.map(lineOf),
  ].join('\n');
}

const lineOf = (file: BuiltFile) => `${bytesOf(transferred(file)).padStart(12)}  ${file.name}`;
const bytesOf = (bytes: number) => `${bytes.toLocaleString('en')} B`;
const sum = (files: readonly BuiltFile[]) =>
  files.reduce((total, file) => total + transferred(file), 0);
