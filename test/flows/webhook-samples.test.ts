import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signatureHeaders } from '../../src/alerting/delivery/webhook.ts';
import { freshDirectory } from '../support/directories.ts';
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

/** Not base64 after `whsec_`, the one for want of its end: both are text. */
const [BROKEN, PROSE] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa', 'whsec_hello, I am a secret'];

const right = { body: BODY, standard: true, plain: true };
const wrong = { body: BODY, standard: false, plain: false };
const SAMPLES: Sample[] = [
  { ...right, what: 'a base64 secret', headers: signed(ENCODED), secret: ENCODED },
  { ...right, what: 'a secret that is text', headers: signed(TEXT), secret: TEXT },
  { ...right, what: 'base64 without its end', headers: signed(BROKEN), secret: BROKEN },
  { ...right, what: 'text after whsec_', headers: signed(PROSE), secret: PROSE },
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
  ...['', 'soon', '²', '9'.repeat(5_000), '-1893456000', '１８９３４５６０００'].map((time) => ({
    ...right,
    what: `the time ${time.slice(0, 9)}`,
    headers: { ...signed(TEXT), 'webhook-timestamp': time },
    secret: TEXT,
    standard: false,
  })),
  {
    ...right,
    what: 'a time to come',
    headers: signed(TEXT, null, AT + 301_000),
    secret: TEXT,
    standard: false,
  },
  {
    ...right,
    what: 'a signature of another version',
    headers: { ...signed(TEXT), 'webhook-signature': 'v1a,AAAA v2 v1, é' },
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

test('the sample for Node tells right signatures from wrong ones [29.43]', async () => {
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

const encoded = (text: string) => Buffer.from(text).toString('base64');

/** Reads samples from its input, a line each: name, body and secret in base64, then names and values of headers. */
const JAVA_JUDGE = `
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.*;

public class Judge {
    public static void main(String[] arguments) {
        Instant now = Instant.ofEpochSecond(Long.parseLong(arguments[0]));
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            List<String> parts = new ArrayList<>();
            for (String part : lines.nextLine().split(" ", -1))
                parts.add(new String(Base64.getDecoder().decode(part), StandardCharsets.UTF_8));
            Map<String, String> headers = new HashMap<>();
            for (int i = 3; i < parts.size(); i += 2) headers.put(parts.get(i), parts.get(i + 1));
            byte[] body = parts.get(1).getBytes(StandardCharsets.UTF_8);
            boolean standard = TocsinWebhook.isFrom(headers::get, body, parts.get(2), now);
            boolean plain = TocsinWebhook.hasPlainSignature(headers::get, body, parts.get(2));
            System.out.println(standard + " " + plain);
        }
    }
}`;

test.skipIf(!has('javac'))(
  'the sample for Java tells right signatures from wrong ones',
  { timeout: 180_000 },
  async () => {
    const { place: classes, remove } = await freshDirectory();
    onTestFinished(remove);
    await writeFile(join(classes, 'Judge.java'), JAVA_JUDGE);
    const sources = [`${EXAMPLES}TocsinWebhook.java`, join(classes, 'Judge.java')];
    const compiled = await run('javac', ['-encoding', 'UTF-8', '-d', classes, ...sources]);
    expect(compiled).toMatchObject({ code: 0, stderr: '' });
    const input = SAMPLES.map(({ what, headers, body, secret }) =>
      [what, body, secret, ...Object.entries(headers).flat()].map(encoded).join(' '),
    ).join('\n');
    const judged = await run('java', ['-cp', classes, 'Judge', String(AT / 1000)], { input });
    expect([judged.stderr, judged.stdout.trim().split('\n')]).toEqual([
      '',
      SAMPLES.map(({ standard, plain }) => `${standard} ${plain}`),
    ]);
  },
);
