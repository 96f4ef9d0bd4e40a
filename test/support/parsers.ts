import { setImmediate } from 'node:timers/promises';
import { acceptedEncodings } from '../../src/status-page/kept-document.ts';
import { answerMessages, readPasskey, readPing } from './answer-feeds.ts';
import { jsonAssertionInput } from '../../src/monitor-types/content-settings.ts';
import { parsePingTarget } from '../../src/api/ping-request.ts';
import { preferencesOf } from '../../src/api/preferred-language.ts';
import { parseCron } from '../../src/lib/cron-expression.ts';
import { nextFire } from '../../src/lib/cron.ts';
import { parseJsonPath } from '../../src/lib/json-path.ts';
import { loadRecurrences, parseRecurrence } from '../../src/lib/recurrence.ts';
import { canonicalHostOf } from '../../src/lib/url-host.ts';
import { isMailAddress, mailboxOf } from '../../src/model/mail-address.ts';
import { parseImport } from '../../src/resources/subscribers/csv.ts';
import { checkCss, scopedCss } from '../../src/status-page/text/css.ts';
import { imageTypeOf } from '../../src/status-page/text/image.ts';
import { markdownToHtml, markdownToText } from '../../src/status-page/text/markdown.ts';

/** A parser of what users, visitors and targets send. docs/security.md shows these rows. */
export interface InputParser {
  input: string;
  limits: string;
  /** Thread or process that parses it. */
  where: string;
  /** Feeds it one input; only for the main thread. */
  feed?: (input: string) => unknown;
  /** Pieces that are repeated up to the length. */
  pieces?: readonly string[];
  length?: number;
  /** Whole inputs. */
  inputs?: readonly string[];
}

const MAIN = 'main thread';
const PROBE = 'probe process';
const HEAD = 16 * 1024;

function patterns(piece: string): object {
  const assertions = Array.from({ length: 10 }, (_, index) => ({
    path: 'a',
    operator: 'regex',
    value: `${index}${piece}`.slice(0, 1_000),
  }));
  return { assertions };
}

async function startsOf(text: string): Promise<void> {
  const parsed = parseRecurrence(text);
  if (!('rule' in parsed)) return;
  const start = { startsAt: Date.UTC(1970, 0, 1), timezone: 'America/New_York' };
  const { startsAfter } = await loadRecurrences();
  // The first one is what is looked for longest.
  for (const _ of startsAfter(parsed.rule, start, Date.UTC(2030, 0, 1))) return;
}

function firesOf(expression: string): void {
  const parsed = parseCron(expression);
  let at: number | null = Date.UTC(2030, 0, 1);
  for (let count = 0; parsed.ok && at !== null && count < 10; count++)
    at = nextFire(parsed.cron, 'Antarctica/Troll', at);
}

export const INPUT_PARSERS: readonly InputParser[] = [
  {
    input: 'JSON of the API, the tool server and sign-in',
    limits:
      '1 MiB, for sign-in 64 KiB, for configuration sets 2 MiB, for files of other services 4 MiB; 32 levels, 100,000 values and names in each MiB',
    where: MAIN,
  },
  {
    input: 'Forms of status pages and connected applications',
    limits: '8 KiB and 64 KiB',
    where: MAIN,
    feed: (text) => [...new URLSearchParams(text)],
    pieces: ['a=b&', '&', '%', '%41', '=', '+', '%ff'],
    length: 64 * 1024,
  },
  {
    input:
      'Paths, queries and headers, such as cookies, Accept-Language and Accept-Encoding; Range is ignored',
    limits: '16 KiB together',
    where: MAIN,
    feed: (text) => {
      preferencesOf({ cookie: text, 'accept-language': text });
      acceptedEncodings(text);
      parsePingTarget(`/ping/${text}`);
    },
    pieces: ['a', ';', ',', 'en;q=1,', 'lang=', ' ,', '%', '/', '?a=', 'gzip;q='],
    length: HEAD,
  },
  {
    input: 'CSV of imported subscribers',
    limits: '1,000,000 characters, 10,000 lines, 100 columns; 10 requests a minute',
    where: `${MAIN}, in turns of 4 ms`,
    feed: (text) => parseImport(`address\n${text}`),
    pieces: ['a\n', 'a@example.com\n', '\n', ',', '"', '"",\n', ' ', '\r', 'a,b,c,d\n'],
    length: 1_000_000,
  },
  {
    input: 'Patterns (RE2) of assertions',
    limits:
      '1,000 characters, 2,000 steps, 20 Unicode classes; 8,000 steps a monitor, 200,000 a request',
    where: `${MAIN} to be compiled, ${PROBE} to be searched for`,
    feed: (text) => jsonAssertionInput().safeParse(patterns(text)),
    pieces: [
      '[',
      '(a',
      '(?i)\\pL',
      '\\pL',
      '[\\pL',
      'x{1000}',
      'a|',
      '((((',
      '[^a',
      '\\Q',
      '[[:',
      'a{1,',
      '(?i)[Ā-ſ]',
    ],
    length: 1_000,
    inputs: [`(?i)[${'\\pL'.repeat(20)}]`, `(?i)${'[Ā-\\x{ffff}]'.repeat(4)}`],
  },
  {
    input: 'Paths in JSON',
    limits: '500 characters',
    where: MAIN,
    feed: parseJsonPath,
    pieces: ['a.', '["a"].', '[0]', '["', '[', 'a[', '\\', '["\\"'],
    length: 500,
  },
  {
    input: 'Cron expressions',
    limits: '255 characters; 48 years ahead',
    where: MAIN,
    feed: firesOf,
    pieces: ['1,', '* ', '0-59/1,', '@', 'jan,'],
    length: 255,
    inputs: ['0 0 29 2 1', '59 23 29 2 6', '0 0 30 2 *', '* * * * *', '0 0 1 1 *'],
  },
  {
    input: 'Recurrences (RRULE)',
    limits: '500 characters; 5,000 steps, 50 years ahead',
    where: MAIN,
    feed: startsOf,
    pieces: ['FREQ=DAILY;', 'BYMONTHDAY=1,', ';', '='],
    length: 500,
    inputs: [
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
      'FREQ=DAILY;BYMONTHDAY=-31;BYMONTH=2;BYHOUR=0,1,2,3',
      'FREQ=DAILY;BYDAY=MO;BYMONTHDAY=31;BYMONTH=2',
      'FREQ=YEARLY;BYWEEKNO=-53;BYMONTH=6',
      'FREQ=YEARLY;BYYEARDAY=366;INTERVAL=7',
      'FREQ=DAILY;COUNT=10000;BYHOUR=0,1,2,3;BYMINUTE=1',
    ],
  },
  {
    input: 'URLs, host names and mail addresses',
    limits: '2,048 characters, mail addresses 254',
    where: MAIN,
    feed: (text) => {
      canonicalHostOf(`http://${text}`);
      isMailAddress(`${text}@${text}`);
      mailboxOf(`${text}@example.com`);
    },
    pieces: ['a', 'a.', '@', '[', ':', '%41', 'xn--a.', 'ü.', '1.', '+', '"'],
    length: 2_048,
  },
  {
    input: 'Markdown of updates and descriptions',
    limits: '10,000 characters',
    where: MAIN,
    feed: (text) => [markdownToHtml(text), markdownToText(text)],
    pieces: [
      '*',
      '_',
      '[',
      '](',
      '[a](',
      '`',
      '``',
      '- ',
      '> ',
      '\n',
      '**a',
      '*a_',
      '![',
      '&',
      'http://a ',
      '[a](http://a) ',
      '1. ',
      '\\',
      '[[a]](',
      '- a\n',
      '> a\n\n',
      '***a***',
    ],
    length: 10_000,
  },
  {
    input: 'Custom CSS',
    limits: '32 KiB',
    where: MAIN,
    // A page is saved by one request, and shown by another.
    async feed(text) {
      checkCss(text);
      await setImmediate();
      scopedCss(text);
    },
    pieces: [
      '{',
      'a{',
      'a{b:',
      '(',
      'a:not(',
      '@media ',
      '/*',
      '"',
      '\\',
      'a,',
      'a>',
      'a a ',
      'a{color:red}',
      'a{b:c}',
      'a{b:calc(',
      '}',
      ':is(',
      '--a:',
      '@media (a) and ',
      'url(',
    ],
    length: 32_768,
  },
  {
    input: 'PNG, JPEG and SVG of logos',
    limits: '512 KiB, 4,096 pixels a side, 64 MiB of pixels; one image of a team waits',
    where: 'child process: 96 MiB of heap, 736 MiB, 20 s',
    feed: (text) => imageTypeOf(Buffer.from(text)),
    pieces: ['<?a?>', '<!-- -->', '<!DOCTYPE a[', '<!DOCTYPE a>', ' ', '<!DOCTYPE a[ ] '],
    length: 512 * 1024,
  },
  {
    input: 'Logos and texts of a PDF report',
    limits: 'as stored; one file of a team waits',
    where: 'child process: 256 MiB of heap, 896 MiB, 60 s',
  },
  {
    input: 'Files of other services: JSON, YAML, CSV',
    limits: '4 MiB; one file of a team waits',
    where: 'child process: 256 MiB of heap, 896 MiB, 30 s',
  },
  {
    input: 'Passwords, rated by lists',
    limits: '48 characters; 20 wait',
    where: 'worker thread',
  },
  {
    input: 'Passkeys (CBOR, certificates of authenticators)',
    limits: '64 KiB of JSON',
    where: MAIN,
    feed: readPasskey,
    // Lists, maps and tags in each other, of unknown and of enormous length; texts, numbers.
    pieces: [
      '\x81',
      '\x9f',
      '\xa1\x00',
      '\xbf\x00',
      '\xbf\x61a',
      '\xc0',
      '\xd9\xff\xff',
      '\x9a\xff\xff\xff\xff',
      '\xba\x00\xff\xff\xff',
      '\x5a\x00\xff\xff\xff',
      '\x5f\x41a',
      '\x7f\x61a',
      '\x61a\x00',
      '\xfb\x7f\xff\xff\xff\xff\xff\xff\xff',
      '\x80',
      '\x00',
    ],
    length: 36 * 1024,
    inputs: [
      `\x9a\x00\x00\x88\xb8${'\x00'.repeat(35_000)}`,
      `\xba\x00\x00\x44\x5c${'\x19\x01\x01\x80'.repeat(8_700)}`,
      `\xa5\x01\x03\x03\x39\x01\x00\x20\x59\x80\x00${'\xff'.repeat(32_768)}\x21\x43\x01\x00\x01`,
    ],
  },
  {
    input: 'Answers of webhook receivers, channels and sign-in providers',
    limits: '64 KiB of a channel, 1 KiB of a webhook receiver, 8 KiB of headers',
    where: MAIN,
    feed: answerMessages,
    pieces: [
      '[',
      '{"a":',
      '{"errors":[',
      '"a",',
      ' ',
      '\n',
      'secret-part/',
      'a',
      '\\',
      '<a>',
      '1,',
      'ä',
    ],
    length: 64 * 1024,
    inputs: [
      `{"description":"${'a b\t'.repeat(16_000)}"}`,
      `{"errors":[${'"a",'.repeat(16_000)}"a"]}`,
      `{"message":"${'secret-part/'.repeat(5_000)}"}`,
    ],
  },
  {
    input:
      'Lists and events of Docker and Kubernetes, with `DISCOVER`: what the operator named is trusted with the time, 0.1 s for a thousand containers',
    limits: '32 MiB an answer, 4 MiB an event',
    where: MAIN,
  },
  {
    input: 'Bodies of pings',
    limits: '10 KiB are kept, as text of any charset of the Encoding Standard',
    where: MAIN,
    feed: readPing,
    inputs: [
      'utf-8',
      'utf-16le',
      'iso-8859-1',
      'gb18030',
      'big5',
      'euc-kr',
      'euc-jp',
      'shift_jis',
      'iso-2022-jp',
      'x-user-defined',
    ]
      .flatMap((charset) =>
        ['\xff', '\x81', '\x1b', '\x1b$B', 'a', '\0', '\xed\xa0\x80', '\x81\x30\x81\x30'].map(
          (piece) =>
            `text/plain; charset=${charset}\n${piece.repeat(Math.ceil(10_240 / piece.length))}`,
        ),
      )
      .concat(
        ['a', ';', '=', '"', ' ', 'charset=', '\\"'].map(
          (piece) => `${piece.repeat(HEAD / piece.length)}\na`,
        ),
      ),
  },
  {
    input: 'Pages of targets: HTML, JSON, texts in any encoding',
    limits: '10 MiB; JSON 100 levels, 1,000,000 values and names',
    where: `${PROBE}, large ones in a thread of 128 MiB`,
  },
  {
    input: 'Heads of HTTP answers',
    limits: '64 KiB',
    where: PROBE,
  },
  {
    input: 'Certificates (ASN.1), OCSP, DNS, ICMP',
    limits: 'by the protocols: 64 KiB a message',
    where: PROBE,
  },
  {
    input: 'RDAP and WHOIS',
    limits: '512 KiB and 64 KiB',
    where: PROBE,
  },
];

/** The table as docs/security.md shows it. */
export function parserTable(): string {
  const rows = INPUT_PARSERS.map(
    ({ input, limits, where }) => `| ${input} | ${limits} | ${where} |`,
  );
  return ['| Input | Limits | Parsed in |', '|---|---|---|', ...rows].join('\n');
}
