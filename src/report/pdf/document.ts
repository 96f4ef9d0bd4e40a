import Pdf from 'pdfkit';
import type { ReportFacts } from '../model.ts';
import { fill } from '../words/words.ts';
import { drawCover } from './cover.ts';
import type { Logo } from './printer.ts';
import {
  drawDifferences,
  drawExclusions,
  drawIncidents,
  drawMethod,
  drawMonitors,
  drawObjectives,
  drawParts,
  drawRanking,
  drawResponseTimes,
} from './sections.ts';
import { PAGE, STYLES, Sheet } from './sheet.ts';

/** Draws a report as a tagged PDF file (PDF 1.7), with bookmarks and page numbers. */
export async function drawReport(
  facts: ReportFacts,
  logo: Logo | null,
): Promise<Uint8Array<ArrayBuffer>> {
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
  const sheet = new Sheet(doc, facts);
  const { words } = sheet.format;
  drawCover(sheet, logo);
  sheet.newPage();
  drawMonitors(sheet);
  drawParts(sheet, words.groups, facts.groups);
  drawParts(sheet, words.tags, facts.tags);
  drawObjectives(sheet);
  drawResponseTimes(sheet);
  drawRanking(sheet);
  drawIncidents(sheet);
  drawExclusions(sheet);
  drawDifferences(sheet);
  drawMethod(sheet);
  sheet.end();
  drawFooters(sheet);
  doc.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks)) as Uint8Array<ArrayBuffer>;
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
