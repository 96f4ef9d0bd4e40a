import type { ReportFacts } from '../model.ts';
import { BRAND, CHART_COLORS } from '../../lib/brand.ts';
import { formatOf, type Format } from '../format.ts';
import { Typesetter, type Faces, type Style } from './typesetter.ts';

/** A4 in points, and its margins. */
export const PAGE = {
  width: 595.28,
  height: 841.89,
  left: 48,
  right: 547.28,
  top: 56,
  bottom: 782,
  footer: 806,
};
export const TEXT_WIDTH = PAGE.right - PAGE.left;

export const COLORS = {
  ink: BRAND.text[0],
  muted: BRAND['text-3'][0],
  line: BRAND.line[0],
  strongLine: BRAND['line-2'][0],
  mark: BRAND.inverse[0],
  onMark: BRAND['on-inverse'][0],
  up: BRAND['up-fill'][0],
  degraded: BRAND['warn-fill'][0],
  down: BRAND['down-fill'][0],
  downText: BRAND['down-text'][0],
  excluded: BRAND['maint-fill'][0],
  hatch: CHART_COLORS['none-fill'][0],
  hatchGround: BRAND['surface-2'][0],
} as const;

export const STYLES = {
  title: { size: 30, weight: 'bold', color: COLORS.ink },
  heading: { size: 17, weight: 'bold', color: COLORS.ink },
  text: { size: 10, color: COLORS.ink },
  cell: { size: 8.5, color: COLORS.ink },
  head: { size: 7.5, weight: 'bold', color: COLORS.muted },
  small: { size: 8, color: COLORS.muted },
} as const satisfies Record<string, Style>;

export type Structure = PDFKit.PDFStructureElement;
type ElementOptions = { alt?: string; bbox?: number[]; scope?: 'Column' | 'Row' };

/** Document under construction: pages, a cursor, and the tags that screen readers follow. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly format: Format;
  readonly facts: ReportFacts;
  /** Top of what is drawn next, in points from the top of the page. */
  y = PAGE.top;
  readonly #root: Structure;

  /** Points above and below the text of a row. */
  readonly padding: number;

  constructor(
    doc: PDFKit.PDFDocument,
    facts: ReportFacts,
    fonts: readonly Faces[],
    padding: number,
  ) {
    this.padding = padding;
    this.doc = doc;
    this.facts = facts;
    this.type = new Typesetter(doc, fonts);
    this.format = formatOf(facts);
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  end(): void {
    this.#root.end();
  }

  /** Adds an element with content below `parent`, or the document. Its content must be on one page. */
  element(
    type: string,
    draw: () => void,
    options: ElementOptions = {},
    parent: Structure = this.#root,
  ): void {
    const element = this.doc.struct(type, options as { alt?: string }, [draw]);
    parent.add(element);
  }

  /** Adds an element that others are added to; end it with `end()`. */
  container(type: string, parent: Structure = this.#root): Structure {
    const element = this.doc.struct(type);
    parent.add(element);
    return element;
  }

  /** Draws what screen readers leave out, such as lines and page numbers. */
  artifact(draw: () => void): void {
    this.doc.markContent('Artifact');
    draw();
    this.doc.endMarkedContent();
  }

  /** Makes room for a height in points, on a new page if necessary. @returns whether it began one. */
  ensure(height: number): boolean {
    if (this.y + height <= PAGE.bottom) return false;
    this.newPage();
    return true;
  }

  newPage(): void {
    this.doc.addPage();
    this.y = PAGE.top;
  }

  /** Heading of a section with its bookmark. Keeps a height in points below it on its page. */
  heading(text: string, keep = 60): void {
    if (this.y > PAGE.top) this.y += this.padding * 5;
    this.ensure(28 + keep);
    this.doc.outline.addItem(text);
    const { y } = this;
    this.element('H1', () => this.type.draw(text, PAGE.left, y, STYLES.heading));
    this.y += 30;
  }

  paragraph(text: string, style: Style = STYLES.text, { tag = 'P', indent = 0 } = {}): void {
    const lines = this.type.wrap(text, TEXT_WIDTH - indent, style);
    const step = style.size * 1.45;
    this.ensure(lines.length * step);
    const { y } = this;
    this.element(tag, () => {
      for (const [index, line] of lines.entries())
        this.type.draw(line, PAGE.left + indent, y + index * step, style);
    });
    this.y += lines.length * step + step * 0.35;
  }

  line(y: number, color: string = COLORS.line): void {
    this.artifact(() => {
      this.doc.lineWidth(0.5).moveTo(PAGE.left, y).lineTo(PAGE.right, y).stroke(color);
    });
  }
}
