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

/** A build: what the document of the dashboard names, and all files. */
export interface Manifest {
  /** Entry script. */
  script: string;
  /** Scripts that the entry imports statically, directly or through others. */
  preloads: string[];
  styles: string[];
  files: BuiltFile[];
}

/** Name of the manifest's file in the folder of a build. */
export const MANIFEST = 'manifest.json';

/** Scripts and style sheets that a browser loads before it shows anything. */
export function firstView({ script, preloads, styles }: Manifest): string[] {
  return [script, ...preloads, ...styles];
}

/** Bytes that a browser loads of a file, compressed with gzip where that saves something. */
export function transferred({ bytes, encoded }: BuiltFile): number {
  return encoded.gzip ?? bytes;
}
