/** An answer that is a file of text, given piece by piece, so that it may be of any length. */
export class Download {
  /** Its media type, with the charset. */
  readonly type: string;
  /** What a browser calls it when it saves it: letters, digits, dots and hyphens. */
  readonly filename: string;
  readonly pieces: AsyncIterable<string>;

  constructor(type: string, filename: string, pieces: AsyncIterable<string>) {
    this.type = type;
    this.filename = filename;
    this.pieces = pieces;
  }
}
