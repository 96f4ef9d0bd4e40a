import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { inflateSync } from 'node:zlib';

type Weight = 'regular' | 'bold';

export interface Style {
  /** Points. */
  size: number;
  weight?: Weight;
  color?: string;
}

/** Subsets of the font, in the order in which they are asked for a character. */
const SUBSETS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'cyrillic-ext'] as const;
const WEIGHTS: Record<Weight, number> = { regular: 400, bold: 600 };
/**
 * Digits of one width, so that columns of numbers align. Contextual forms and kerning are off: they take three quarters of
 * the time, and without them the width of a text is the sum of its characters.
 */
const FEATURES = { tnum: true, calt: false, ccmp: false, kern: false };
const OPTIONS = { lineBreak: false, features: FEATURES } as unknown as PDFKit.Mixins.TextOptions;
/** Height of the baseline below the top of a line, in ems. */
export const BASELINE = 0.97;
/** Stands for characters that no subset has. */
const UNKNOWN_BOX = { width: 0.62, height: 0.62, top: 0.3 };

const require = createRequire(import.meta.url);

interface Face {
  name: string;
  bytes: Buffer;
  font: Font;
  /** Widths of characters in ems. */
  widths: Map<string, number>;
}

/** Read once in the life of the thread. */
const faces = new Map<string, Face>();

function faceOf(subset: string, weight: Weight): Face {
  const name = `${subset}-${WEIGHTS[weight]}`;
  const known = faces.get(name);
  if (known !== undefined) return known;
  const file = require.resolve(`@fontsource/inter/files/inter-${name}-normal.woff`);
  const bytes = sfntOf(readFileSync(file));
  const face = { name, bytes, font: create(bytes) as Font, widths: new Map() };
  faces.set(name, face);
  return face;
}

/** Characters of one face; null for those that no face has. */
interface Run {
  face: Face | null;
  text: string;
}

/** Text in a font of several subsets, of which a document embeds those that it uses. */
export class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #registered = new Set<string>();
  /** Whether a character was drawn as a box, since no subset has it. */
  hasUnknown = false;

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
  }

  widthOf(text: string, style: Style): number {
    let width = 0;
    for (const run of runsOf(text, style.weight ?? 'regular')) width += runWidth(run, style);
    return width;
  }

  /** Draws one line with its top left corner there. */
  draw(text: string, x: number, y: number, style: Style): void {
    let left = x;
    for (const run of runsOf(text, style.weight ?? 'regular')) {
      const width = runWidth(run, style);
      const color = style.color ?? '#000000';
      if (run.face === null) this.#drawUnknown(run.text, left, y, { ...style, color });
      else {
        this.#use(run.face, style.size);
        this.#doc.fillColor(color).text(run.text, left, y, OPTIONS);
      }
      left += width;
    }
  }

  /** The text, or its beginning with an ellipsis where it is wider than `width`. */
  fit(text: string, width: number, style: Style): string {
    if (this.widthOf(text, style) <= width) return text;
    const characters = [...text];
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const cut = `${characters.slice(0, middle).join('').trimEnd()}…`;
      if (this.widthOf(cut, style) <= width) low = middle;
      else high = middle - 1;
    }
    return `${characters.slice(0, low).join('').trimEnd()}…`;
  }

  /** Lines of at most `width`, broken at spaces; the last of `maximum` lines ends with an ellipsis where text is left. */
  wrap(text: string, width: number, style: Style, maximum = Infinity): string[] {
    const words = text.split(' ').flatMap((word) => this.#pieces(word, width, style));
    const lines: string[] = [];
    let line = '';
    for (const [index, word] of words.entries()) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line === '' || this.widthOf(longer, style) <= width) {
        line = longer;
        continue;
      }
      if (lines.length + 1 >= maximum) {
        const rest = [line, ...words.slice(index)].join(' ');
        return [...lines, this.fit(rest, width, style)];
      }
      lines.push(line);
      line = word;
    }
    return withoutWidow([...lines, line]);
  }

  /** Pieces of a word that is wider than a line. */
  #pieces(word: string, width: number, style: Style): string[] {
    if (this.widthOf(word, style) <= width) return [word];
    const pieces: string[] = [];
    let piece = '';
    for (const character of word) {
      if (piece !== '' && this.widthOf(piece + character, style) > width) {
        pieces.push(piece);
        piece = '';
      }
      piece += character;
    }
    return [...pieces, piece];
  }

  #use({ name, bytes }: Face, size: number): void {
    if (!this.#registered.has(name)) {
      this.#doc.registerFont(name, bytes);
      this.#registered.add(name);
    }
    this.#doc.font(name).fontSize(size);
  }

  #drawUnknown(text: string, x: number, y: number, { size, color }: Style): void {
    this.hasUnknown = true;
    for (const [index] of [...text].entries()) {
      const left = x + (index * 1.2 + 0.1) * UNKNOWN_BOX.width * size;
      this.#doc
        .lineWidth(size / 18)
        .rect(left, y + UNKNOWN_BOX.top * size, UNKNOWN_BOX.width * size, UNKNOWN_BOX.height * size)
        .stroke(color ?? '#000000');
    }
  }
}

/** Lines of which the last one has two words at least where the line above can spare one. */
function withoutWidow(lines: string[]): string[] {
  const [above, last] = lines.slice(-2);
  if (above === undefined || last === undefined || last.includes(' ')) return lines;
  const words = above.split(' ');
  if (words.length < 3) return lines;
  return [...lines.slice(0, -2), words.slice(0, -1).join(' '), `${words.at(-1)!} ${last}`];
}

function runWidth({ face, text }: Run, { size }: Style): number {
  if (face === null) return [...text].length * UNKNOWN_BOX.width * 1.2 * size;
  let width = 0;
  for (const character of text) width += widthIn(face, character);
  return width * size;
}

function widthIn({ font, widths }: Face, character: string): number {
  let width = widths.get(character);
  if (width === undefined) {
    width = font.layout(character, FEATURES).advanceWidth / font.unitsPerEm;
    widths.set(character, width);
  }
  return width;
}

/** Divides a text into runs of one face. A space stays in the run before it. */
function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const face = faceWith(character, weight);
    const isSame = last !== undefined && (last.face === face || (character === ' ' && last.face));
    if (isSame) last.text += character;
    else runs.push({ face, text: character });
  }
  return runs;
}

/** Faces by weight and character. */
const faceOfCharacter = new Map<string, Face | null>();
const MAX_CHARACTERS = 10_000;

function faceWith(character: string, weight: Weight): Face | null {
  const key = weight + character;
  let face = faceOfCharacter.get(key);
  if (face === undefined) {
    if (faceOfCharacter.size >= MAX_CHARACTERS) faceOfCharacter.clear();
    face = findFace(character, weight);
    faceOfCharacter.set(key, face);
  }
  return face;
}

function findFace(character: string, weight: Weight): Face | null {
  const code = character.codePointAt(0)!;
  for (const subset of SUBSETS) {
    const face = faceOf(subset, weight);
    if (face.font.hasGlyphForCodePoint(code)) return face;
  }
  return null;
}

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * The font in a WOFF file (version 1, W3C Recommendation of 2012) as TrueType or OpenType. The PDF library inflates each
 * table of a WOFF file whenever it embeds the font, which takes most of the time of a small document.
 */
export function sfntOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const entry = WOFF_HEADER + index * WOFF_ENTRY;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ];
    const stored = woff.subarray(offset, offset + packed);
    const data = packed < length ? inflateSync(stored) : stored;
    return { tag: woff.subarray(entry, entry + 4), checksum: entry + 16, data };
  });
  const directory = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  const power = Math.floor(Math.log2(count));
  // The flavor of the font, then how many tables it has, for a binary search.
  woff.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(2 ** power * 16, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(count * 16 - 2 ** power * 16, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const entry = SFNT_HEADER + index * SFNT_ENTRY;
    tag.copy(directory, entry);
    woff.copy(directory, entry + 4, checksum, checksum + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(data.length, entry + 12);
    const padding = (4 - (data.length % 4)) % 4;
    parts.push(data, Buffer.alloc(padding));
    offset += data.length + padding;
  }
  return Buffer.concat(parts);
}
