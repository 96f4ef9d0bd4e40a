import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browser } from '../../../test/support/chromium.ts';
import { eventfulFacts } from '../../../test/support/feed-facts.ts';
import { PAGE_NOW } from '../../../test/support/page-facts.ts';
import { renderBadge } from '../render/badge.ts';
import { renderFeed } from '../render/feeds.ts';
import { ASSETS } from '../render/assets.ts';
import { scopedCss } from './css.ts';
import { HOSTILE_CSS } from '../../../test/hostile/css.ts';
import { HOSTILE_SVG } from '../../../test/hostile/svg.ts';
import { markdownToHtml } from './markdown.ts';
import { cleanSvg } from './svg.ts';

const chromium = browser();

/** Files of the server by their path, without any policy: what is served has to be harmless by itself. */
const files = new Map<string, { type: string; body: string }>();
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type });
    response.end(file?.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function serve(path: string, type: string, body: string): void {
  files.set(path, { type: `${type}; charset=utf-8`, body });
}

/** Opens a document; tells what it requested beside the files of the server, and dialogs of scripts. */
async function open(path: string): Promise<{ page: Page; events: string[] }> {
  const page = await (await chromium()).newPage();
  const events: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) || !files.has(url.slice(origin.length))) events.push(url);
  });
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(origin + path);
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  return { page, events };
}

const HTML = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">
<body class="page"><header><h2>Acme</h2><a href="#x">link</a><input value="abc"></header><main><section class="state down"><h1>Checkout is down.</h1></section>
<ul><li class="svc"><p class="r">Checkout <span class="st down">Down</span></p></li></ul><p>text</p></main></body></html>`;

/** Size and visibility of the first sentence. */
const STATE = `(() => {
  const element = document.querySelector('.state h1');
  const { display, visibility, opacity, fontSize, position, color } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return { display, visibility, opacity, position, isInWindow: box.left >= 0 && box.top >= 0 && box.top < 700, isReadable: parseFloat(fontSize) >= 12 && box.height >= 12 && box.width >= 12, isOpaque: !color.includes('/') && !color.startsWith('rgba') };
})()`;
const VISIBLE = {
  display: 'block',
  visibility: 'visible',
  opacity: '1',
  position: 'static',
  isInWindow: true,
  isReadable: true,
  isOpaque: true,
};

const PAGE = `<!doctype html><html lang="ja"><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">
<body class="page"><header>Acme</header><section class="state down"><h1>Checkout is down.</h1><p>As of <b>now</b></p></section>
<section class="card"><header>Services</header><div class="grp"><h3>Shop</h3><span class="down">Down</span></div>
<ul><li class="svc"><div class="r"><span class="name">Checkout</span> <span class="st down">Down</span></div></li></ul>
<p class="legend"><span>Up</span></p></section><footer>Text</footer></body></html>`;

const OURS = ASSETS.find(({ path }) => path.endsWith('style.css'))!.bytes.toString();

/** Custom CSS that makes text unreadable. */
const RECOLORING = {
  'color on color': `.page,.page *{color:#fff;background:#fff;background-image:linear-gradient(#fff,#fff)}
    .page{--text:#fff;--text-2:#fff;--text-3:#fff;--surface:#fff;--surface-2:#fff;--line:#fff;--bg:#fff;--accent:#fff}`,
  'another type': `.page,.page *{font-family:Wingdings;font-size:64px;line-height:14px;font-weight:950;font-style:italic;
    letter-spacing:-1px;word-spacing:16px;text-transform:uppercase;text-align:right;--font:Wingdings}`,
  'shadows of texts': '.page,.page *{text-shadow:1px 1px 2px #000,-1px -1px 2px #000}',
  'shadows and outlines of neighbors': `header,footer{box-shadow:0 40px 0 40px #fff,0 -40px 0 40px #fff;
    outline:16px solid #fff;outline-offset:16px}`,
  'lines through texts': `.card{text-decoration:line-through 16px #fff} .page{text-decoration-line:line-through;
    text-decoration-thickness:16px}`,
  'lines through texts by a token': `:root{--mono:line-through 24px #fff} .card{text-decoration:var(--mono)}`,
  'lines through texts by the name of a font': `:root{--mono:line-through} .page{text-decoration-line:var(--mono)}
    .card{text-decoration:var(--mono)}`,
  'tokens that move the page': `:root{--mono:-5000px;--bg:-5000px;--shadow:-5000px} .card{margin-left:var(--bg)}
    .state,.card,body{margin-top:var(--mono)} .card{margin-left:var(--shadow)}`,
  'tokens that leave no room': `:root{--r-sm:0px;--bg:5000px solid #fff} .card{max-width:var(--r-sm);border:var(--bg)}`,
};

/** How what tells the state looks: its styles, and whether it is in the window. */
const LOOK = `[...document.querySelectorAll('.state, .state *, .grp, .grp *, .svc, .svc *, .legend, .legend *')].map((element) => {
  const style = getComputedStyle(element);
  const names = ['color', 'backgroundColor', 'backgroundImage', 'fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'lineHeight',
    'letterSpacing', 'wordSpacing', 'textTransform', 'textAlign', 'textShadow', 'position', 'zIndex'];
  const { left, right, top, width } = element.getBoundingClientRect();
  const isInWindow = left >= 0 && right <= innerWidth && top >= 0 && top < 700 && width >= 12;
  return [...names.map((name) => style[name]), isInWindow].join(' | ');
})`;
const STRUCK = `[...document.querySelectorAll('*')].filter((element) => getComputedStyle(element).textDecorationLine !== 'none').length`;

async function factsWith(css: string, colorScheme: 'light' | 'dark'): Promise<unknown> {
  serve('/page.css', 'text/css', `${OURS}\n${css}`);
  const { page } = await open('/');
  await page.emulateMedia({ colorScheme });
  const looks = [await page.evaluate(LOOK), await page.evaluate(STRUCK)];
  await page.close();
  return looks;
}

describe('in a browser', () => {
  it('the attacks work as they are written: the tests below can fail', async () => {
    serve('/', 'text/html', HTML);
    serve(
      '/page.css',
      'text/css',
      HOSTILE_CSS.find(({ name }) => name === 'background image')!.css,
    );
    const css = await open('/');
    expect(css.events).toStrictEqual(['https://evil.test/a.png']);
    await css.page.close();
    serve('/a.svg', 'image/svg+xml', HOSTILE_SVG.find(({ name }) => name === 'script')!.svg);
    const svg = await open('/a.svg');
    expect(svg.events).toStrictEqual(['dialog 1']);
    await svg.page.close();
  });

  it.each(HOSTILE_CSS)(
    'custom CSS requests nothing and hides nothing: $name [42.47]',
    async ({ css }) => {
      serve('/', 'text/html', HTML);
      serve('/page.css', 'text/css', scopedCss(css));
      const { page, events } = await open('/');
      expect(await page.evaluate(STATE)).toStrictEqual(VISIBLE);
      expect(events).toStrictEqual([]);
      await page.close();
    },
  );

  it.each(Object.entries(RECOLORING))(
    'custom CSS leaves what tells the state as it is: %s [42.47]',
    async (_name, css) => {
      serve('/', 'text/html', PAGE);
      for (const colorScheme of ['light', 'dark'] as const) {
        const plain = await factsWith('', colorScheme);
        expect(await factsWith(scopedCss(css), colorScheme)).toStrictEqual(plain);
      }
    },
  );

  it.each(HOSTILE_SVG.filter(({ inside }) => inside !== null))(
    'a logo is well-formed, requests nothing and runs nothing: $name [42.48]',
    async ({ svg }) => {
      serve('/a.svg', 'image/svg+xml', cleanSvg(svg)!);
      const { page, events } = await open('/a.svg');
      await page.mouse.move(4, 4);
      await page.mouse.click(4, 4);
      expect(await page.evaluate("document.querySelector('parsererror') === null")).toBe(true);
      expect(await page.evaluate('document.documentElement.namespaceURI')).toBe(
        'http://www.w3.org/2000/svg',
      );
      expect(events).toStrictEqual([]);
      await page.close();
    },
  );

  it('an update with markup runs nothing and requests nothing [42.44]', async () => {
    const text = [
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      '![a](https://evil.test/a.png) [b](javascript:alert(1)) <svg onload=alert(1)>',
      '[c](https://a.test/"onmouseover="alert(1))',
    ].join('\n\n');
    serve(
      '/',
      'text/html',
      `<!doctype html><link rel="icon" href="data:,">${markdownToHtml(text)}`,
    );
    const { page, events } = await open('/');
    expect(
      await page.evaluate('[...document.querySelectorAll("body *")].map((one) => one.localName)'),
    ).toStrictEqual(['p', 'p', 'p', 'a']);
    await page.hover('a');
    expect(events).toStrictEqual([]);
    await page.close();
  });

  it('feeds and badges are XML to a strict parser, whatever people write [42.51]', async () => {
    const facts = eventfulFacts({ name: 'A ]]> </title> &nbsp; \u0007 \uFFFE <b> 👩‍🚒 \u202E' });
    const query = { kind: 'status', monitorId: null } as const;
    const documents = [
      renderFeed(facts, 'atom'),
      renderFeed(facts, 'rss'),
      renderBadge(facts, query, PAGE_NOW),
    ];
    const page = await (await chromium()).newPage();
    const roots = await page.evaluate(
      `${JSON.stringify(documents)}.map((xml) => new DOMParser().parseFromString(xml, 'application/xml').documentElement.nodeName)`,
    );
    expect(roots).toStrictEqual(['feed', 'rss', 'svg']);
    await page.close();
  });
});
