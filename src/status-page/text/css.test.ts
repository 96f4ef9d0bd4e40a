import { parse, walk, type Declaration } from 'css-tree';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysOf, PAGE_NOW, pageFacts, serviceFacts } from '../../../test/support/page-facts.ts';
import { ASSETS } from '../render/assets.ts';
import { renderPage } from '../render/page.ts';
import { FACTS, checkCss, scopedCss } from './css.ts';
import { createCssParser } from './css/parser.ts';
import { kindOf, TOKENS, valueProblem } from './css/properties.ts';
import { HOSTILE_CSS } from '../../../test/hostile/css.ts';

const NOT = ':not(.state,.state *,.grp,.grp *,.svc,.svc *,.legend,.legend *)';

describe('custom CSS', () => {
  it.each(['[', '{', '('])('reads a text alike after one of many %s [42.46]', (opener) => {
    const text = '(width>1px)<!--+}]redlight-dark(*--bg ';
    const errors = (former: string[]) => {
      const parseCss = createCssParser();
      for (const one of former) parseCss(one, { onParseError: () => undefined });
      const found: string[] = [];
      parseCss(text, { onParseError: ({ message }) => found.push(message) });
      return found;
    };
    expect(errors([opener.repeat(60), 'a'])).toEqual(errors([]));
  });

  it.each(HOSTILE_CSS)('leaves nothing harmful of: $name [42.46]', ({ css, output, problem }) => {
    expect(scopedCss(css)).toBe(output);
    if (problem !== '') expect(checkCss(css).join('\n')).toContain(problem);
  });

  it.each<[title: string, css: string, output: string]>([
    ['an element', 'h2 { color: #123456 }', `.page h2${NOT}{color:#123456}\n`],
    ['a class and an id', '.card#x{color:red}', `.page .card#x${NOT}{color:red}\n`],
    [
      'several selectors',
      'h1, h2>a:hover{color:red}',
      `.page h1${NOT},.page h2 > a:hover${NOT}{color:red}\n`,
    ],
    ['siblings', 'h2 + p ~ p{color:red}', `.page h2 + p ~ p${NOT}{color:red}\n`],
    ['everything', '*{accent-color:red}', `.page *${NOT}{accent-color:red}\n`],
    [
      'the page by its names',
      ':root,html,body,.page,html body{color:red}',
      '.page,.page,.page,.page,.page{color:red}\n',
    ],
    [
      'what is in the page',
      'body > main{padding:1rem 2%}',
      `.page > main${NOT}{padding:1rem 2%}\n`,
    ],
    ['a class of the page', 'body.acme h2{color:red}', `.page.acme h2${NOT}{color:red}\n`],
    [
      'tokens',
      ':root{--bg:light-dark(#fff,oklch(20% 0.01 260));--font:"Open Sans",sans-serif;--r-md:0}',
      '.page{--bg:light-dark(#fff,oklch(20%0.01 260));--font:"Open Sans",sans-serif;--r-md:0}\n',
    ],
    [
      'tokens by tokens',
      ':root{--bg:color-mix(in srgb,var(--line),red);--font:var(--mono),serif;--r-md:var(--r-lg);--shadow:0 1px var(--line)}',
      '.page{--bg:color-mix(in srgb,var(--line),red);--font:var(--mono),serif;--r-md:var(--r-lg);--shadow:0 1px var(--line)}\n',
    ],
    [
      'variables of each kind',
      'p{border:1px solid var(--up-fill);font-family:var(--mono),serif;border-radius:var(--r-sm) 4px;box-shadow:var(--shadow),0 0 4px var(--bg)}',
      `.page p${NOT}{border:1px solid var(--up-fill);font-family:var(--mono),serif;border-radius:var(--r-sm) 4px;box-shadow:var(--shadow),0 0 4px var(--bg)}\n`,
    ],
    [
      'a gradient of variables',
      'header{background:linear-gradient(var(--bg),var(--line) 40%)}',
      `.page header${NOT}{background:linear-gradient(var(--bg),var(--line) 40%)}\n`,
    ],
    ['a variable', 'h2{color:var(--accent)}', `.page h2${NOT}{color:var(--accent)}\n`],
    [
      'a gradient',
      'header{background:linear-gradient(to right,red 10%,rgb(0 0 255/50%)) no-repeat}',
      `.page header${NOT}{background:linear-gradient(to right,red 10%,rgb(0 0 255/50%)) no-repeat}\n`,
    ],
    [
      'borders and shadows',
      '.card{border:1px solid var(--line);border-radius:12px 4px;box-shadow:0 1px 2px #0003,inset 0 0 4px red}',
      `.page .card${NOT}{border:1px solid var(--line);border-radius:12px 4px;box-shadow:0 1px 2px #0003,inset 0 0 4px red}\n`,
    ],
    [
      'type',
      'h1{font-size:2rem;font-weight:650;line-height:1.2;letter-spacing:-0.5px;text-transform:uppercase}',
      `.page h1${NOT}{font-size:2rem;font-weight:650;line-height:1.2;letter-spacing:-0.5px;text-transform:uppercase}\n`,
    ],
    [
      'dark and print',
      '@media (prefers-color-scheme:dark) and (min-width:400px),print{h2{color:red}}',
      `@media (prefers-color-scheme:dark) and (min-width:400px),print{.page h2${NOT}{color:red}\n}\n`,
    ],
    [
      'a range of widths',
      '@media (400px <= width < 800px){h2{color:red}}',
      `@media (400px<=width<800px){.page h2${NOT}{color:red}\n}\n`,
    ],
    ['capitals', 'H2{COLOR:RED}', `.page H2${NOT}{color:RED}\n`],
    ['comments', '/* a */h2{/* b */color:red/* c */;/* d */}', `.page h2${NOT}{color:red}\n`],
    ['nothing', ' \n', ''],
  ])('uses %s [42.47]', (_title, css, output) => {
    expect(checkCss(css)).toStrictEqual([]);
    expect(scopedCss(css)).toBe(output);
  });

  it('knows the elements that tell the state of services by their names on the page [42.47]', () => {
    const facts = pageFacts([], {
      groups: [
        {
          name: 'Platform',
          services: [
            serviceFacts('API', { days: daysOf({ happened: { 3: { downMs: 60_000 } } }) }),
          ],
        },
      ],
    });
    const html = renderPage(facts, PAGE_NOW);
    expect(html).toMatch(/<body class="page[" ]/);
    for (const fact of FACTS) expect(html).toMatch(new RegExp(`class="${fact.slice(1)}[" ]`));
  });

  it('takes each custom property of the page that is no token of another kind for an opaque color [42.47]', () => {
    const css = ASSETS.find(({ path }) => path.endsWith('style.css'))!.bytes.toString();
    const found: Declaration[] = [];
    walk(parse(css, { parseCustomProperty: true }), (node) => {
      if (node.type === 'Declaration' && node.property.startsWith('--')) found.push(node);
    });
    expect(found.map(({ property }) => property)).toContain('--down-fill');
    for (const { property, value } of found) {
      const token = kindOf(property) === 'color' ? '--bg' : property;
      const problem = valueProblem(token, value, TOKENS.get(token)!);
      expect([property, problem]).toStrictEqual([property, null]);
    }
  });

  it('names line and column of each problem, in order, and at most 20 [42.47]', () => {
    expect(
      checkCss('h2{color:red}\nh3{\n  color: rd;\n  position: fixed\n}\n@import "a";'),
    ).toStrictEqual([
      'Line 3, column 3: color does not take this value.',
      'Line 4, column 3: the property position is not supported.',
      'Line 6, column 1: @import is not supported here.',
    ]);
    expect(checkCss('h2{top:0}'.repeat(30))).toHaveLength(20);
  });

  it.each<[declaration: string, problem: string]>([
    ['font-size: 11px', 'font-size takes lengths from 12px to 64px'],
    ['font-size: 1em', 'font-size takes lengths in px or rem'],
    ['font-size: 16', 'font-size needs a unit'],
    ['line-height: 0.5', 'line-height takes numbers from 1 to 3'],
    ['font-weight: 1', 'font-weight takes numbers from 200 to 950'],
    ['max-width: 20px', 'max-width takes lengths from 480px to 1600px'],
    ['padding: 200px', 'padding takes lengths from 0px to 96px'],
    ['padding: 1px 1e9px', 'padding takes lengths from 0px to 96px'],
    ['border: 3rem solid red', 'border takes lengths from 0px to 16px'],
    ['color: red, blue', 'color does not take this value'],
    ['color: #12', 'color has a color that is none'],
    ['gap: calc(1px + 1px)', 'gap takes no calc()'],
    ['--bg: 1px', '--bg does not take this value'],
    ['--bg: red blue', '--bg does not take this value'],
    ['--bg: red, blue', '--bg does not take this value'],
    ['--bg: #0001', '--bg needs an opaque color'],
    ['--bg: var(--font)', '--bg takes no var(--font)'],
    ['--font: 12px', '--font does not take this value'],
    ['--font: 700 serif', '--font does not take this value'],
    ['--font: #fff', '--font does not take this value'],
    ['--r-sm: 201px', '--r-sm takes lengths from 0px to 200px'],
    ['--r-sm: 4px 8px', '--r-sm does not take this value'],
    ['--r-sm: red', '--r-sm does not take this value'],
    ['--shadow: 0 0 0 41px red', '--shadow takes lengths from -40px to 40px'],
    ['--shadow: 1px', '--shadow does not take this value'],
    ['color: var(--r-sm)', 'color takes no var(--r-sm)'],
    ['color: var(--text) red', 'color does not take this value'],
    ['font-family: var(--bg)', 'font-family takes no var(--bg)'],
    ['border-radius: var(--bg)', 'border-radius takes no var(--bg)'],
    ['border-width: var(--bg)', 'border-width does not take this value'],
    ['border: var(--r-sm) solid', 'border takes no var(--r-sm)'],
    ['outline-offset: var(--r-sm)', 'outline-offset takes no var()'],
    ['text-shadow: var(--shadow)', 'text-shadow takes no var(--shadow)'],
    ['box-shadow: inset var(--shadow)', 'box-shadow does not take this value'],
    ['padding: var(--r-sm)', 'padding takes no var()'],
    ['color: {}', 'color has a value that cannot be read'],
  ])('refuses %s', (declaration, problem) => {
    const [found] = checkCss(`h2{${declaration}}`);
    expect(found).toBe(`Line 1, column 4: ${problem}.`);
  });

  it('writes only what it would accept again, whatever the text [42.46]', () => {
    const piece = fc.constantFrom(
      'h2',
      '.state',
      'body',
      ':root',
      '*',
      ' ',
      '>',
      '+',
      ',',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      ';',
      ':',
      '"',
      "'",
      '\\',
      '/*',
      '*/',
      'color',
      'background',
      '--bg',
      'font-family',
      'red',
      '#fff',
      '12px',
      'url(',
      'url(//evil.test)',
      'var(--text)',
      '!important',
      '@media ',
      '@import ',
      'print',
      '(width>1px)',
      '\n',
      '<!--',
      '-->',
      '</style>',
      'light-dark(',
      '\u0000',
      'h2{color:red}',
      '&',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const output = scopedCss(pieces.join(''));
        const problems: string[] = output.match(/url|@import|\\|<|evil/gi) ?? [];
        const sheet = parse(output, { onParseError: ({ message }) => problems.push(message) });
        walk(sheet, ({ type }) => {
          if (['Url', 'Raw', 'Comment', 'CDC', 'CDO'].includes(type)) problems.push(type);
        });
        for (const [, rule = ''] of output.matchAll(/(?:^|[{}\n])([.a-z][^{}\n]*)\{/gi))
          if (!rule.startsWith('.page')) problems.push(rule);
        if (problems.length > 0) throw new Error(`${problems.join(', ')} in ${output}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
