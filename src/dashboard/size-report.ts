import {
  DOCUMENTS,
  LANGUAGES,
  type BuiltFile,
  type DocumentName,
  type FirstParts,
  type Language,
  type Manifest,
} from './manifest.ts';

/** Gzip bytes of scripts that a browser may have to load before it shows anything of a document (see ADR 36). */
export const MAX_FIRST_SCRIPT_BYTES: Record<DocumentName, number> = {
  dashboard: 104_000,
  entry: 80_000,
};

/** Gzip bytes of the scripts that a browser loads before it shows anything of a document. */
export function firstScriptBytes(
  { documents, files }: Manifest,
  language: Language,
  name: DocumentName,
): number {
  const { script, preloads } = documents[language][name];
  const scripts = new Set([script, ...preloads]);
  return sum(files.filter((file) => scripts.has(file.name)));
}

/** Lists what browsers load: the first view of each document, then the rest; each file with its gzip bytes, the largest first. */
export function sizeReport(manifest: Manifest): string {
  const first = new Set<string>();
  const views = LANGUAGES.flatMap((language) =>
    DOCUMENTS.flatMap((name) => {
      const names = new Set(firstView(manifest.documents[language][name]));
      for (const one of names) first.add(one);
      const files = largestFirst(manifest.files.filter((file) => names.has(file.name)));
      const scripts = bytesOf(firstScriptBytes(manifest, language, name));
      return [
        `First view of ${name} (${language}): ${bytesOf(sum(files))}, of which scripts ${scripts} of at most ${bytesOf(MAX_FIRST_SCRIPT_BYTES[name])}`,
        ...files.map(lineOf),
      ];
    }),
  );
  const late = largestFirst(manifest.files.filter(({ name }) => !first.has(name)));
  return [...views, `Loaded when needed: ${bytesOf(sum(late))}`, ...late.map(lineOf)].join('\n');
}

const largestFirst = (files: readonly BuiltFile[]) =>
  files.toSorted((one, other) => transferred(other) - transferred(one));
const lineOf = (file: BuiltFile) => `${bytesOf(transferred(file)).padStart(12)}  ${file.name}`;
const bytesOf = (bytes: number) => `${bytes.toLocaleString('en')} B`;
const sum = (files: readonly BuiltFile[]) =>
  files.reduce((total, file) => total + transferred(file), 0);

/** Scripts and style sheets that a browser loads before it shows anything. */
function firstView({ script, preloads, styles }: FirstParts): string[] {
  return [script, ...preloads, ...styles];
}

/** Bytes that a browser loads of a file, compressed with gzip where that saves something. */
function transferred({ bytes, encoded }: BuiltFile): number {
  return encoded.gzip ?? bytes;
}
