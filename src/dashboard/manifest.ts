/** Encodings of files, the preferred one first. */
export const FILE_ENCODINGS = ['br', 'gzip'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

/** File name extension of each encoding. */
export const EXTENSIONS: Record<FileEncoding, string> = { br: '.br', gzip: '.gz' };

/** One file of a build. Its name holds a hash of its content. */
export interface BuiltFile {
  name: string;
  /** Value of Content-Type. */
  type: string;
  bytes: number;
  /** Bytes of the file in each encoding that saves something; it lies beside the file. */
  encoded: Partial<Record<FileEncoding, number>>;
}

/** Languages of the dashboard, the default one first. Each is a build of its own. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Documents that the server writes: pages inside of the shell, and those that visitors open, such as the sign-in page. */
export const DOCUMENTS = ['dashboard', 'entry'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** What a document loads first. */
export interface FirstParts {
  /** Entry script. */
  script: string;
  /** Scripts that the entry imports statically, directly or through others. */
  preloads: string[];
  styles: string[];
}

/** A build: what its documents name in each language, and all files. */
export interface Manifest {
  documents: Record<Language, Record<DocumentName, FirstParts>>;
  files: BuiltFile[];
}

/** Name of the manifest's file in the folder of a build. */
export const MANIFEST = 'manifest.json';
