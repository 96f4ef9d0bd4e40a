import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { markdownToHtml, markdownToText } from './markdown.ts';

const REL = 'rel="nofollow noopener"';

describe('Markdown', () => {
  it.each<[title: string, text: string, html: string, plain: string]>([
    ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>', 'a\n\nb'],
    ['line breaks', 'a\r\nb  \nc', '<p>a<br>\nb<br>\nc</p>', 'a\nb\nc'],
    ['bold', '**a** __b__', '<p><strong>a</strong> <strong>b</strong></p>', 'a b'],
    ['italic', '*a* _b_', '<p><em>a</em> <em>b</em></p>', 'a b'],
    ['both', '***a***', '<p><strong><em>a</em></strong></p>', 'a'],
    ['both, closed apart', '***a* b**', '<p><strong><em>a</em> b</strong></p>', 'a b'],
    ['unclosed marks', '**a *b', '<p>**a *b</p>', '**a *b'],
    ['crossing marks', '*a _b* c_', '<p><em>a _b</em> c_</p>', 'a _b c_'],
    ['an unclosed mark within bold', '**a *b**', '<p><strong>a *b</strong></p>', 'a *b'],
    [
      'bold between Japanese',
      '**「本番」**です',
      '<p><strong>「本番」</strong>です</p>',
      '「本番」です',
    ],
    ['names with underscores', 'a_b_c __x', '<p>a_b_c __x</p>', 'a_b_c __x'],
    ['products', '2 * 3 * 4', '<p>2 * 3 * 4</p>', '2 * 3 * 4'],
    ['escapes', String.raw`\*a\* \[b\] \x`, String.raw`<p>*a* [b] \x</p>`, String.raw`*a* [b] \x`],
    ['code', '`a *b* <i>`', '<p><code>a *b* &lt;i&gt;</code></p>', 'a *b* <i>'],
    ['code with a backtick', '`` a`b ``', '<p><code>a`b</code></p>', 'a`b'],
    ['an unclosed backtick', 'a ` b', '<p>a ` b</p>', 'a ` b'],
    [
      'a code block',
      '```sh\n<a>\n\n*b*\n```\nc',
      '<pre><code>&lt;a&gt;\n\n*b*</code></pre>\n<p>c</p>',
      '<a>\n\n*b*\n\nc',
    ],
    ['an unclosed code block', '~~~\na', '<pre><code>a</code></pre>', 'a'],
    ['a heading', '## a *b* ##\nc', '<p><strong>a <em>b</em></strong></p>\n<p>c</p>', 'a b\n\nc'],
    ['a number sign', '#1 in line', '<p>#1 in line</p>', '#1 in line'],
    ['a rule', 'a\n\n* * *\nb', '<p>a</p>\n<hr>\n<p>b</p>', 'a\n\n---\n\nb'],
    [
      'a list',
      'a:\n- b\n- c\n  d\n\n- e',
      '<p>a:</p>\n<ul><li>b</li><li>c<br>\nd</li><li>e</li></ul>',
      'a:\n\n- b\n- c\n  d\n- e',
    ],
    ['a numbered list', '3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
    [
      'a list in a list',
      '- a\n  1. b\n- c',
      '<ul><li>a\n<ol><li>b</li></ol></li><li>c</li></ul>',
      '- a\n  1. b\n- c',
    ],
    ['a list with paragraphs', '- a\n\n  b', '<ul><li><p>a</p>\n<p>b</p></li></ul>', '- a\n  b'],
    [
      'a line that goes on with an item',
      '- a\nb\n\nc',
      '<ul><li>a<br>\nb</li></ul>\n<p>c</p>',
      '- a\n  b\n\nc',
    ],
    [
      'a year at the beginning of a line',
      'in\n2030. Then',
      '<p>in<br>\n2030. Then</p>',
      'in\n2030. Then',
    ],
    [
      'a quote',
      '> a\n> - b\n\nc',
      '<blockquote><p>a</p>\n<ul><li>b</li></ul></blockquote>\n<p>c</p>',
      '> a\n> \n> - b\n\nc',
    ],
    [
      'a link',
      '[a *b*](https://c.d/e "f")',
      `<p><a href="https://c.d/e" ${REL}>a <em>b</em></a></p>`,
      'a b (https://c.d/e)',
    ],
    [
      'a link with parentheses',
      '[a](https://b.c/d_(e))',
      `<p><a href="https://b.c/d_(e)" ${REL}>a</a></p>`,
      'a (https://b.c/d_(e))',
    ],
    [
      'a link in angle brackets',
      '[a](<https://b.c/d e>)',
      `<p><a href="https://b.c/d%20e" ${REL}>a</a></p>`,
      'a (https://b.c/d%20e)',
    ],
    ['a mail link', '[a](mailto:b@c.d)', `<p><a href="mailto:b@c.d" ${REL}>a</a></p>`, 'a (b@c.d)'],
    [
      'links in links',
      '[a [b](http://c.d) e](http://f.g)',
      `<p>[a <a href="http://c.d/" ${REL}>b</a> e](http://f.g)</p>`,
      '[a b (http://c.d/) e](http://f.g)',
    ],
    [
      'emphasis that crosses a link',
      '*[a*](http://b.c)',
      `<p>*<a href="http://b.c/" ${REL}>a*</a></p>`,
      '*a* (http://b.c/)',
    ],
    [
      'a bare address',
      'see https://a.b/c_(d), or (http://e.f).',
      `<p>see <a href="https://a.b/c_(d)" ${REL}>https://a.b/c_(d)</a>, or (<a href="http://e.f/" ${REL}>http://e.f</a>).</p>`,
      'see https://a.b/c_(d), or (http://e.f).',
    ],
    [
      'an address in brackets',
      '<https://a.b> <c@d.e>',
      `<p><a href="https://a.b/" ${REL}>https://a.b</a> <a href="mailto:c@d.e" ${REL}>c@d.e</a></p>`,
      'https://a.b c@d.e',
    ],
    [
      'an international address',
      'https://münchen.de/ä',
      `<p><a href="https://xn--mnchen-3ya.de/%C3%A4" ${REL}>https://münchen.de/ä</a></p>`,
      'https://münchen.de/ä',
    ],
    ['nothing', ' \n\t\n', '', ''],
  ])('shows %s [42.43]', (_title, text, html, plain) => {
    expect(markdownToHtml(text)).toBe(html);
    expect(markdownToText(text)).toBe(plain);
  });

  it.each<[text: string, html: string]>([
    ['<script>a</script>', '<p>&lt;script&gt;a&lt;/script&gt;</p>'],
    ['<!-- a --> &amp; "b\'', '<p>&lt;!-- a --&gt; &amp;amp; &quot;b&#39;</p>'],
    ['![a](https://b.c/d.png)', '<p>![a](https://b.c/d.png)</p>'],
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['[a](JaVaScRiPt:alert(1))', '<p>[a](JaVaScRiPt:alert(1))</p>'],
    ['[a](java\u0000script:b)', '<p>[a](javascript:b)</p>'],
    ['[a](<java\tscript:b>)', '<p>[a](&lt;java    script:b&gt;)</p>'],
    ['[a](data:text/html,b)', '<p>[a](data:text/html,b)</p>'],
    ['[a](vbscript:b)', '<p>[a](vbscript:b)</p>'],
    ['[a](//b.c)', '<p>[a](//b.c)</p>'],
    ['[a](/b)', '<p>[a](/b)</p>'],
    ['[a](&#106;avascript:b)', '<p>[a](&amp;#106;avascript:b)</p>'],
    ['[a](https://b.c/"onclick="d)', `<p><a href="https://b.c/%22onclick=%22d" ${REL}>a</a></p>`],
    ["[a](https://b.c/'d)", `<p><a href="https://b.c/&#39;d" ${REL}>a</a></p>`],
    ['[<img src=a>](https://b.c)', `<p><a href="https://b.c/" ${REL}>&lt;img src=a&gt;</a></p>`],
    ['https://b.c/<b>', `<p><a href="https://b.c/" ${REL}>https://b.c/</a>&lt;b&gt;</p>`],
    ['<javascript:a>', '<p>&lt;javascript:a&gt;</p>'],
    ['```"><script>\na\n```', '<pre><code>a</code></pre>'],
    ['a\u0007\uFFFE\uD800b', '<p>a\uFFFDb</p>'],
    [
      '[https://c.d/1. ](https://a.b)',
      '<p><a href="https://a.b/" rel="nofollow noopener">https://c.d/1. </a></p>',
    ],
  ])('makes %j harmless [42.44]', (text, html) => {
    expect(markdownToHtml(text)).toBe(html);
  });

  it('has only allowed elements, properly nested, whatever the text [42.44]', () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '```\n',
      '[',
      '](',
      ')',
      '](https://a.b)',
      '<',
      '>',
      '"',
      "'",
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '  ',
      '# ',
      '\\',
      'javascript:',
      'https://c.d/',
      '<b onload=x>',
      '&',
      '\u0000',
      'word',
      '!',
      '本',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = markdownToHtml(pieces.join(''));
        expect(elementsOf(html)).toStrictEqual([]);
        markdownToText(pieces.join(''));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[title: string, piece: string]>([
    ['brackets', '['],
    ['links without an end', '[a]('],
    ['targets', '](a(b)'],
    ['titles', '](a "b'],
    ['marks', '*a _b '],
    ['underscored pieces of a mail address', 'a-_'],
    ['quotes', '> '],
    ['quotes and lists', '> - '],
    ['list items', '- '],
    ['list items and blank lines', '- a\n\n\n'],
    ['backticks', '`a``b```'],
    ['fences', '~~~ a\n```\n'],
    ['addresses', 'http://a.'],
    ['parentheses of addresses', 'http://a)('],
    ['angle brackets', '<http://'],
    ['hashes', '# a #'],
    ['rules', '- -'],
    ['spaces', 'a           '],
  ])('parses a post-mortem of nothing but %s [42.45]', (_title, piece) => {
    const text = piece.repeat(50_000 / piece.length);
    expect(markdownToHtml(text).length).toBeLessThan(1_500_000);
    expect(markdownToText(text).length).toBeLessThan(200_000);
  });
});

/** Elements and attributes that are not allowed, and elements that are not closed. */
function elementsOf(html: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const allowed = /^(p|br|hr|strong|em|code|pre|ul|ol|li|blockquote|a)$/;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!allowed.test(name)) wrong.push(name);
      for (const [key, value] of Object.entries(attributes)) {
        if (name === 'ol' && key === 'start' && /^\d+$/.test(value)) continue;
        if (name === 'a' && key === 'rel' && value === 'nofollow noopener') continue;
        if (name === 'a' && key === 'href' && /^(https?:\/\/|mailto:)/.test(value)) continue;
        wrong.push(`${name} ${key}=${value}`);
      }
      open.push(name);
    },
    onclosetag(name, isImplied) {
      if (open.pop() !== name || (isImplied && !/^(br|hr)$/.test(name))) wrong.push(`/${name}`);
    },
  });
  parser.end(html);
  return wrong;
}
