import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charsetOf, decodeJson, decodeText } from './decode.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a document', () => {
  const CAFE = latin1('caf\xe9');
  const TESUTO = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]);

  test.each([
    ['no charset anywhere', Buffer.from('café'), null, 'café'],
    ['the header', CAFE, 'text/html; charset=iso-8859-1', 'café'],
    ['a quoted one', CAFE, 'text/html; Charset="ISO-8859-1"', 'café'],
    ['windows-1252', Buffer.from([0x93, 0x80, 0x94]), 'text/html;charset=windows-1252', '“€”'],
    [
      'latin1 is windows-1252 on the web',
      Buffer.from([0x80]),
      'text/html; charset=iso-8859-1',
      '€',
    ],
    ['Shift_JIS', TESUTO, 'text/html; charset=Shift_JIS', 'テスト'],
    ['UTF-16 by header', Buffer.from('hé', 'utf16le'), 'text/html; charset=utf-16', 'hé'],
    ['a mark of UTF-8', Buffer.from('\ufeffhé'), 'text/html; charset=iso-8859-1', 'hé'],
    ['a mark of UTF-16LE', Buffer.from('\ufeffhé', 'utf16le'), 'text/html; charset=utf-8', 'hé'],
    ['a mark of UTF-16BE', utf16be('\ufeffhé'), null, 'hé'],
    ['a header that lies', CAFE, 'text/html; charset=utf-8', 'caf\ufffd'],
    ['a header with an unknown charset', Buffer.from('é'), 'text/html; charset=klingon', 'é'],
    ['an empty one', Buffer.from('é'), 'text/html; charset=', 'é'],
    ['nothing', Buffer.alloc(0), null, ''],
    ['half a character at the end', Buffer.from('é').subarray(0, 1), null, '\ufffd'],
  ])('%s', (_, bytes, contentType, text) => {
    expect(decodeText(bytes, contentType)).toBe(text);
  });

  test.each([
    ['<meta charset="iso-8859-1">', 'windows-1252'],
    ["<META CHARSET='koi8-r'>", 'koi8-r'],
    ['<meta charset=gbk>', 'gbk'],
    ['<meta name="a" content="b"><meta charset="big5" />', 'big5'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', 'windows-1251'],
    ["<meta content='text/html;charset=euc-kr' http-equiv=content-type>", 'euc-kr'],
    ['<?xml version="1.0" encoding="ISO-8859-2"?>', 'iso-8859-2'],
    ['<!-- <meta charset="koi8-r"> --><meta charset="gbk">', 'gbk'],
    ['<meta charset="nobody"><meta charset="gbk">', 'gbk'],
    // Not a declaration.
    ['<meta name="x" content="text/html; charset=koi8-r">', 'utf-8'],
    ['<metal charset="koi8-r">', 'utf-8'],
    ['<p>charset=koi8-r</p>', 'utf-8'],
    ['<!-- <meta charset="koi8-r">', 'utf-8'],
    // Read byte by byte, so it can't be UTF-16.
    ['<meta charset="utf-16">', 'utf-8'],
    ['<meta charset="x-user-defined">', 'windows-1252'],
    ['<meta charset=iso-2022-kr>', 'replacement'],
    ['<meta charset=nobody http-equiv=content-type content="text/html;charset=gbk">', 'gbk'],
    ['<meta charset=gbk><?xml encoding="koi8-r"?>', 'gbk'],
    ['<?xml encoding="koi8-r"?><meta charset=gbk>', 'gbk'],
    [' <?xml encoding="koi8-r"?>', 'utf-8'],
    ['<\0?\0x\0m\0l\0', 'utf-16le'],
    ['\0<\0?\0x\0m\0l', 'utf-16be'],
    ['<script>"<meta charset=gbk>"</script><meta charset=koi8-r>', 'koi8-r'],
    ['<!-- x --!><meta charset=koi8-r>', 'koi8-r'],
    ['<title><meta charset=gbk></title><meta charset=koi8-r>', 'koi8-r'],
    ['<template><meta charset=gbk></template><meta charset=koi8-r>', 'koi8-r'],
    ['<noscript><img src="/p"></noscript><meta charset=koi8-r>', 'koi8-r'],
    ['<p title="<meta charset=gbk>"><meta charset="koi8-r">', 'koi8-r'],
  ])('declared by %j is in %s', (head, charset) => {
    expect(charsetOf(latin1(head), 'text/html')).toBe(charset);
  });

  const META = '<meta charset="koi8-r">';
  test.each([
    ['white space', ' '.repeat(1_024), 'koi8-r'],
    ['a long comment', `<!doctype html><head><!--${'x'.repeat(2_000)}-->`, 'koi8-r'],
    ['a long style', `<head><style>${'p{} '.repeat(50_000)}</style>`, 'koi8-r'],
    ['a tag at the edge of a part', `<style>${'x'.repeat(8_165)}</style>`, 'koi8-r'],
    ['a title and scripts', `<title>${'x'.repeat(2_000)}</title><script>1</script>`, 'koi8-r'],
    ['the end of the head', `${' '.repeat(1_024)}<head></head>`, 'koi8-r'],
    ['a body that begins', `<body>${' '.repeat(900)}`, 'koi8-r'],
    ['the head', `${' '.repeat(1_024)}<body>`, 'utf-8'],
    ['text', `${' '.repeat(1_024)}text<b>`, 'utf-8'],
    ['a reference', `${' '.repeat(1_024)}&amp;<b>`, 'utf-8'],
    ['an end tag', `${' '.repeat(1_024)}</body><b>`, 'utf-8'],
  ])('declared behind %s [17.6]', (_, before, charset) => {
    expect(charsetOf(latin1(before + META), null)).toBe(charset);
  });

  test.each([
    ['text/plain', META, 'utf-8'],
    ['application/json', META, 'utf-8'],
    ['application/xml', META, 'utf-8'],
    ['application/xml', '<?xml version="1.0" encoding="koi8-r"?>', 'koi8-r'],
    ['application/xhtml+xml', `<?xml version='1.0' encoding='gbk'?>${META}`, 'gbk'],
  ])('of %s that holds %j is in %s', (type, head, charset) => {
    expect(charsetOf(latin1(head), type)).toBe(charset);
  });

  test('a declaration is found in time linear in the length of the head', () => {
    const size = 1_048_576;
    for (const piece of [
      '<head>',
      '<template>',
      '<meta a=b>',
      '<!--',
      '<script>',
      '<title>',
      '<',
    ]) {
      const head = piece.repeat(size / piece.length);
      expect(charsetOf(latin1(head), null)).toBe('utf-8');
    }
  });

  test('the header takes precedence over the document, unless it is unknown [17.6]', () => {
    const bytes = latin1('<meta charset="koi8-r">');
    expect(charsetOf(bytes, 'text/html; charset=gbk')).toBe('gbk');
    expect(charsetOf(bytes, 'text/html; charset=klingon')).toBe('koi8-r');
  });

  test('any bytes become text', () => {
    const label = fc.constantFrom(
      'utf-8',
      'utf-16le',
      'shift_jis',
      'iso-2022-jp',
      'iso-2022-kr',
      'big5',
      'gb18030',
    );
    const type = fc.option(
      fc.oneof(
        fc.string(),
        label.map((name) => `text/html; charset=${name}`),
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), type, (bytes, contentType) => {
        expect(decodeText(bytes, contentType).isWellFormed()).toBe(true);
        expect(decodeJson(bytes).isWellFormed()).toBe(true);
      }),
    );
  });

  test('in UTF-8 is unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const unmarked = text.replace(/^\ufeff/, '');
        expect(decodeText(Buffer.from(text), 'text/html; charset=utf-8')).toBe(unmarked);
      }),
    );
  });
});

test.each([
  ['UTF-8', Buffer.from('"é"')],
  ['with a mark', Buffer.from('\ufeff"é"')],
  ['UTF-16LE with a mark', Buffer.from('\ufeff"é"', 'utf16le')],
  ['UTF-16BE with a mark', utf16be('\ufeff"é"')],
])('JSON in %s', (_, bytes) => {
  expect(decodeJson(bytes)).toBe('"é"');
});
