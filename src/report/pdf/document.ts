import Pdf from 'pdfkit';
import type { ReportFacts, Durations } from '../model.ts';
import { fill } from '../words/words.ts';
import type { Logo } from './printer.ts';
import { drawRanking, drawSections } from './sections.ts';
import { PAGE, STYLES, Sheet, COLORS, TEXT_WIDTH } from './sheet.ts';
import { formatOf } from '../format.ts';
import { facesOf, type Faces } from './typesetter.ts';
import { initialOf } from '../../lib/text.ts';
import { sumOfDurations } from '../figures.ts';
import { drawLegend, shareBarsOf } from './bars.ts';
import { rewritePng } from '../../status-page/text/png.ts';

/** Draws a report as a tagged PDF file (PDF 1.7), with bookmarks and page numbers. */
export async function drawReport(facts: ReportFacts, logo: Logo | null) {
  const fonts = await facesOf(textOf(facts), facts.language);
  const first = await drawOnce({ facts, logo, fonts, padding: 4 });
  if (first.lastPage > SHORT_PAGE || facts.monitors.length > MAX_DRAWN_AGAIN) return first.bytes;
  for (const padding of [3, 2]) {
    const { pages, bytes } = await drawOnce({ facts, logo, fonts, padding });
    if (pages < first.pages) return bytes;
  }
  return first.bytes;
}

/** A last page that ends above this share of its height is avoided if less room between lines does it. */
const SHORT_PAGE = 0.35;
/** Monitors of a report that is drawn again, which takes about 3 ms for each. */
const MAX_DRAWN_AGAIN = 200;

interface Drawing {
  facts: ReportFacts;
  logo: Logo | null;
  fonts: readonly Faces[];
  /** Points above and below the text of a row. */
  padding: number;
}

async function drawOnce({ facts, logo, fonts, padding }: Drawing) {
  const title = facts.name ?? facts.team;
  const created = new Date(facts.generatedAt);
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: facts.language,
    info: { Title: title, Author: facts.team, Creator: 'Tocsin', CreationDate: created },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => doc.on('end', resolve).on('error', reject));
  const sheet = new Sheet(doc, facts, fonts, padding);
  drawCover(sheet, logo);
  if (!isEmpty(facts)) {
    sheet.newPage();
    drawSections(sheet);
  }
  sheet.end();
  drawFooters(sheet);
  const pages = doc.bufferedPageRange().count;
  doc.end();
  await ended;
  const bytes = new Uint8Array(Buffer.concat(chunks)) as Uint8Array<ArrayBuffer>;
  return { bytes, pages, lastPage: (sheet.y - PAGE.top) / (PAGE.bottom - PAGE.top) };
}

/** Whether a report is of a time without monitors: dashes and zeros would read as a month without a fault. */
function isEmpty({ total, incidentsTotal, exclusionsTotal }: ReportFacts): boolean {
  return total.figures.uptimePercent === null && incidentsTotal === 0 && exclusionsTotal === 0;
}

/** All characters of a report. */
function textOf(facts: ReportFacts): string {
  const { words, moment, period } = formatOf(facts);
  const times = [moment(facts.generatedAt), period(facts.period)];
  return JSON.stringify([facts, initialOf(facts.team), words, times]);
}

/** Title, period and page number on all pages but the cover. */
function drawFooters(sheet: Sheet): void {
  const { doc, facts, format, type } = sheet;
  const { count } = doc.bufferedPageRange();
  const title = `${facts.name ?? facts.team} · ${format.period(facts.period)}`;
  for (let index = 1; index < count; index++) {
    doc.switchToPage(index);
    const page = fill(format.words.page, { page: index + 1, pages: count });
    const width = type.widthOf(page, STYLES.small);
    sheet.artifact(() => {
      type.draw(
        type.fit(title, PAGE.right - PAGE.left - width - 20, STYLES.small),
        PAGE.left,
        PAGE.footer,
        STYLES.small,
      );
      type.draw(page, PAGE.right - width, PAGE.footer, STYLES.small);
    });
  }
}

const LOGO = { width: 180, height: 48 };
const TILE_HEIGHT = 44;

/** First page: whose report it is, its summary in sentences, and the figures of all monitors together. */
function drawCover(sheet: Sheet, logo: Logo | null): void {
  const { facts, format, type } = sheet;
  const { words } = format;
  sheet.doc.outline.addItem(words.uptimeReport);
  sheet.y = 64;
  if (!drawLogo(sheet, logo)) drawMark(sheet);
  sheet.y = 176;
  sheet.paragraph(words.uptimeReport, { size: 12, weight: 'bold', color: COLORS.muted });
  const title = type.wrap(facts.name ?? facts.team, TEXT_WIDTH, STYLES.title, 3);
  const top = sheet.y;
  sheet.element('H1', () =>
    title.forEach((line, index) => type.draw(line, PAGE.left, top + index * 38, STYLES.title)),
  );
  sheet.y += title.length * 38 + 6;
  sheet.paragraph(format.period(facts.period), { size: 15, color: COLORS.ink });
  sheet.y += 34;
  const made = fill(words.generated, { at: format.moment(facts.generatedAt) });
  sheet.element('P', () => type.draw(made, PAGE.left, PAGE.footer, STYLES.small));
  if (isEmpty(facts)) {
    sheet.paragraph(words.summaryNothing, STYLES.heading);
    // The time before a monitor was created does not count.
    sheet.paragraph(words.methodLines[3]!, { size: 12, color: COLORS.ink });
    return;
  }
  const percent = format.percent(facts.total.figures.uptimePercent);
  sheet.paragraph(percent, { size: 46, weight: 'bold', color: COLORS.ink });
  // The line of so large a figure is high.
  sheet.y -= 14;
  sheet.paragraph(format.summary(facts), { size: 12, color: COLORS.ink });
  if (facts.total.other !== null) sheet.paragraph(differenceText(sheet), STYLES.small);
  sheet.y += 18;
  drawTiles(sheet);
  sheet.y += 22;
  const bars = shareBarsOf(sheet, facts.total, daysOfAll(facts), 40);
  const { y } = sheet;
  const bbox = [PAGE.left, y, PAGE.right, y + bars.height];
  sheet.element('Figure', () => bars.draw(PAGE.left, y, TEXT_WIDTH), { alt: bars.alt, bbox });
  sheet.y += bars.height + 4;
  drawDates(sheet);
  drawLegend(sheet);
  drawRanking(sheet);
}

function drawLogo(sheet: Sheet, logo: Logo | null): boolean {
  const image = logo === null ? null : imageOf(logo);
  if (image === null) return false;
  const { y, doc, facts } = sheet;
  const bbox = [PAGE.left, y, PAGE.left + LOGO.width, y + LOGO.height];
  const draw = () => {
    try {
      doc.image(image, PAGE.left, y, { fit: [LOGO.width, LOGO.height] });
    } catch {
      // An image that can't be read leaves the place empty: the report matters more.
    }
  };
  sheet.element('Figure', draw, { alt: facts.team, bbox });
  return true;
}

/** The bytes of a logo that can be drawn; null for another. */
function imageOf({ type, bytes }: Logo): Buffer | null {
  if (type === 'image/jpeg') return Buffer.from(bytes);
  if (type !== 'image/png') return null;
  try {
    // The PDF library trusts the lengths in a PNG file, and logos of earlier releases are as they were sent.
    const image = rewritePng(Buffer.from(bytes));
    return typeof image === 'string' ? null : image;
  } catch {
    return null;
  }
}

/** Initial and name of the team, as above mails and public pages. */
function drawMark(sheet: Sheet): void {
  const { y, doc, type, facts } = sheet;
  const size = 28;
  const letter = initialOf(facts.team);
  const initial = { size: 15, weight: 'bold', color: COLORS.onMark } as const;
  const name = { size: 14, weight: 'bold', color: COLORS.ink } as const;
  sheet.artifact(() => {
    doc.roundedRect(PAGE.left, y, size, size, 7).fill(COLORS.mark);
    const left = PAGE.left + (size - type.widthOf(letter, initial)) / 2;
    type.draw(letter, left, y + (size - initial.size * 1.21) / 2, initial);
  });
  const left = PAGE.left + size + 10;
  const text = type.fit(facts.team, PAGE.right - left, name);
  sheet.element('P', () => type.draw(text, left, y + (size - name.size * 1.21) / 2, name));
}

function differenceText({ facts, format }: Sheet): string {
  const { figures, other } = facts.total;
  const [main, second] = [figures.uptimePercent, other!.uptimePercent].map((value) =>
    format.percent(value),
  ) as [string, string];
  const [corrected, uncorrected] = facts.isCorrected ? [main, second] : [second, main];
  return fill(format.words.differs, { corrected, uncorrected });
}

function drawTiles(sheet: Sheet): void {
  const { figures } = sheet.facts.total;
  const { words, percent, count, duration, milliseconds } = sheet.format;
  const tiles: [string, string][] = [
    [words.observed, percent(figures.observedPercent, 2)],
    [words.outages, count(figures.outages)],
    [words.downtime, duration(figures.downMs)],
    ['MTTR', duration(figures.mttrMs)],
    // Of several monitors, their added times say nothing about the time between two outages.
    ...(sheet.facts.monitors.length === 1
      ? [['MTBF', duration(figures.mtbfMs)] as [string, string]]
      : []),
    ['p95', milliseconds(figures.responseTimes.p95)],
  ];
  const { y } = sheet;
  const width = TEXT_WIDTH / tiles.length;
  sheet.line(y);
  const value = { size: 12.5, weight: 'bold', color: COLORS.ink } as const;
  for (const [index, [label, text]] of tiles.entries()) {
    const x = PAGE.left + index * width;
    sheet.element('P', () => {
      sheet.type.draw(sheet.type.fit(label, width - 6, STYLES.small), x, y + 8, STYLES.small);
      sheet.type.draw(sheet.type.fit(text, width - 6, value), x, y + 20, value);
    });
  }
  sheet.line(y + TILE_HEIGHT);
  sheet.y += TILE_HEIGHT;
}

function drawDates(sheet: Sheet): void {
  const { facts, format, type, y } = sheet;
  const [from, to] = [facts.period.from, facts.period.to - 1].map((at) => format.day(at)) as [
    string,
    string,
  ];
  sheet.artifact(() => {
    type.draw(from, PAGE.left, y, STYLES.small);
    type.draw(to, PAGE.right - type.widthOf(to, STYLES.small), y, STYLES.small);
  });
  sheet.y += 20;
}

/** Days of all monitors together; null before the first was created. */
function daysOfAll({ days, monitors }: ReportFacts): (Durations | null)[] {
  return days.map((_, index) => {
    const known = monitors.flatMap((monitor) => monitor.days[index] ?? []);
    return known.length === 0 ? null : sumOfDurations(known);
  });
}
