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
