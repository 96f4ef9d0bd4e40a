/** Drawings that attack or exhaust, with what is left of them. */
export interface HostileSvg {
  name: string;
  svg: string;
  /** Inside of the cleaned drawing's root; null if the whole is refused. */
  inside: string | null;
}

const RECT = '<rect width="9" height="9"/>';
const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

function drawing(inside: string): string {
  return `<svg ${XMLNS}>${inside}</svg>`;
}

/** Entities of which each is ten of the one before. */
function laughs(): string {
  const entities = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  );
  return `<!DOCTYPE svg [<!ENTITY l0 "ha">${entities.join('')}]>${drawing(`<text>&l9;</text>${RECT}`)}`;
}

/** Groups of which each uses the next one twice. */
function chain(): string {
  const groups = Array.from({ length: 30 }, (_, index) => {
    const next = `<use href="#g${index + 1}"/>`;
    return `<g id="g${index}">${next}${next}</g>`;
  });
  return drawing(`${groups.join('')}<g id="g30">${RECT}</g>`);
}

export const HOSTILE_SVG: readonly HostileSvg[] = [
  { name: 'script', svg: drawing(`<script>alert(1)</script>${RECT}`), inside: RECT },
  {
    name: 'script with CDATA',
    svg: drawing(`<script><![CDATA[alert(1)]]></script>${RECT}`),
    inside: RECT,
  },
  {
    name: 'script of another namespace',
    svg: drawing(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>${RECT}`),
    inside: RECT,
  },
  {
    name: 'script by an address',
    svg: drawing(`<script href="https://evil.test/a.js"/>${RECT}`),
    inside: RECT,
  },
  {
    name: 'events',
    svg: `<svg ${XMLNS} onload="alert(1)"><rect width="9" height="9" onclick="alert(1)" ONMOUSEOVER="alert(1)"/></svg>`,
    inside: RECT,
  },
  {
    name: 'events by focus',
    svg: drawing('<rect width="9" height="9" tabindex="0" autofocus="" onfocusin="alert(1)"/>'),
    inside: RECT,
  },
  {
    name: 'foreign object',
    svg: drawing(
      `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://evil.test"/></body></foreignObject>${RECT}`,
    ),
    inside: RECT,
  },
  {
    name: 'link',
    svg: drawing(`<a xlink:href="javascript:alert(1)" target="_top">${RECT}</a>`),
    inside: `<g>${RECT}</g>`,
  },
  {
    name: 'image',
    svg: drawing(`<image href="https://evil.test/a.png" width="9" height="9"/>${RECT}`),
    inside: RECT,
  },
  {
    name: 'image with data',
    svg: drawing(`<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+"/>${RECT}`),
    inside: RECT,
  },
  {
    name: 'use of another file',
    svg: drawing(`<use href="https://evil.test/a.svg#b"/>${RECT}`),
    inside: RECT,
  },
  {
    name: 'use of data',
    svg: drawing(`<use xlink:href="data:image/svg+xml,&lt;svg id='x'/&gt;#x"/>${RECT}`),
    inside: RECT,
  },
  {
    name: 'animated address',
    svg: drawing(
      `<a><animate attributeName="href" values="javascript:alert(1)"/>${RECT}</a><set attributeName="onload" to="alert(1)"/>`,
    ),
    inside: `<g>${RECT}</g>`,
  },
  {
    name: 'handler',
    svg: drawing(`<handler type="text/javascript">alert(1)</handler><listener/>${RECT}`),
    inside: RECT,
  },
  {
    name: 'import in a style',
    svg: drawing(`<style>@import url(https://evil.test/a.css);</style>${RECT}`),
    inside: RECT,
  },
  {
    name: 'address in a style',
    svg: drawing(
      `<style>rect{fill:url(https://evil.test/a.svg#b);background:url(https://evil.test/a)}</style>${RECT}`,
    ),
    inside: RECT,
  },
  {
    name: 'address in a style attribute',
    svg: drawing(
      '<rect width="9" height="9" style="fill:url(https://evil.test/#a);mask:url(//evil.test/b)"/>',
    ),
    inside: RECT,
  },
  {
    name: 'font of a style',
    svg: drawing(
      `<style>@font-face{font-family:a;src:url(https://evil.test/a.woff)}</style>${RECT}`,
    ),
    inside: RECT,
  },
  {
    name: 'address with an escape',
    svg: drawing(String.raw`<style>rect{fill:u\72l(https://evil.test/a)}</style>` + RECT),
    inside: RECT,
  },
  {
    name: 'address as a paint',
    svg: drawing(
      '<rect width="9" height="9" fill="url(https://evil.test/a.svg#b)" filter="url(//evil.test/c)" cursor="url(//evil.test/d)"/>',
    ),
    inside: RECT,
  },
  {
    name: 'style sheet instruction',
    svg: `<?xml-stylesheet href="https://evil.test/a.css"?>${drawing(RECT)}`,
    inside: RECT,
  },
  {
    name: 'base',
    svg: drawing('<rect xml:base="https://evil.test/" width="9" height="9"/>'),
    inside: RECT,
  },
  {
    name: 'external entity',
    svg: `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing(`<text>&x;</text>${RECT}`)}`,
    inside: `<text>&amp;x;</text>${RECT}`,
  },
  { name: 'entities that multiply', svg: laughs(), inside: `<text>&amp;l9;</text>${RECT}` },
  {
    name: 'entity as an element',
    svg: drawing(`<text>&#60;script&#62;alert(1)&lt;/script&gt;</text>${RECT}`),
    inside: `<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>${RECT}`,
  },
  {
    name: 'CDATA as an element',
    svg: drawing(`<text><![CDATA[<script>alert(1)</script>]]></text>${RECT}`),
    inside: `<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>${RECT}`,
  },
  {
    name: 'attribute that breaks out',
    svg: drawing('<rect width="9" height="9" id="a&quot; onload=&quot;alert(1)"/>'),
    inside: RECT,
  },
  {
    name: 'title that breaks out',
    svg: drawing(`<title>&lt;/title&gt;&lt;script&gt;</title>${RECT}`),
    inside: `<title>&lt;/title&gt;&lt;script&gt;</title>${RECT}`,
  },
  {
    name: 'HTML as the namespace',
    svg: `<svg xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/>${RECT}</svg>`,
    inside: RECT,
  },
  {
    name: 'script in an inner drawing',
    svg: drawing(`<svg onload="alert(1)"><script>alert(1)</script>${RECT}</svg>`),
    inside: `<svg>${RECT}</svg>`,
  },
  {
    name: 'elements that multiply',
    svg: chain(),
    inside: `${Array.from({ length: 29 }, (_, index) => `<g id="g${index}"/>`).join('')}<g id="g29"><use href="#g30"/><use href="#g30"/></g><g id="g30">${RECT}</g>`,
  },
  {
    name: 'element that uses itself',
    svg: drawing(`<g id="a"><use href="#a"/>${RECT}</g>`),
    inside: `<g id="a">${RECT}</g>`,
  },
  {
    name: 'pattern of a pattern',
    svg: drawing(
      `<pattern id="a" width="9"><rect fill="url(#b)"/></pattern><pattern id="b" width="9" href="#a"/>${RECT}`,
    ),
    inside: `<pattern id="a" width="9"><rect/></pattern><pattern id="b" width="9"/>${RECT}`,
  },
  {
    name: 'filters',
    svg: drawing(
      `<filter id="f"><feImage href="https://evil.test/a"/><feGaussianBlur stdDeviation="9999"/></filter>${RECT}`,
    ),
    inside: RECT,
  },
  {
    name: 'huge size',
    svg: `<svg ${XMLNS} width="1e9" height="99999999">${RECT}</svg>`,
    inside: RECT,
  },
  {
    name: 'video and frames',
    svg: drawing(
      `<video src="https://evil.test/a"/><iframe src="https://evil.test"/><embed src="a"/><object data="a"/>${RECT}`,
    ),
    inside: RECT,
  },
  {
    name: 'discard, metadata and switch',
    svg: drawing(
      `<discard/><metadata><x/></metadata><switch><g systemLanguage="de"/></switch>${RECT}`,
    ),
    inside: RECT,
  },
  { name: 'unclosed elements', svg: `<svg ${XMLNS}><g>${RECT}`, inside: `<g>${RECT}</g>` },
  {
    name: 'comment that hides an end',
    svg: drawing(`<!--><script>alert(1)</script>-->${RECT}`),
    inside: RECT,
  },
  {
    name: 'control characters',
    svg: drawing(`<text>a\u0000\u0008\uFFFEb</text>${RECT}`),
    inside: `<text>ab</text>${RECT}`,
  },
  { name: 'elements in capitals', svg: drawing(`<SCRIPT>alert(1)</SCRIPT>${RECT}`), inside: RECT },
  { name: 'two roots', svg: `${drawing(RECT)}${drawing(RECT)}`, inside: null },
  { name: 'another root', svg: `<html><svg ${XMLNS}>${RECT}</svg></html>`, inside: null },
  {
    name: 'root with a prefix',
    svg: `<s:svg xmlns:s="http://www.w3.org/2000/svg">${RECT}</s:svg>`,
    inside: null,
  },
  { name: 'nothing visible', svg: drawing('<script>alert(1)</script>'), inside: null },
  { name: 'no XML', svg: 'alert(1)', inside: null },
  { name: 'nothing but opening brackets', svg: '<'.repeat(100_000), inside: null },
  { name: 'deep nesting', svg: drawing('<g>'.repeat(10_000)), inside: null },
  { name: 'many elements', svg: drawing(RECT.repeat(6_000)), inside: null },
  { name: 'a megabyte', svg: drawing(`${RECT}${' '.repeat(1_048_576)}`), inside: null },
];
