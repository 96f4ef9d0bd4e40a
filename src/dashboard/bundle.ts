import { writeFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import {
  DOCUMENTS,
  EXTENSIONS,
  LANGUAGES,
  MANIFEST,
  type BuiltFile,
  type DocumentName,
  type FileEncoding,
  type FirstParts,
  type Language,
  type Manifest,
} from './manifest.ts';
import { wordsIn, withSections } from './words.ts';

/** Entry of each document, below the root of the source. */
const ENTRIES: Record<DocumentName, string> = {
  dashboard: 'web/main.tsx',
  entry: 'web/entry.tsx',
};

/** Names what is kept in a file of its own, because it changes with packages alone. */
const PACKAGES = 'web/packages.ts';

/** Browsers of about the last three years; all of them have what the scripts use without polyfills. */
const TARGET = ['chrome111', 'edge111', 'firefox113', 'safari16.4'];

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** Formats that are compressed by themselves. */
const COMPRESSED = new Set(['.png', '.woff2']);
/** A smaller file does not become shorter than a packet. */
const MIN_BYTES = 860;
/** Files are compressed once and sent many times; 11 would take four times as long for 7 % fewer bytes. */
const BROTLI_QUALITY = 9;

/**
 * Builds the dashboard into an empty folder: its files, their compressed forms, and the manifest.
 *
 * @param options.root folder with `web` and `node_modules`.
 * @throws the errors of esbuild, with file and line; or an Error that says which file has to change.
 */
export async function bundle({ root, folder }: { root: string; folder: string }): Promise<void> {
  const documents: Partial<Manifest['documents']> = {};
  // What has no words is the same in all languages, name included.
  const outputs = new Map<string, OutputFile>();
  // One after another: a build takes much memory.
  for (const language of LANGUAGES) {
    const { metafile, outputFiles } = await buildIn(language, { root, folder });
    documents[language] = firstPartsOfAll(metafile);
    for (const file of outputFiles) outputs.set(file.path, file);
  }
  const files = await Promise.all([...outputs.values()].map((file) => store(file, folder)));
  const manifest: Manifest = {
    documents: documents as Manifest['documents'],
    files: files.toSorted(byName),
  };
  await writeFile(path.join(folder, MANIFEST), JSON.stringify(manifest, null, 1));
}

function buildIn(language: Language, { root, folder }: { root: string; folder: string }) {
  return build({
    absWorkingDir: root,
    entryPoints: [...Object.values(ENTRIES), PACKAGES],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    jsx: 'automatic',
    minify: true,
    // Chromium compiles all functions while it loads the file, beside the main thread. It would compile React there, in one long task.
    banner: { js: '//# allFunctionsCalledOnLoad' },
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file', '.svg': 'file', '.png': 'file' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    plugins: [lateParts(root), wordsIn(language, root)],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
}

/** Determines what each document has to load: its entry, the static imports of that, and its style sheet. */
function firstPartsOfAll({ outputs }: Metafile): Record<DocumentName, FirstParts> {
  const entries = new Set(Object.values(ENTRIES));
  const lazyStyles = Object.values(outputs).find(
    ({ entryPoint, cssBundle }) => cssBundle !== undefined && !entries.has(entryPoint ?? ''),
  );
  if (lazyStyles !== undefined) {
    throw new Error(
      `${lazyStyles.entryPoint} imports a style sheet and is loaded lazily, so nothing would load the style sheet. Import it in ${[...entries].join(' or ')}.`,
    );
  }
  const parts = DOCUMENTS.map((name) => [name, firstParts(outputs, ENTRIES[name])] as const);
  return Object.fromEntries(parts) as Record<DocumentName, FirstParts>;
}

function firstParts(outputs: Metafile['outputs'], source: string): FirstParts {
  const [entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)!;
  const reached = new Set([entry]);
  for (const name of reached) {
    for (const { path: imported, kind } of outputs[name]!.imports) {
      if (kind === 'import-statement') reached.add(imported);
    }
  }
  const { cssBundle } = outputs[entry]!;
  const [script, ...preloads] = [...reached].map((name) => path.basename(name));
  return {
    script: script!,
    preloads,
    styles: cssBundle === undefined ? [] : [path.basename(cssBundle)],
  };
}

async function store({ path: file, contents }: OutputFile, folder: string): Promise<BuiltFile> {
  const name = path.relative(folder, file);
  const extension = path.extname(name);
  const type = TYPES[extension];
  if (type === undefined) throw new Error(`${name} has no media type: add ${extension} to TYPES.`);
  await writeFile(file, contents);
  const encoded: BuiltFile['encoded'] = {};
  if (contents.length >= MIN_BYTES && !COMPRESSED.has(extension)) {
    for (const [encoding, encode] of Object.entries(ENCODERS)) {
      const bytes = await encode(contents);
      if (bytes.length >= contents.length) continue;
      await writeFile(file + EXTENSIONS[encoding as FileEncoding], bytes);
      encoded[encoding as FileEncoding] = bytes.length;
    }
  }
  return { name, type, bytes: contents.length, encoded };
}

const ENCODERS: Record<FileEncoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const byName = (one: BuiltFile, other: BuiltFile) => (one.name < other.name ? -1 : 1);

/** Imports the pages of the document for visitors; whatever else is loaded late belongs to the other one. */
const VISITORS_PAGES = 'web/app/entry-pages.ts';
const VISITORS_ENTRY = 'web/entry.tsx';
/** What each document begins with, without its entry: that one starts it. */
const BEGINNINGS = { dashboard: 'web/app/app.tsx', visitors: 'web/app/entry-app.tsx' };

/**
 * Keeps in one file what is loaded together. A part that is loaded late, such as a page, finds loaded all that its document
 * begins with; `esbuild` does not know that, and makes a file of its own for each set of parts that share a module: many small
 * ones, which compress worse than few. So each late part imports what its document begins with. That loads and runs nothing again.
 */
function lateParts(root: string): Plugin {
  const visitorsPages = path.join(root, VISITORS_PAGES);
  return {
    name: 'late-parts',
    setup({ onResolve, onLoad, onEnd }) {
      const beginnings = new Map<string, string>();
      onResolve({ filter: /^\..*\.tsx?$/ }, ({ kind, path: name, resolveDir, importer }) => {
        if (kind !== 'dynamic-import') return undefined;
        const beginning = importer === visitorsPages ? BEGINNINGS.visitors : BEGINNINGS.dashboard;
        beginnings.set(path.join(resolveDir, name), path.join(root, beginning));
        return undefined;
      });
      onLoad({ filter: /[/\\]web[/\\].*\.tsx?$/ }, async ({ path: file }) => {
        const beginning = beginnings.get(file);
        if (beginning === undefined) return undefined;
        const text = await readFile(file, 'utf8');
        const contents = `${withSections(text, file) ?? text}\nimport ${JSON.stringify(beginning)};`;
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
      onEnd(({ metafile }) => {
        const leak = metafile === undefined ? null : shellForVisitors(metafile);
        if (leak === null) return undefined;
        const text = `${leak} is loaded late for visitors, to whom it would bring the shell. Import it in ${VISITORS_PAGES}, or at once.`;
        return { errors: [{ text }] };
      });
    },
  };
}

/** The part that loads the shell of the dashboard for visitors; null as it should be. */
function shellForVisitors({ inputs }: Metafile): string | null {
  const reached = new Set([VISITORS_ENTRY]);
  for (const name of reached) {
    for (const { path: imported } of inputs[name]?.imports ?? []) {
      if (imported === BEGINNINGS.dashboard) return name;
      reached.add(imported);
    }
  }
  return null;
}
