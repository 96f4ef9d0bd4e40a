import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { inflateSync } from 'node:zlib';
import { NO_BREAK } from '../format.ts';

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

/** Characters of Chinese and Japanese, which stand side by side without spaces, and the marks that keep to the one before or behind. */
const WIDE = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}：；，！？％';
const CLOSING = '\\p{Pe}\\p{Pf}、。，：；！？％々ーっッ';
/** A space without a break also keeps what is behind it. */
const OPENING = '\\p{Ps}\\p{Pi}\\u00a0';
/** Where a line may end. */
const BREAKS = new RegExp(
  `(?<= )|(?<![${OPENING}])(?:(?<=[${WIDE}])(?! )|(?=[${WIDE}]))(?![${CLOSING}])`,
  'u',
);

/** The space between a number and its unit, where a line must not end. */
const BEFORE_UNIT = /(?<=\d) (?=(?:%|ms|s|min|h)(?!\p{L}))/gu;

const require = createRequire(import.meta.url);

interface Face {
  name: string;
  bytes: Buffer;
  font: Font;
  /** Widths of characters in ems. */
  widths: Map<string, number>;
}

/** A part of a family, in each weight. */
export type Faces = Record<Weight, Face>;

/** Read once in the life of the process. */
const faces = new Map<string, Face>();

function keep(name: string, bytes: Buffer): Face {
  const face = { name, bytes, font: create(bytes) as Font, widths: new Map() };
  faces.set(name, face);
  return face;
}

function faceOf(subset: string, weight: Weight): Face {
  const name = `${subset}-${WEIGHTS[weight]}`;
  const file = () => require.resolve(`@fontsource/inter/files/inter-${name}-normal.woff`);
  return faces.get(name) ?? keep(name, sfntOf(readFileSync(file())));
}

/** The face of Inter that has a character; undefined for none. */
function interFace(character: string, weight: Weight): Face | undefined {
  for (const subset of SUBSETS) {
    const face = faceOf(subset, weight);
    if (hasCharacter(face, character)) return face;
  }
  return undefined;
}

const hasCharacter = ({ font }: Face, character: string) =>
  font.hasGlyphForCodePoint(character.codePointAt(0)!);

/**
 * Faces of the characters of a text that Inter lacks: Noto Sans for Chinese, Japanese and Korean. Its packages hold about 100
 * files each, by ranges of characters, of which a document needs 10 to 50. The language decides between the shapes that
 * Chinese and Japanese have of one character.
 */
export async function furtherFaces(text: string, language: string): Promise<Faces[]> {
  const rest = new Set([...new Set(text)].filter((one) => interFace(one, 'regular') === undefined));
  const found: Faces[] = [];
  for (const family of language === 'ja' ? ['jp', 'sc'] : ['sc', 'jp']) {
    if (rest.size === 0) break;
    const ranges: Record<string, string> = require(
      `@fontsource-variable/noto-sans-${family}/unicode.json`,
    );
    for (const [key, range] of Object.entries(ranges)) {
      const isOwn = rangeTest(range);
      const own = [...rest].filter((character) => isOwn(character.codePointAt(0)!));
      if (own.length === 0) continue;
      for (const character of own) rest.delete(character);
      const part = `noto-sans-${family}-${key.replaceAll(/[[\]]/g, '')}`;
      const file = require.resolve(
        `@fontsource-variable/noto-sans-${family}/files/${part}-wght-normal.woff2`,
      );
      const [regular, bold] = [await noto(file, part, 400), await noto(file, part, 600)];
      found.push({ regular, bold });
    }
  }
  return found;
}

/** @param range as in style sheets, such as `U+4e00-4e8c,U+4e8e`. */
function rangeTest(range: string): (code: number) => boolean {
  const parts = range.split(',').map((part) => {
    const [from, to] = part.slice(2).split('-');
    return [parseInt(from!, 16), parseInt(to ?? from!, 16)] as const;
  });
  return (code) => parts.some(([from, to]) => code >= from && code <= to);
}

/** One weight of a variable font: the PDF library can't embed those that vary (its issue 308). */
async function noto(file: string, part: string, weight: number): Promise<Face> {
  const name = `${part}-${weight}`;
  const known = faces.get(name);
  if (known !== undefined) return known;
  const { default: subsetFont } = await import('subset-font');
  const variationAxes = { wght: weight };
  const options = { keepAllGlyphs: true, targetFormat: 'sfnt', noHinting: true, variationAxes };
  return keep(name, await subsetFont(readFileSync(file), '', { ...options, keepFeatures: [] }));
}

/** Characters of one face; undefined for those that no face has. */
interface Run {
  face: Face | undefined;
  text: string;
}

/** Text in fonts of several faces, of which a document embeds those that it uses. */
export class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #further: readonly Faces[];
  readonly #registered = new Set<string>();
  /** Faces by weight and character. */
  readonly #known = new Map<string, Face | undefined>();
  /** Whether a character was drawn as a box, since no face has it. */
  hasUnknown = false;

  /** @param further those of `furtherFaces` for the texts of the document. */
  constructor(doc: PDFKit.PDFDocument, further: readonly Faces[] = []) {
    this.#doc = doc;
    this.#further = further;
  }

  widthOf(text: string, style: Style): number {
    let width = 0;
    for (const run of this.#runsOf(text, style.weight)) width += runWidth(run, style);
    return width;
  }

  /** Draws one line with its top left corner there. */
  draw(text: string, x: number, y: number, style: Style): void {
    let left = x;
    for (const run of this.#runsOf(text, style.weight)) {
      const width = runWidth(run, style);
      const color = style.color ?? '#000000';
      if (run.face === undefined) this.#drawUnknown(run.text, left, y, { ...style, color });
      else {
        const { ascent, unitsPerEm } = run.face.font;
        // The library places the top of a font there; lines of several fonts share a baseline.
        const top = y + (BASELINE - ascent / unitsPerEm) * style.size;
        this.#use(run.face, style.size);
        this.#doc.fillColor(color).text(run.text, left, top, OPTIONS);
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

  /** Lines of at most `width`, broken where texts may be; the last of `maximum` lines ends with an ellipsis where text is left. */
  wrap(text: string, width: number, style: Style, maximum = Infinity): string[] {
    const kept = text.replaceAll(BEFORE_UNIT, NO_BREAK);
    const words = kept.split(BREAKS).flatMap((word) => this.#pieces(word, width, style));
    const lines: string[] = [];
    let line = '';
    for (const [index, word] of words.entries()) {
      const longer = line + word;
      if (line === '' || this.widthOf(longer.trimEnd(), style) <= width) {
        line = longer;
        continue;
      }
      if (lines.length + 1 >= maximum) {
        const rest = line + words.slice(index).join('');
        return [...lines, this.fit(rest, width, style)];
      }
      lines.push(line.trimEnd());
      line = word;
    }
    return withoutWidow([...lines, line.trimEnd()]);
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

  /** Divides a text into runs of one face. A space stays in the run before it. */
  #runsOf(text: string, weight: Weight = 'regular'): Run[] {
    const runs: Run[] = [];
    for (const character of text) {
      const last = runs.at(-1);
      const face = this.#faceWith(character, weight);
      if (last && (last.face === face || (character === ' ' && last.face))) last.text += character;
      else runs.push({ face, text: character });
    }
    return runs;
  }

  #faceWith(character: string, weight: Weight): Face | undefined {
    const key = weight + character;
    if (!this.#known.has(key)) {
      const further = this.#further.find((one) => hasCharacter(one[weight], character));
      this.#known.set(key, interFace(character, weight) ?? further?.[weight]);
    }
    return this.#known.get(key);
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
  if (BREAKS.test(last)) return lines;
  const words = above.split(' ');
  if (words.length < 3) return lines;
  return [...lines.slice(0, -2), words.slice(0, -1).join(' '), `${words.at(-1)!} ${last}`];
}

function runWidth({ face, text }: Run, { size }: Style): number {
  if (face === undefined) return [...text].length * UNKNOWN_BOX.width * 1.2 * size;
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
