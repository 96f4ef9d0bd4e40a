import fc from 'fast-check';
import { Parser, parseFeed } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { eventfulFacts } from '../../../test/support/feed-facts.ts';
import { incidentFacts, PAGE_NOW, pageFacts } from '../../../test/support/page-facts.ts';
import { renderFeed } from './feeds.ts';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import jsonFeedSchema from 'jsonfeed-schema/schema-v1.1.json' with { type: 'json' };
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';

/** Validates feeds: Atom by RFC 4287 and RSS 2.0 as RELAX NG with libxml2, JSON Feed 1.1 by its JSON Schema. */
const FEED_VALIDATORS = {
  atom: xmlValidator('atom.rng'),
  rss: xmlValidator('rss.rng'),
  jsonFeed: jsonValidator(),
} as const;

/** @returns a function from a feed to what is wrong with it; null for a valid one. */
function xmlValidator(file: string): (feed: string) => string | null {
  const schema = readFileSync(
    new URL(`../../../test/support/feed-schemas/${file}`, import.meta.url),
  );
  const validator = RelaxNGValidator.fromDoc(XmlDocument.fromBuffer(schema));
  return (feed) => {
    try {
      using document = XmlDocument.fromString(feed);
      validator.validate(document);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
}

function jsonValidator(): (feed: string) => string | null {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(jsonFeedSchema);
  return (feed) => (validate(JSON.parse(feed)) ? null : ajv.errorsText(validate.errors));
}

const BASE = 'https://up.example.com';

const PAGE = `${BASE}/status/northwind`;

const FORMATS = ['atom', 'rss', 'jsonFeed'] as const;

const TAG = 'tag:up.example.com,2026:status-page:1:announcement';

describe('feeds', () => {
  it.each(['atom', 'rss'] as const)('are read by a parser of feeds: %s [42.51]', (format) => {
    const feed = parseFeed(renderFeed(eventfulFacts(), format))!;
    expect(feed).toMatchObject({ title: 'Status of Northwind', link: PAGE });
    expect(feed.updated).toStrictEqual(new Date(PAGE_NOW - 5 * 60_000));
    expect(feed.items.map(({ id, link, title }) => ({ id, link, title }))).toStrictEqual([
      { id: `${TAG}:7`, link: `${PAGE}/incidents/7`, title: 'Payments <fail> & stay' },
      { id: `${TAG}:8`, link: `${PAGE}/incidents/8`, title: 'Storage' },
      { id: `${TAG}:5`, link: `${PAGE}/incidents/5`, title: 'Search had problems' },
    ]);
  });

  it('have the announcements, the last changed one first, as JSON Feed too [42.51]', () => {
    const feed = JSON.parse(renderFeed(eventfulFacts(), 'jsonFeed'));
    expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
    expect(feed.items.map(({ id }: { id: string }) => id)).toStrictEqual([
      `${TAG}:7`,
      `${TAG}:8`,
      `${TAG}:5`,
    ]);
    expect(feed.items[0].summary).toBe('A fix is out (https://a.test/?b&c).');
  });

  it.each(FORMATS)('are valid: %s [42.51]', (format) => {
    const problemsOf = FEED_VALIDATORS[format];
    const customDomain = 'status.northwind.test';
    for (const facts of [
      eventfulFacts(),
      eventfulFacts({ language: 'ja', customDomain }),
      pageFacts([]),
    ])
      expect(problemsOf(renderFeed(facts, format))).toBeNull();
  });

  it.each([
    ['atom', /<id>.*?<\/id>/, ''],
    ['atom', /<updated>[^<]*/, '<updated>yesterday'],
    ['atom', /<title>/, '<title type="markdown">'],
    ['atom', /href="[^"]*"/, ''],
    ['atom', '</entry>', '<mood/></entry>'],
    ['atom', '</feed>', ''],
    ['rss', /<description>.*?<\/description>/, ''],
    ['rss', /<pubDate>[^<]*/, '<pubDate>2026-11-22T14:11:00Z'],
    ['rss', /<link>[^<]*/, '<link>/status/northwind'],
    ['rss', 'version="2.0"', 'version="3"'],
    ['rss', '&lt;p&gt;', '<p>'],
    ['jsonFeed', '"version"', '"edition"'],
    ['jsonFeed', /"date_published":"[^"]*"/, '"date_published":"yesterday"'],
  ] as const)('would not be valid: %s with %s for %s', (format, part, other) => {
    const feed = renderFeed(eventfulFacts(), format);
    const broken = feed.replace(part, other);
    expect(broken).not.toBe(feed);
    expect(FEED_VALIDATORS[format](broken)).not.toBeNull();
  });

  it('have the description of the page as plain text [42.58]', () => {
    const page = { description: 'Status of **our** shop.\nIn two lines.' };
    const feed = renderFeed(pageFacts([], { page }), 'jsonFeed');
    expect(JSON.parse(feed).description).toBe('Status of our shop.\nIn two lines.');
  });

  it('tell all updates of an announcement, newest first, its times and its post-mortem [42.52]', () => {
    const { items } = JSON.parse(renderFeed(eventfulFacts(), 'jsonFeed'));
    expect(items.map(({ content_html: html }: { content_html: string }) => html)).toStrictEqual([
      [
        '<p>Affected: Checkout</p>',
        '<p><strong>Monitoring</strong> · 22 Nov 2026, 14:11 UTC</p>',
        '<p>A <strong>fix</strong> is <a href="https://a.test/?b&amp;c" rel="nofollow noopener">out</a>.</p>',
        '<p><strong>Identified</strong> · 22 Nov 2026, 14:08 UTC</p>',
        '<p>Found it.</p>',
        '<p><strong>Investigating</strong> · 22 Nov 2026, 14:02 UTC</p>',
        '<p>Our checks find that Checkout is down.</p>',
      ].join('\n'),
      [
        '<p>22 Nov 2026, 15:16–16:16 UTC</p>',
        '<p><strong>Scheduled</strong> · 22 Nov 2026, 09:16 UTC</p>',
        '<p>This maintenance is planned.</p>',
      ].join('\n'),
      [
        '<p>Affected: Search</p>',
        '<h2>Post-mortem</h2>',
        '<p>Because.</p>',
        '<p><strong>Resolved</strong> · 21 Nov 2026, 23:16 UTC</p>',
        '<p>Our checks find that Search is up again.</p>',
      ].join('\n'),
    ]);
  });

  it('have the language of the page, and addresses on its domain; ids stay [42.52]', () => {
    const facts = eventfulFacts({ language: 'ja', customDomain: 'status.northwind.test' });
    const atom = renderFeed(facts, 'atom');
    expect(atom).toContain('xml:lang="ja"');
    expect(atom).toContain(
      'rel="self" type="application/atom+xml" href="https://status.northwind.test/northwind.atom"',
    );
    expect(atom).toContain('href="https://status.northwind.test/northwind/incidents/7"');
    expect(atom).toContain(`<id>${TAG}:7</id>`);
    expect(renderFeed(facts, 'rss')).toContain('<language>ja</language>');
  });

  it('have what Atom requires, in each entry [42.51]', () => {
    const atom = renderFeed(eventfulFacts(), 'atom');
    const children = childrenOf(atom);
    for (const name of ['id', 'title', 'updated', 'author'])
      expect(children.get('feed')).toContain(name);
    for (const name of ['id', 'title', 'updated', 'content', 'link'])
      expect(children.get('entry')).toContain(name);
    const times = [...atom.matchAll(/<(?:updated|published)>([^<]*)</g)].map(([, time]) => time!);
    for (const time of times) expect(new Date(time).toISOString()).toBe(time);
  });

  it('are the same until something changes, also without announcements', () => {
    const facts = pageFacts([]);
    const later = { ...facts, readAt: facts.readAt + 60_000 };
    expect(renderFeed(later, 'atom')).toBe(renderFeed(facts, 'atom'));
    expect(parseFeed(renderFeed(facts, 'atom'))!.items).toStrictEqual([]);
  });

  it('are valid whatever people write [42.51]', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        ']]>',
        '</title><script>',
        '&nbsp;',
        '\u0000\u0007',
        '\uD800',
        '\u202E',
        '👩‍🚒',
        '<![CDATA[',
        '--',
        '\uFFFE',
      ),
    );
    fc.assert(
      fc.property(text, text, text, (name, title, body) => {
        const updates = [
          { id: 1, state: 'identified', text: body, at: PAGE_NOW, editedAt: null },
        ] as const;
        const services = [{ monitorId: 1, name }];
        const facts = pageFacts([], {
          page: { name, description: title },
          announcements: [
            incidentFacts({ title, updates, services }),
            incidentFacts({ id: 9, services }),
          ],
        });
        for (const format of ['atom', 'rss'] as const) {
          const xml = renderFeed(facts, format);
          expect(xml.isWellFormed()).toBe(true);
          expect(xml).not.toMatch(/(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/u);
          expect(xml.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
          expect(new Set(childrenOf(xml).keys())).toStrictEqual(NAMES[format]);
        }
        for (const format of FORMATS)
          expect(FEED_VALIDATORS[format](renderFeed(facts, format))).toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});

const NAMES = {
  atom: new Set(['', 'feed', 'author', 'entry']),
  rss: new Set(['', 'rss', 'channel', 'item']),
};

/** Names of the elements in each element that has any. */
function childrenOf(xml: string): Map<string, string[]> {
  const children = new Map<string, string[]>();
  const open = [''];
  const parser = new Parser(
    {
      onopentag(name) {
        const parent = open.at(-1)!;
        children.set(parent, [...(children.get(parent) ?? []), name]);
        open.push(name);
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return children;
}
