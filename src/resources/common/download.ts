/** File as a response, sent in chunks so that it can be of any length. */
export class Download {
  /** Media type, of text with its charset. */
  readonly type: string;
  /** Name for saving the file: letters, digits, dots and hyphens. */
  readonly filename: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;

  constructor(type: string, filename: string, pieces: AsyncIterable<string | Uint8Array>) {
    this.type = type;
    this.filename = filename;
    this.pieces = pieces;
  }
}

/** A file that is in memory. */
export function downloadOf(type: string, filename: string, content: string | Uint8Array): Download {
  return new Download(
    type,
    filename,
    (async function* whole() {
      yield content;
    })(),
  );
}

/**
 * All rows of a download, in batches that are each read after the last row of the one before. Reads the first at once, so
 * that an unreachable database fails before the download.
 */
export async function batchesOf<Row>(size: number, read: (last: Row | null) => Promise<Row[]>) {
  const first = await read(null);
  return (async function* batches() {
    for (let rows = first; rows.length > 0;) {
      yield rows;
      rows = rows.length < size ? [] : await read(rows.at(-1)!);
    }
  })();
}
