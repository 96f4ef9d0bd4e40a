import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { HOSTILE_SVG } from '../../../test/hostile/svg.ts';
import { cleanSvg } from './svg.ts';

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg">';

describe('drawings', () => {
  it.each(HOSTILE_SVG)('leaves nothing harmful of: $name [42.48]', ({ svg, inside }) => {
    expect(cleanSvg(svg)).toBe(inside === null ? null : `${OPEN}${inside}</svg>`);
  });

  it.each<[title: string, svg: string, cleaned: string]>([
    [
      'size and view',
      '<svg width="24px" height="2.5em" viewBox="0 0 24 24" preserveAspectRatio="xMidYMid meet"><path d="M0 0L1-1z"/></svg>',
      '<svg xmlns="http://www.w3.org/2000/svg" width="24px" height="2.5em" viewBox="0 0 24 24" preserveAspectRatio="xMidYMid meet"><path d="M0 0L1-1z"/></svg>',
    ],
    [
      'declaration, comment and document type',
      '\uFEFF<?xml version="1.0"?><!-- a --><!DOCTYPE svg PUBLIC "a" "b"><svg><path/></svg>',
      `${OPEN}<path/></svg>`,
    ],
    [
      'gradients',
      '<svg><linearGradient id="a" gradientTransform="rotate(45)"><stop offset="5%" stop-color="#fff"/></linearGradient><linearGradient id="b" xlink:href="#a"/><path fill="url(\'#b\')"/></svg>',
      `${OPEN}<linearGradient id="a" gradientTransform="rotate(45)"><stop offset="5%" stop-color="#fff"/></linearGradient><linearGradient id="b" href="#a"/><path fill="url(&#39;#b&#39;)"/></svg>`,
    ],
    [
      'clips with use, as drawing programs write them',
      '<svg><path id="p" d="M0 0"/><clipPath id="c"><use xlink:href="#p"/></clipPath><g clip-path="url(#c)"><path/></g></svg>',
      `${OPEN}<path id="p" d="M0 0"/><clipPath id="c"><use href="#p"/></clipPath><g clip-path="url(#c)"><path/></g></svg>`,
    ],
    [
      'symbols',
      '<svg><symbol id="s" viewBox="0 0 1 1"><path/></symbol><use href="#s" x="1" transform="scale(2) translate(1,2)"/></svg>',
      `${OPEN}<symbol id="s" viewBox="0 0 1 1"><path/></symbol><use x="1" transform="scale(2) translate(1,2)" href="#s"/></svg>`,
    ],
    [
      'texts',
      '<svg><title>A &amp; B</title><text x="1 2" font-family="Inter, \'Open Sans\'">本<tspan dy="1em">b</tspan></text></svg>',
      `${OPEN}<title>A &amp; B</title><text x="1 2" font-family="Inter, &#39;Open Sans&#39;">本<tspan dy="1em">b</tspan></text></svg>`,
    ],
    [
      'classes as attributes',
      '<svg><style><![CDATA[.a{fill:red;stroke:#fff}.b,path{fill:blue}]]></style><path class="a x"/><path class="b" fill="green"/><rect class="a" style="fill: rgb(1, 2, 3); opacity: .5"/></svg>',
      `${OPEN}<path fill="red" stroke="#fff"/><path fill="blue"/><rect fill="rgb(1,2,3)" stroke="#fff" opacity=".5"/></svg>`,
    ],
    [
      'the style of an id before that of a class',
      '<svg><style>#p{fill:red}.a{fill:blue}g path{fill:green}</style><path id="p" class="a"/></svg>',
      `${OPEN}<path id="p" fill="red"/></svg>`,
    ],
    [
      'the first of two elements with one id',
      '<svg><path id="a"/><path id="a" d="M1"/><use href="#a"/></svg>',
      `${OPEN}<path id="a"/><path d="M1"/><use href="#a"/></svg>`,
    ],
  ])('keeps %s [42.49]', (_title, svg, cleaned) => {
    expect(cleanSvg(svg)).toBe(cleaned);
    expect(cleanSvg(cleaned)).toBe(cleaned);
  });

  it('is well-formed and has only what is allowed, whatever the text [42.48]', () => {
    const piece = fc.constantFrom(
      '<svg>',
      '</svg>',
      '<g>',
      '</g>',
      '<path d="M0"/>',
      '<rect ',
      '/>',
      '>',
      '<',
      '"',
      "'",
      '=',
      '&',
      '&lt;',
      '&#60;',
      ']]>',
      '<![CDATA[',
      '<!--',
      '-->',
      '<?x',
      '?>',
      '<!DOCTYPE a [',
      '<script>',
      '</script>',
      ' onload="a"',
      ' fill="url(#a)"',
      ' href="#a"',
      ' id="a"',
      '<use href="#a"/>',
      '<style>',
      '</style>',
      '*{fill:red}',
      'text',
      '<text>',
      '</text>',
      '\u0000',
      '\uD800',
      ' style="fill:',
      'xmlns="x"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const cleaned = cleanSvg(`<svg>${pieces.join('')}<path/></svg>`);
        if (cleaned === null) return;
        expect(cleaned.isWellFormed()).toBe(true);
        expect(
          namesIn(cleaned).filter((name) => /^(?:script|style|on|.*:|h1)/i.test(name)),
        ).toStrictEqual([]);
        expect(cleanSvg(cleaned)).toBe(cleaned);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Names of all elements and attributes. */
function namesIn(svg: string): string[] {
  const names: string[] = [];
  const onopentag = (name: string, attributes: Record<string, string>): void => {
    names.push(name, ...Object.keys(attributes));
  };
  new Parser({ onopentag }, { xmlMode: true }).end(svg);
  return names;
}
