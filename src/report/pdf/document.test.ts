import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sampleFacts, sampleFigures } from '../../../test/support/report-facts.ts';
import { BRAND, CHART_COLORS } from '../../lib/brand.ts';
import { HOSTILE_PNGS } from '../../../test/hostile/images.ts';
import { REPORT_LANGUAGES, REPORT_WORDS } from '../words/words.ts';
import { formatOf } from '../format.ts';
import { barStatus, sharedDays, sharesOf, ticksOf } from './bars.ts';
import { drawReport } from './document.ts';
import { createReportPrinter } from './printer.ts';
import { facesOf, Typesetter } from './typesetter.ts';

const duration = fc.integer({ min: 0, max: 86_400_000 });
const day = fc.record({
  upMs: duration,
  degradedMs: duration,
  downMs: duration,
  excludedMs: duration,
  unobservedMs: duration,
});

/** The objects of a PDF file, without its streams, and the contents of these. */
async function partsOf(facts = sampleFacts()) {
  const bytes = Buffer.from(await drawReport(facts, null));
  const text = bytes.toString('latin1');
  const contents = [...text.matchAll(/stream\r?\n/g)].map(({ index, 0: begin }) => {
    const from = index + begin.length;
    try {
      return inflateSync(bytes.subarray(from, text.indexOf('endstream', from))).toString('latin1');
    } catch {
      return '';
    }
  });
  return { text, contents: contents.join('\n') };
}

const inThousandths = (share: number) => Math.round(share * 1_000);
const rgb = (color: string) =>
  [1, 3, 5].map((at) => inThousandths(parseInt(color.slice(at, at + 2), 16) / 255));

describe('the PDF file', () => {
  test.each(REPORT_LANGUAGES)(
    'is tagged, in %s, with title and bookmarks [45.16]',
    async (language) => {
      const { text, contents } = await partsOf(sampleFacts({ language }));
      const parts = [
        '/MarkInfo',
        '/StructTreeRoot',
        `/Lang (${language})`,
        '/DisplayDocTitle true',
        '(Daily)',
        '(Northwind)',
        '/Author ',
        '/Outlines',
        ...['H1', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'].map((tag) => `/S /${tag}\n`),
      ];
      expect(parts.filter((part) => !text.includes(part))).toEqual([]);
      expect(contents.includes('/Artifact')).toBe(true);
      // Each graphic has a text that stands for it.
      const figures = text.split('endobj').filter((object) => /\/S \/Figure\b/.test(object));
      for (const figure of figures) expect(figure).toContain('/Alt');
    },
  );

  it('has no content outside of tags and artifacts', async () => {
    const { contents } = await partsOf();
    let depth = 0;
    for (const [operator] of contents.matchAll(/\b(BDC|BMC|EMC|TJ|Tj)\b/g)) {
      if (operator === 'EMC') depth -= 1;
      else if (operator === 'BDC' || operator === 'BMC') depth += 1;
      else expect(depth).toBe(1);
    }
    expect(depth).toBe(0);
  });

  it('is drawn by a process, also after an error there', async () => {
    const printer = createReportPrinter();
    await expect(printer.run(1, {} as never)).rejects.toThrow('TypeError');
    const logo = { type: 'image/png', bytes: Buffer.from('x') };
    const bytes = await printer.run(1, { facts: sampleFacts(), logo });
    expect(Buffer.from(bytes).toString('latin1', 0, 8)).toBe('%PDF-1.7');
  });

  it.each(HOSTILE_PNGS)(
    'has no logo where the stored one is made to crash or hang: %s',
    async (_, bytes) => {
      const file = await drawReport(sampleFacts(), { type: 'image/png', bytes });
      expect(Buffer.from(file).toString('latin1')).not.toContain('/Subtype /Image');
    },
  );

  it('is given up when the process stops', async () => {
    const printer = createReportPrinter();
    const drawn = printer.run(1, { facts: sampleFacts(), logo: null });
    const waiting = printer.run(2, { facts: sampleFacts(), logo: null });
    const both = Promise.allSettled([drawn, waiting]);
    printer.stop();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('shows the colors of the dashboard, and hatches what was not observed', async () => {
    const [shown] = sampleFacts().monitors;
    const days = shown!.days.map((one) => ({ ...one!, upMs: 0, downMs: 0, unobservedMs: 1 }));
    const { contents } = await partsOf(sampleFacts({ monitors: [{ ...shown!, days }] }));
    const colors = (operator: string) =>
      [...contents.matchAll(new RegExp(`([\\d. ]+) ${operator}\\n`, 'g'))].map(([, numbers]) =>
        numbers!
          .trim()
          .split(' ')
          .map((number) => inThousandths(Number(number))),
      );
    expect(colors('scn')).toContainEqual(rgb(BRAND['surface-2'][0]));
    expect(colors('SCN')).toContainEqual(rgb(CHART_COLORS['none-fill'][0]));
    for (const used of colors('scn')) {
      const known = [...Object.values(BRAND), ...Object.values(CHART_COLORS)].map(([light]) =>
        rgb(light),
      );
      expect(known).toContainEqual(used);
    }
  });

  it('is drawn for a report about nothing', async () => {
    const empty = { monitors: [], groups: [], tags: [], incidents: [], exclusions: [] };
    const { text } = await partsOf(sampleFacts({ ...empty, responseDays: [], days: [] }));
    expect(text).toContain('%%EOF');
  });
});

describe('bars', () => {
  it('show the worst status of a day', () => {
    const none = { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0, unobservedMs: 0 };
    expect(barStatus(null)).toBe(null);
    expect(barStatus({ ...none, unobservedMs: 1 })).toBe('unobserved');
    expect(barStatus({ ...none, unobservedMs: 9, upMs: 1 })).toBe('up');
    expect(barStatus({ ...none, upMs: 9, excludedMs: 1 })).toBe('excluded');
    expect(barStatus({ ...none, upMs: 9, degradedMs: 1, excludedMs: 1 })).toBe('degraded');
    expect(barStatus({ ...none, upMs: 9, degradedMs: 1, downMs: 1 })).toBe('down');
  });

  it('share days above a hundred, and lose no time', () => {
    fc.assert(
      fc.property(fc.array(fc.option(day), { maxLength: 400 }), (days) => {
        const shared = sharedDays(days);
        expect(shared.length).toBeLessThanOrEqual(100);
        const sum = (list: typeof days) => list.reduce((all, one) => all + (one?.downMs ?? 0), 0);
        expect(sum(shared)).toBe(sum(days));
      }),
    );
  });

  it('have shares that sum up to 1, and show even short downtime', () => {
    fc.assert(
      fc.property(day, (one) => {
        const shares = sharesOf(one);
        const sum = shares.reduce((all, [, share]) => all + share, 0);
        if (shares.length > 0) expect(sum).toBeCloseTo(1);
        const down = shares.find(([status]) => status === 'down');
        expect(down === undefined).toBe(one.downMs === 0);
        if (down !== undefined) expect(down[1]).toBeGreaterThan(0.045);
      }),
    );
  });
});

test.each([
  [0.5, [0, 0.5, 1]],
  [380, [0, 100, 200, 300, 400]],
  [1_700, [0, 500, 1_000, 1_500, 2_000]],
  [4, [0, 1, 2, 3, 4]],
])('an axis up to %d has %j', (maximum, ticks) => {
  expect(ticksOf(maximum).at(-1)).toBeGreaterThanOrEqual(maximum);
  if (maximum > 1) expect(ticksOf(maximum)).toEqual(ticks);
});

test('a paragraph does not end with a line of one word', async () => {
  const style = { size: 10 };
  const text = 'There were 17 outages, with 2 h 45 min of downtime in all monitors of the team.';
  const type = new Typesetter({} as PDFKit.PDFDocument, await facesOf(text, 'en'));
  for (let width = 80; width < 400; width += 10) {
    const lines = type.wrap(text, width, style);
    expect(lines.join(' ').replaceAll('\u00a0', ' ')).toBe(text);
    for (const line of lines) expect(type.widthOf(line, style)).toBeLessThanOrEqual(width);
    if (lines.length > 1) expect(lines.at(-1)).toContain(' ');
  }
});

test.each([
  ['zh-CN', '董事会月度报告：可用率与故障概览，繁體字', 'NotoSansSC'],
  ['ja', '経営会議向け月次レポート：稼働率、停止時間', 'NotoSansJP'],
])(
  'Chinese and Japanese text is in a font of its own: %s [45.34]',
  async (language, name, font) => {
    const drawn = await drawReport(sampleFacts({ language: language as 'ja', name }), null);
    expect(Buffer.from(drawn).toString('latin1')).toContain(font);
    const type = new Typesetter({} as PDFKit.PDFDocument, await facesOf(name, language));
    for (const weight of ['regular', 'bold'] as const)
      expect(type.widthOf(name, { size: 10, weight })).toBeCloseTo([...name].length * 10);
    // Lines end between any two characters, but not before a mark that closes.
    for (let width = 30; width < 200; width += 10) {
      const lines = type.wrap(name, width, { size: 10 });
      expect(lines.join('')).toBe(name);
      for (const line of lines) expect(line).not.toMatch(/^[：，、]/);
    }
  },
);

test('characters that no font has are boxes, and the report says so [45.34]', async () => {
  const type = new Typesetter({} as PDFKit.PDFDocument, await facesOf('ไทย', 'en'));
  expect(type.widthOf('ไ', { size: 10 })).toBeCloseTo(7.44);
});

test('a period before the first monitor is one page with a sentence [45.35]', async () => {
  const total = { figures: sampleFigures(null), other: null };
  const nothing = { total, incidents: [], incidentsTotal: 0, exclusions: [], exclusionsTotal: 0 };
  const { text } = await partsOf(sampleFacts(nothing));
  expect(text.match(/\/Type \/Page\n/g)).toHaveLength(1);
});

test('the summary of a first month says when it began [45.35]', () => {
  const facts = sampleFacts();
  const days = [facts.days[0]!, { from: facts.days[0]!.to, to: facts.days[0]!.to + 86_400_000 }];
  const monitors = facts.monitors.map((one) => ({ ...one, days: [null, one.days[0]!] }));
  expect(formatOf(facts).summary({ ...facts, days, monitors })).toMatch(
    /observed\. Monitoring began on 2 Jan\.$/,
  );
});

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();

test('all languages have the same words, and fill in the same values', () => {
  const english = REPORT_WORDS.en;
  for (const language of REPORT_LANGUAGES) {
    const words = REPORT_WORDS[language];
    expect(words.methodLines).toHaveLength(english.methodLines.length);
    expect(Object.keys(words.types)).toEqual(Object.keys(english.types));
    for (const [name, value] of Object.entries(english)) {
      if (typeof value !== 'string') continue;
      const own = words[name as keyof typeof words] as string;
      expect([language, name, placeholders(own)]).toEqual([language, name, placeholders(value)]);
    }
  }
});
