import { COLORS, PAGE, STYLES, type Sheet, type Structure } from './sheet.ts';
import { BASELINE, type Style } from './typesetter.ts';

export interface Column<Row> extends Shape {
  cell: CellOf<Row>;
}

interface Shape {
  title: string;
  /** Points. */
  width: number;
  align?: 'right';
  /** Lines of text before the rest is cut. */
  lines: number;
}

type CellOf<Row> = (row: Row) => Cell;

/** A column of texts or graphics. @param lines of text before the rest is cut */
export function textColumn<Row>(title: string, width: number, lines: number, cell: CellOf<Row>) {
  return { title, width, lines, cell };
}

/** A column of numbers, which end below each other. */
export function numberColumn<Row>(title: string, width: number, cell: CellOf<Row>): Column<Row> {
  return { title, width, lines: 1, align: 'right', cell };
}

/** A graphic in a cell, with the text that stands for it. */
export interface Graphic {
  alt: string;
  /** Points, of which a row of one line has room for 10. */
  height: number;
  draw(x: number, y: number, width: number): void;
}

/** Text, a graphic, or text in a style of its own. */
export type Cell = string | Graphic | { text: string; style: Style };

const GAP = 8;
const HEAD_HEIGHT = 16;
const LINE = 1.3;

interface PlacedColumn extends Shape {
  x: number;
}

/** Draws a table. Its header is repeated on each page; the height of each row is measured before it is drawn. */
export function drawTable<Row>(
  sheet: Sheet,
  columns: readonly Column<Row>[],
  entries: readonly Row[],
): void {
  let left = PAGE.left;
  const rows = entries.map((entry) => columns.map(({ cell }) => cell(entry)));
  const placed = columns.map((column): PlacedColumn => {
    const x = left;
    left += column.width + GAP;
    return { ...column, x };
  });
  const first = rows[0] === undefined ? 0 : heightOf(sheet, placed, rows[0]);
  sheet.ensure(HEAD_HEIGHT + first);
  const table = sheet.container('Table');
  drawHead(sheet, placed, table);
  for (const row of rows) {
    const height = heightOf(sheet, placed, row);
    // The header was read once: on further pages it is decoration.
    if (sheet.ensure(height)) drawHead(sheet, placed, null);
    drawRow(sheet, placed, row, table);
    sheet.y += height;
    sheet.line(sheet.y);
  }
  table.end();
  sheet.y += 4;
}

function drawHead(sheet: Sheet, columns: readonly PlacedColumn[], table: Structure | null): void {
  const { y } = sheet;
  const draw = (column: PlacedColumn) => () => drawText(sheet, column, [column.title], y, HEAD);
  if (table === null) sheet.artifact(() => columns.forEach((column) => draw(column)()));
  else {
    const row = sheet.container('TR', table);
    for (const column of columns) sheet.element('TH', draw(column), { scope: 'Column' }, row);
    row.end();
  }
  sheet.y += HEAD_HEIGHT;
  sheet.line(sheet.y - 2, COLORS.strongLine);
}

const HEAD = STYLES.head;

function drawRow(
  sheet: Sheet,
  columns: readonly PlacedColumn[],
  cells: readonly Cell[],
  table: Structure,
): void {
  const top = sheet.y + sheet.padding;
  const row = sheet.container('TR', table);
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    const tag = index === 0 ? 'TH' : 'TD';
    const options = index === 0 ? ({ scope: 'Row' } as const) : {};
    if (isGraphic(cell)) {
      const element = sheet.container(tag, row);
      // Graphics stand on the baseline of the text beside them.
      const y = top + STYLES.cell.size * BASELINE - cell.height;
      const bbox = [column.x, y, column.x + column.width, y + cell.height];
      const draw = () => cell.draw(column.x, y, column.width);
      sheet.element('Figure', draw, { alt: cell.alt, bbox }, element);
      element.end();
      continue;
    }
    const style = styleOf(cell);
    const lines = linesOf(sheet, column, cell);
    sheet.element(tag, () => drawText(sheet, column, lines, top, style), options, row);
  }
  row.end();
}

function drawText(
  sheet: Sheet,
  { x, width, align }: PlacedColumn,
  lines: readonly string[],
  y: number,
  style: Style,
): void {
  for (const [index, text] of lines.entries()) {
    const left = align === 'right' ? x + width - sheet.type.widthOf(text, style) : x;
    sheet.type.draw(text, left, y + index * style.size * LINE, style);
  }
}

function heightOf(sheet: Sheet, columns: readonly Shape[], cells: readonly Cell[]): number {
  const heights = columns.map((column, index) => {
    const cell = cells[index]!;
    if (isGraphic(cell)) return STYLES.cell.size * LINE;
    return linesOf(sheet, column, cell).length * styleOf(cell).size * LINE;
  });
  return Math.max(...heights) + 2 * sheet.padding;
}

function linesOf(sheet: Sheet, { width, lines }: Shape, cell: Exclude<Cell, Graphic>) {
  const text = typeof cell === 'string' ? cell : cell.text;
  const style = styleOf(cell);
  return lines === 1
    ? [sheet.type.fit(text, width, style)]
    : sheet.type.wrap(text, width, style, lines);
}

const styleOf = (cell: Exclude<Cell, Graphic>): Style =>
  typeof cell === 'string' ? STYLES.cell : cell.style;

function isGraphic(cell: Cell): cell is Graphic {
  return typeof cell === 'object' && 'draw' in cell;
}
