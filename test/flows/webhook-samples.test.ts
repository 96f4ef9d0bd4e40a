import { expect, test } from 'vitest';
import { signatureHeaders } from '../../src/notify/signature.ts';
import { EXAMPLES, has, run } from '../support/snippets.ts';

interface Sample {
  what: string;
  headers: Record<string, string>;
  body: string;
  secret: string;
  /** Whether the signature of Standard Webhooks is right, and whether the plain one is. */
  standard: boolean;
  plain: boolean;
}

const AT = Date.UTC(2030, 0, 1);
const BODY = '{"event":"monitor.down","monitor":{"name":"Bücher"}}';
const [ENCODED, TEXT] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a secret, written by ä person'];

function signed(secret: string, previousSecret: string | null = null, at = AT) {
  const message = { messageId: 'msg_1', body: BODY };
  const headers = signatureHeaders({ ...message, at, secret, previousSecret });
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(lower) as Record<string, string>;
}

const right = { body: BODY, standard: true, plain: true };
const wrong = { body: BODY, standard: false, plain: false };
const SAMPLES: Sample[] = [
  { ...right, what: 'a base64 secret', headers: signed(ENCODED), secret: ENCODED },
  { ...right, what: 'a secret that is text', headers: signed(TEXT), secret: TEXT },
  { ...right, what: 'the new of two', headers: signed(TEXT, ENCODED), secret: TEXT },
  { ...right, what: 'the former of two', headers: signed(TEXT, ENCODED), secret: ENCODED },
  { ...wrong, what: 'another secret', headers: signed(TEXT), secret: ENCODED },
  { ...wrong, what: 'another body', headers: signed(TEXT), body: `${BODY} `, secret: TEXT },
  { ...wrong, what: 'no signature', headers: {}, secret: TEXT },
  {
    ...right,
    what: 'another id',
    headers: { ...signed(TEXT), 'webhook-id': 'msg_2' },
    secret: TEXT,
    standard: false,
  },
  {
    ...right,
    what: 'an old time',
    headers: signed(TEXT, null, AT - 301_000),
    secret: TEXT,
    standard: false,
  },
];

const outcomes = SAMPLES.map(({ what, standard, plain }) => [what, standard, plain]);

test('the sample for Node tells right signatures from wrong ones', async () => {
  const { isFromTocsin, hasPlainSignature } = await import(`${EXAMPLES}webhook.mjs`);
  const judged = SAMPLES.map(({ what, headers, body, secret }) => [
    what,
    isFromTocsin(headers, Buffer.from(body), secret, AT),
    hasPlainSignature(headers, Buffer.from(body), secret),
  ]);
  expect(judged).toEqual(outcomes);
});

test.skipIf(!has('python3'))(
  'the sample for Python tells right signatures from wrong ones',
  async () => {
    const script = [
      'import json, sys',
      'from webhook import has_plain_signature, is_from_tocsin',
      'samples, now = json.loads(sys.argv[1])',
      'print(json.dumps([[one["what"],',
      '    is_from_tocsin(one["headers"], one["body"].encode(), one["secret"], now),',
      '    has_plain_signature(one["headers"], one["body"].encode(), one["secret"])]',
      '    for one in samples]))',
    ].join('\n');
    const env = { PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: '1' };
    const input = JSON.stringify([SAMPLES, AT / 1000]);
    const { stdout, stderr } = await run('python3', ['-c', script, input], { env });
    expect([stderr, JSON.parse(stdout)]).toEqual(['', outcomes]);
  },
);
