/** Text file as a response, sent in chunks so that it can be of any length. */
export class Download {
  /** Media type with charset. */
  readonly type: string;
  /** Name for saving the file: letters, digits, dots and hyphens. */
  readonly filename: string;
  readonly pieces: AsyncIterable<string>;

  constructor(type: string, filename: string, pieces: AsyncIterable<string>) {
    this.type = type;
    this.filename = filename;
    this.pieces = pieces;
  }
}
