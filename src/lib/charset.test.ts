import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { charsetNamed, charsetOfType, decodeBytes, mediaTypeOf } from './charset.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const BYTES = range(0, 0xff);
const LINE = 0x0a;
/** Every pair of a lead and a second byte, after a prefix, each in a line. */
const pairs = (leads: number[], seconds = BYTES, prefix: number[] = []): number[] =>
  leads.flatMap((lead) => seconds.flatMap((second) => [...prefix, lead, second, LINE]));
const BEYOND_ASCII = range(0x81, 0xfe);
const NO_DIGITS = BYTES.filter((byte) => byte < 0x30 || byte > 0x39);
const escaped = (escape: string, bytes: number[]): number[] => [
  ...Buffer.from(`\x1b${escape}`),
  ...bytes,
  ...Buffer.from('\x1b(B\n'),
];

/** All sequences of four bytes of gb18030, by their pointers. */
function fourBytes(): Buffer {
  const pointers = [...range(0, 39_419), ...range(189_000, 1_237_575)];
  const bytes = Buffer.alloc(pointers.length * 4);
  for (const [index, pointer] of pointers.entries()) {
    bytes[index * 4] = 0x81 + Math.floor(pointer / 12_600);
    bytes[index * 4 + 1] = 0x30 + (Math.floor(pointer / 1_260) % 10);
    bytes[index * 4 + 2] = 0x81 + (Math.floor(pointer / 10) % 126);
    bytes[index * 4 + 3] = 0x30 + (pointer % 10);
  }
  return bytes;
}

const GB18030 = [...pairs(BEYOND_ASCII, NO_DIGITS), 0x80, LINE, 0xff, LINE];
const SEVEN_BITS = range(0x21, 0x7e);
const SEQUENCES: Record<string, () => Buffer> = {
  big5: () => Buffer.from(pairs(BEYOND_ASCII)),
  'euc-kr': () => Buffer.from(pairs(BEYOND_ASCII)),
  gbk: () => Buffer.from(GB18030),
  gb18030: () => Buffer.concat([Buffer.from(GB18030), fourBytes()]),
  'euc-jp': () =>
    Buffer.from([
      ...pairs([0x8e], range(0xa1, 0xdf)),
      ...pairs(range(0xa1, 0xfe)),
      ...pairs(range(0xa1, 0xfe), BYTES, [0x8f]),
    ]),
  shift_jis: () =>
    Buffer.from([
      ...[...range(0, 0x80), 0xa0, ...range(0xa1, 0xdf), ...range(0xfd, 0xff)].flatMap((byte) => [
        byte,
        LINE,
      ]),
      ...pairs([...range(0x81, 0x9f), ...range(0xe0, 0xfc)]),
    ]),
  'iso-2022-jp': () =>
    Buffer.from([
      ...SEVEN_BITS.flatMap((lead) =>
        escaped(
          '$B',
          SEVEN_BITS.flatMap((second) => [lead, second]),
        ),
      ),
      ...escaped('(I', range(0x21, 0x5f)),
      ...escaped('(J', SEVEN_BITS),
    ]),
};

/**
 * SHA-256 (its beginning) of the text in UTF-16 that all byte sequences of a charset stand for, by the index files of the
 * WHATWG Encoding Standard and the errors that it defines.
 */
const INDEXES: Record<string, string> = {
  ibm866: '28334833c217d1cf',
  'iso-8859-2': '03e630b7e35444b5',
  'iso-8859-3': '346c5279bcbe2c65',
  'iso-8859-4': '44f09aebdda359ed',
  'iso-8859-5': 'be700802ceb4c3bc',
  'iso-8859-6': 'a3245a9039707db7',
  'iso-8859-7': '4399a782f439f21a',
  'iso-8859-8': 'fcd92d4079389190',
  'iso-8859-10': 'fc5b337200036399',
  'iso-8859-13': '48d7963f3c3d13c2',
  'iso-8859-14': 'cb5f5b9ae8430fe8',
  'iso-8859-15': '6a31d79c1c012dc2',
  'iso-8859-16': 'cda40dceb3b705f5',
  'koi8-r': 'd6aa77011784a5e4',
  'koi8-u': 'ff4e26429fe556ac',
  macintosh: 'ea0df7e96d195f56',
  'windows-874': 'bda07fac35ef289b',
  'windows-1250': '083e8699d4ea3429',
  'windows-1251': 'b1ce72e8de9ab262',
  'windows-1252': '0048a1d8df12622c',
  'windows-1253': 'bab5e7048000f8fa',
  'windows-1254': '52c57e6a29dd1c1b',
  'windows-1255': 'b8828113eb73594b',
  'windows-1256': '544c3592214b8762',
  'windows-1257': 'b4b5f977bbe1e702',
  'windows-1258': '525ad65d40749cdc',
  'x-mac-cyrillic': '6ec76f16d1ce4a8c',
  'iso-8859-8-i': 'fcd92d4079389190',
  'x-user-defined': 'dccd1a869ed527e5',
  big5: '7d7b357a28470595',
  'euc-kr': 'f8cc1f6db9f9dc3d',
  gbk: 'e56970ff91ffa8a9',
  gb18030: 'eb058b2c48b3e2c9',
  'euc-jp': 'ce6f63c5b5c15d45',
  shift_jis: 'c2c2dd0316bb67da',
  'iso-2022-jp': '7ed53d4ff3519fe0',
};

describe('the WHATWG Encoding Standard', () => {
  test.each(Object.entries(INDEXES))('%s is decoded whole [17.6]', (charset, hash) => {
    const bytes = SEQUENCES[charset]?.() ?? Buffer.from(BYTES);
    const text = decodeBytes(bytes, charset);
    expect(createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 16)).toBe(hash);
  });

  test.each([
    ['a syllable of windows-949', 'euc-kr', [0x94, 0xee], '뷁'],
    ['a character of Hong Kong', 'big5', [0x9d, 0xef], '嘅'],
    ['four bytes', 'gb18030', [0x81, 0x35, 0xf4, 0x37], '\ue7c7'],
    ['a charset without a decoder', 'iso-2022-kr', [0x61, 0x62], '\ufffd'],
    ['nothing in such a charset', 'hz-gb-2312', [], ''],
    ['a mark of another charset', 'big5', [0xef, 0xbb, 0xbf, 0x61], 'a'],
    ['half a character', 'euc-kr', [0x61, 0xb0], 'a\ufffd'],
  ])('%s', (_, label, bytes, text) => {
    expect(decodeBytes(Buffer.from(bytes), charsetNamed(label)!)).toBe(text);
  });

  test('half a character at the end of a part is dropped', () => {
    for (const charset of ['utf-8', 'euc-kr', 'shift_jis', 'gb18030', 'utf-16le']) {
      expect(decodeBytes(Buffer.from([0x61, 0xe3]), charset, true), charset).not.toContain(
        '\ufffd',
      );
    }
  });
});

test.each([
  [null, null],
  ['', null],
  ['html', null],
  ['text/html', 'text/html'],
  ['TEXT/HTML; Charset="UTF-8"', 'text/html;charset=UTF-8'],
  ['text/plain, text/html', 'text/html'],
  ['text/html, nonsense', 'text/html'],
  ['text/html, */*', 'text/html'],
  ['text/html;charset=big5, text/html', 'text/html;charset=big5'],
  ['text/html;charset=big5, text/html;charset=gbk', 'text/html;charset=gbk'],
  ['text/html;charset=big5, text/plain', 'text/plain'],
  ['text/html;x="a,b/c", nonsense', 'text/html;x="a,b/c"'],
  ['text/html;x="a\\",b', 'text/html;x="a\\",b"'],
])('the media type of %j is %j [16.29]', (header, type) => expect(mediaTypeOf(header)).toBe(type));

test.each([
  ['text/html; charset=latin1', 'windows-1252'],
  ['text/html; charset="EUC-KR"', 'euc-kr'],
  ['text/html; charset=" ks_c_5601-1987 "', 'euc-kr'],
  ['text/html; charset=hz-gb-2312', 'replacement'],
  ['text/html; charset=klingon', null],
  ['text/html; charset=', null],
  ['charset=utf-8', null],
  [null, null],
])('the charset of %j is %j', (type, charset) => expect(charsetOfType(type)).toBe(charset));
