import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readHtml } from './html.ts';
import { normalizeVisible, visibleText } from './visible-text.ts';

const bare = (text: string) => normalizeVisible(text).replace(/\s/g, '');
const seen = (document: string, type = 'text/html') => visibleText(document, type);

test('has the text that the html5lib tests of tokenizers expect [17.2]', () => {
  // From github.com/html5lib/html5lib-tests, one `[document, text without white space]` a line: all kinds of cases, and a
  // part of those that only differ in a name or a number.
  const lines = readFileSync(new URL('./tokenizer-cases.txt', import.meta.url), 'utf8');
  const cases = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [string, string]);
  expect(cases.length).toBeGreaterThan(1_500);
  for (const [document, text] of cases) {
    expect(bare(seen(document)), document).toBe(bare(text));
  }
});

test.each([
  ['<!-- x --!><p>Welcome', 'Welcome'],
  ['<!--><p>Welcome', 'Welcome'],
  ['<!---><p>Welcome', 'Welcome'],
  ['<!-- > <p> -- > -->Welcome', 'Welcome'],
  ['<? a <b> ?>Welcome', '?>Welcome'],
  ['</ a>Welcome', 'Welcome'],
  ['<![CDATA[a>b]]>c', 'b]]>c'],
  ['<![CDATA[a', ''],
  ['<svg><![CDATA[a > b]]></svg>c', 'a > b c'],
  ['<svg><![CDATA[<p>a', '<p>a'],
  ['<svg><desc><![CDATA[a>b]]></desc></svg>c', 'b]]> c'],
  ['<p a="<![CDATA[">b', 'b'],
  ['</p title="a>b">c', 'c'],
  ["</p title='a>b' x=>c", 'c'],
  ['</p title="a', ''],
  ['a<z/', 'a'],
  ['a</z ', 'a'],
])('markup of %j is not text [17.2]', (document, text) => expect(seen(document)).toBe(text));

test.each('script style iframe noscript noembed noframes template video audio canvas'.split(' '))(
  '<%s/> does not close itself [17.2]',
  (name) => {
    expect(seen(`a<${name} src="a.js"/><b>Welcome`)).toBe('a');
    expect(seen(`a<${name}/>hidden</${name}>Welcome`).replace(' ', '')).toBe('aWelcome');
  },
);

test.each(['title', 'textarea', 'xmp', 'plaintext'])('<%s/> does not close itself', (name) => {
  expect(seen(`<${name}/><b>Welcome`)).toBe('<b>Welcome');
});

test.each([
  ['<textarea>a &amp; b &copy <p></textarea>c', 'a & b © <p> c'],
  ['<title>a <&amp; b</title>c', 'a <& b c'],
  ['<xmp>a &amp; b</xmp>c', 'a &amp; b c'],
  ['<textarea></textareas></textarea/>a', '</textareas> a'],
  ['<plaintext></plaintext>a', '</plaintext>a'],
  ['<script>"<!--"</script>a', 'a'],
  ['<script><!--<script></script>--></script>a', 'a'],
  ['<script><!--<script></script>no</script>a', 'a'],
  ['<script><!--<script>--></script>a', 'a'],
  ['<script><!--><script></script>a', 'a'],
  ['<script><!--<scripts></script>a', 'a'],
  ['<noscript><!-- </noscript>a --></noscript>', 'a -->'],
  ['<noscript><textarea></noscript>a', 'a'],
  ['<div><video src="a"/></div>a', 'a'],
  ['<div><canvas><p>no</div>a', 'a'],
  ['<div><template></div>no</template>a', 'a'],
  ['<svg><title>a</title><script/>b</svg>c', 'a b c'],
  ['<svg><style>p{}</style><text>a</text></svg>', 'a'],
  ['<svg><title><script/></title></svg></script>a', 'a'],
  ['<svg><foreignObject><textarea></svg></textarea></foreignObject></svg>a', '</svg> a'],
  ['<svg><path><p><textarea></p></textarea>a', '</p> a'],
  ['<math><mi><xmp><b></xmp></mi></math>a', '<b> a'],
  ['<svg/><textarea></svg></textarea>a', '</svg> a'],
  ['a&ampb&notit;&notin;&#x80;&#13;&amp', 'a&b¬it;∉€ &'],
])('the text of %j is %j [17.2]', (document, text) => expect(seen(document)).toBe(text));

test.each([
  ['application/xhtml+xml', '<script src="a.js"/><p>a&nbsp;b</p>', 'a b'],
  ['application/xhtml+xml', '<p><![CDATA[a > b]]></p>', 'a > b'],
  ['text/xml', '<a><![CDATA[a > b]]></a><script/>c', 'a > b c'],
])('of %s %j is %j', (type, document, text) => expect(seen(document, type)).toBe(text));

test('takes time linear in the length, whatever the document', () => {
  const size = 1_048_576;
  for (const piece of [
    '<',
    '</',
    '<!',
    '<!--',
    '<!-->',
    '--!',
    '<?',
    '&',
    '&#',
    '&a',
    '<&',
    '<![CDATA[',
    '<![CDATA[>',
    '<svg>',
    '<svg><![CDATA[',
    '<svg><desc>',
    '<math><mi>',
    '<svg><p>',
    '</svg>',
    '<svg/>',
    '<script>',
    '<script><!--',
    '<script></script>',
    '<!--<script>',
    '<noscript>',
    '<noscript/>',
    '<noscript></noscript>',
    '<template>',
    '<video>',
    '<video><b>',
    '<video></b>',
    '<title>',
    '<a b="',
    '<a b=',
    '</a b="',
    "</a b='",
    '</a =',
    '<a ',
    '<a/',
    '\0',
    '\u00ad<b>',
    '<plaintext>',
  ]) {
    const document = piece.repeat(Math.ceil(size / piece.length));
    expect(seen(document).length, piece).toBeLessThanOrEqual(document.length);
  }
});

test('attributes are read with their references', () => {
  const attributes: [string, string][] = [];
  readHtml('<a HREF="a&amp;b" c=&lt; d e=\'"\'></a f=g>', 'html', {
    text: () => undefined,
    character: () => undefined,
    open: () => undefined,
    close: () => undefined,
    attribute: (...pair) => attributes.push(pair),
  });
  expect(attributes.slice(0, 4)).toEqual([
    ['href', 'a&b'],
    ['c', '<'],
    ['d', ''],
    ['e', '"'],
  ]);
});
