import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { NO_BREAK } from '../format.ts';

type Weight = 'regular' | 'bold';

export interface Style {
  /** Points. */
  size: number;
  weight?: Weight;
  color?: string;
}

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

const hasCharacter = ({ font }: Face, character: string) =>
  font.hasGlyphForCodePoint(character.codePointAt(0)!);

/**
 * Faces of the characters of a text: Inter, and Noto Sans for Chinese, Japanese and Korean. Their packages hold files by ranges
 * of characters, about 100 each for Noto Sans, of which a document needs 1 to 50. The language decides between the shapes that
 * Chinese and Japanese have of one character.
 */
export async function facesOf(text: string, language: string): Promise<Faces[]> {
  const rest = new Set(text);
  const found: Faces[] = [];
  const noto = ['noto-sans-sc', 'noto-sans-jp'];
  for (const family of ['inter', ...(language === 'ja' ? noto.toReversed() : noto)]) {
    const ranges: Record<string, string> = require(`@fontsource-variable/${family}/unicode.json`);
    for (const [key, range] of Object.entries(ranges)) {
      const isOwn = rangeTest(range);
      if (![...rest].some((character) => isOwn(character.codePointAt(0)!))) continue;
      const part = `${family}-${key.replaceAll(/[[\]]/g, '')}`;
      const file = require.resolve(
        `@fontsource-variable/${family}/files/${part}-wght-normal.woff2`,
      );
      const [regular, bold] = [await faceOf(file, part, 400), await faceOf(file, part, 600)];
      for (const character of rest) if (hasCharacter(regular, character)) rest.delete(character);
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
async function faceOf(file: string, part: string, weight: number): Promise<Face> {
  const name = `${part}-${weight}`;
  const known = faces.get(name);
  if (known !== undefined) return known;
  const { default: subsetFont } = await import('subset-font');
  const bytes = await subsetFont(readFileSync(file), '', {
    keepAllGlyphs: true,
    keepFeatures: ['tnum'],
    noHinting: true,
    targetFormat: 'sfnt',
    variationAxes: { wght: weight },
  });
  const face = { name, bytes, font: create(bytes) as Font, widths: new Map() };
  faces.set(name, face);
  return face;
}

/** Characters of one face; undefined for those that no face has. */
interface Run {
  face: Face | undefined;
  text: string;
}

/** Text in fonts of several faces, of which a document embeds those that it uses. */
export class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #faces: readonly Faces[];
  readonly #registered = new Set<string>();
  /** Faces by weight and character. */
  readonly #known = new Map<string, Face | undefined>();
  /** Whether a character was drawn as a box, since no face has it. */
  hasUnknown = false;

  /** @param available those of `facesOf` for the texts of the document. */
  constructor(doc: PDFKit.PDFDocument, available: readonly Faces[]) {
    this.#doc = doc;
    this.#faces = available;
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
      const found = this.#faces.find((one) => hasCharacter(one[weight], character));
      this.#known.set(key, found?.[weight]);
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
