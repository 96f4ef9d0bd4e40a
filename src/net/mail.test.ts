import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../../test/support/certificate-maker.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startSmtpServer } from '../../test/support/smtp-server.ts';
import { systemClock } from '../lib/clock.ts';
import { MAIL_IMAGES } from '../lib/mail-layout.ts';
import { createMailer, type MailerDependencies } from './mail.ts';

const NOW = Date.UTC(2030, 0, 1, 12);

const MESSAGE = {
  id: 'invitation.7.1893456000000',
  to: 'bob@example.org',
  subject: 'Join the team Büro 🎉 on Tocsin',
  text: 'Grüße\n\nhttps://up.example.com/invitation?token=secret\n',
  html: '<p>Grüße</p>',
};

const shown = (names: readonly (keyof typeof MAIL_IMAGES)[]) =>
  names.map((name) => `<img src="cid:${MAIL_IMAGES[name]}">`).join('');

function mailerFor(smtpUrl: string, more: Partial<MailerDependencies> = {}) {
  return createMailer({
    smtpUrl,
    from: null,
    baseUrl: () => 'https://up.example.com',
    clock: createFakeClock({ now: NOW }),
    ...more,
  });
}

describe('a mail', () => {
  test('has both texts, its own Message-ID and headers against automatic replies', async () => {
    const server = await startSmtpServer();
    const sent = await mailerFor(`smtp://127.0.0.1:${server.port}`).send(MESSAGE);
    expect(sent).toEqual({ outcome: 'sent' });
    const [mail] = server.received;
    expect(mail).toMatchObject({
      from: 'tocsin@up.example.com',
      to: ['bob@example.org'],
      headers: {
        from: 'Tocsin <tocsin@up.example.com>',
        to: 'bob@example.org',
        subject: MESSAGE.subject,
        'message-id': '<invitation.7.1893456000000@up.example.com>',
        date: 'Tue, 01 Jan 2030 12:00:00 +0000',
        'auto-submitted': 'auto-generated',
        'x-auto-response-suppress': 'All',
      },
      text: MESSAGE.text,
      html: MESSAGE.html,
      isEncrypted: false,
      user: null,
    });
  });

  test.each([
    ['http://localhost:3000', 'tocsin@localhost'],
    ['http://192.0.2.1:3000', 'tocsin@[192.0.2.1]'],
    ['http://[2001:db8::1]', 'tocsin@[ipv6:2001:db8::1]'],
  ])('for %s is from %s', async (baseUrl, from) => {
    const server = await startSmtpServer();
    const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`, { baseUrl: () => baseUrl });
    expect(await mailer.send(MESSAGE)).toEqual({ outcome: 'sent' });
    expect(server.received[0]?.headers['from']).toBe(`Tocsin <${from}>`);
  });

  test('is from MAIL_FROM if set', async () => {
    const server = await startSmtpServer();
    const from = 'Betrieb Süd <ops@example.net>';
    await mailerFor(`smtp://127.0.0.1:${server.port}`, { from }).send(MESSAGE);
    expect(server.received[0]).toMatchObject({ from: 'ops@example.net', headers: { from } });
  });

  test.each([
    null,
    'Betrieb Süd <ops@example.net>',
    'ops@example.net',
    '"Ops, Süd" <ops@example.net>',
  ])('of a page has its name, and the address of %j', async (from) => {
    const server = await startSmtpServer();
    const sender = 'Acme "Süd", Status <eve@example.org>';
    await mailerFor(`smtp://127.0.0.1:${server.port}`, { from }).send({ ...MESSAGE, sender });
    const address = from === null ? 'tocsin@up.example.com' : 'ops@example.net';
    const [mail] = server.received;
    expect(mail?.from).toBe(address);
    expect(mail?.headers['from']?.endsWith(` <${address}>`)).toBe(true);
  });

  test('has the images that it shows, and no others', async () => {
    const server = await startSmtpServer();
    const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`);
    const logo = { type: 'image/png', bytes: Buffer.from('logo') };
    for (const names of [[], ['mark'], ['logo'], ['mark', 'logo']] as const)
      await mailer.send({ ...MESSAGE, html: shown(names), logo });
    await mailer.send({ ...MESSAGE, html: shown(['logo']) });
    expect(server.received.map(({ images }) => images.map(({ id }) => id))).toEqual([
      [],
      ['<mark@tocsin>'],
      ['<logo@tocsin>'],
      ['<mark@tocsin>', '<logo@tocsin>'],
      [],
    ]);
    const mail = server.received[2]!;
    expect(mail.images[0]).toMatchObject({
      disposition: 'inline; filename=logo.png',
      bytes: logo.bytes,
    });
    expect(mail).toMatchObject({ text: MESSAGE.text, html: shown(['logo']) });
  });

  test('has no header injected by its subject [39.5]', async () => {
    const server = await startSmtpServer();
    const subject = 'Hello\r\nBcc: eve@example.org\n\nBody\u0000';
    const sent = await mailerFor(`smtp://127.0.0.1:${server.port}`).send({ ...MESSAGE, subject });
    expect(sent).toEqual({ outcome: 'sent' });
    expect(server.received[0]).toMatchObject({ to: ['bob@example.org'], text: MESSAGE.text });
    expect(server.received[0]?.headers['subject']).toBe('Hello Bcc: eve@example.org Body');
    expect(server.received[0]?.headers['bcc']).toBeUndefined();
  });

  test.each([
    'bob@example.org, eve@example.org',
    'bob@example.org\r\nRCPT TO:<eve@example.org>',
    'Bob <bob@example.org>',
    'bob',
    'bob@exa\u0000mple.org',
    '',
    `${'b'.repeat(250)}@example.org`,
  ])('to %j is not sent', async (to) => {
    const server = await startSmtpServer();
    const sent = await mailerFor(`smtp://127.0.0.1:${server.port}`).send({ ...MESSAGE, to });
    expect(sent.outcome).toBe('refused');
    expect(server.asked).toEqual([]);
  });
});

describe('the mail server', () => {
  test('gets user and password with any character', async () => {
    const account = { user: 'tocsin@example.com', password: 'p@ss/w:rd%' };
    const server = await startSmtpServer({ account });
    const secrets = Object.values(account).map(encodeURIComponent).join(':');
    const sent = await mailerFor(`smtp://${secrets}@localhost:${server.port}`).send(MESSAGE);
    expect(sent).toEqual({ outcome: 'sent' });
    expect(server.received[0]?.user).toBe('tocsin@example.com');
  });

  test('that rejects the password is a temporary failure that shows neither', async () => {
    const server = await startSmtpServer({ account: { user: 'tocsin', password: 'right' } });
    const sent = await mailerFor(`smtp://tocsin:wr0ng@127.0.0.1:${server.port}`).send(MESSAGE);
    expect(sent).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('535') });
    expect(JSON.stringify(sent)).not.toContain('wr0ng');
  });

  const certificate = makeCertificate({ names: ['localhost'] });

  test.each([
    ['smtp', false],
    ['smtps', true],
  ])('gets encrypted connections with %s', async (scheme, fromTheStart) => {
    const server = await startSmtpServer({ tls: { ...certificate, fromTheStart } });
    const sent = await mailerFor(`${scheme}://localhost:${server.port}`).send(MESSAGE);
    expect(sent).toEqual({ outcome: 'sent' });
    expect(server.received[0]?.isEncrypted).toBe(true);
  });

  test.each([
    ['smtp', false],
    ['smtps', true],
  ])('must have a valid certificate with %s', async (scheme, fromTheStart) => {
    const server = await startSmtpServer({ tls: { ...certificate, fromTheStart } });
    const url = `${scheme}://localhost:${server.port}?tls.rejectUnauthorized=true`;
    const sent = await mailerFor(url).send(MESSAGE);
    expect(sent).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/certificate/) });
    expect(server.received).toEqual([]);
  });

  test('gets nothing if encryption is required and not offered [39.3]', async () => {
    const server = await startSmtpServer();
    const url = `smtp://127.0.0.1:${server.port}?requireTLS=true`;
    expect(await mailerFor(url).send(MESSAGE)).toMatchObject({ outcome: 'failed' });
    expect(server.asked).toEqual([]);
  });

  test.each([
    [450, 'failed'],
    [421, 'failed'],
    [503, 'failed'],
    [550, 'refused'],
    [554, 'refused'],
  ])('that replies %i to the recipient or the mail: %s', async (code, outcome) => {
    const server = await startSmtpServer();
    const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`);
    server.toRecipient = () => [code, 'No.'];
    expect(await mailer.send(MESSAGE)).toMatchObject({ outcome });
    server.toRecipient = () => 'yes';
    server.toMail = () => [code, 'No.'];
    expect(await mailer.send(MESSAGE)).toMatchObject({ outcome });
    expect(server.asked).toHaveLength(3);
  });

  test('may repeat addresses and links, which the reason omits', async () => {
    const server = await startSmtpServer();
    server.toRecipient = (to) => [
      550,
      `<${to}>: ask carol@example.net, see https://mx.example/?q=bob@example.org`,
    ];
    const sent = await mailerFor(`smtp://127.0.0.1:${server.port}`).send(MESSAGE);
    const reason = sent.outcome === 'sent' ? '' : sent.reason;
    expect(reason).toContain('…@example.org');
    expect(reason).not.toMatch(/bob|carol|https/);
  });

  test('that is unreachable is a temporary failure', async () => {
    const server = await startSmtpServer();
    await server.close();
    const sent = await mailerFor(`smtp://127.0.0.1:${server.port}`).send(MESSAGE);
    expect(sent).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/REFUSED/) });
  });

  const quick = { connection: 20, greeting: 20, silence: 20, whole: 5_000 };

  test('that never sends a greeting times out', async () => {
    const port = await listenRaw(() => {});
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`, { timeouts: quick });
    expect(await mailer.send(MESSAGE)).toMatchObject({ outcome: 'failed' });
  });

  test('that stops responding during a mail times out', async () => {
    const server = await startSmtpServer();
    server.toMail = () => 'silence';
    const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`, {
      timeouts: { ...quick, connection: 2_000, greeting: 2_000, silence: 300 },
    });
    expect(await mailer.send(MESSAGE)).toMatchObject({ outcome: 'failed' });
    expect(server.asked).toHaveLength(2);
  });

  test('that never stops sending times out', async () => {
    const port = await listenRaw((line) => line('220-Welcome'));
    const mailer = mailerFor(`smtp://127.0.0.1:${port}`, {
      clock: systemClock,
      timeouts: { connection: 10_000, greeting: 10_000, silence: 10_000, whole: 100 },
    });
    expect(await mailer.send(MESSAGE)).toEqual({
      outcome: 'failed',
      reason: 'The mail server took too long.',
    });
  });

  test.each([
    ['an answer that is none', 'HTTP/1.1 400 Bad Request'],
    ['a greeting that is a refusal', '554 No service'],
    ['a good bye', '421 Closing'],
  ])('with %s is a temporary failure', async (_, greeting) => {
    const port = await listenRaw((line, end) => {
      line(greeting);
      end();
    });
    const sent = await mailerFor(`smtp://127.0.0.1:${port}`).send(MESSAGE);
    expect(sent).toMatchObject({ outcome: 'failed' });
  });

  test('is disconnected at once when Tocsin stops', async () => {
    const server = await startSmtpServer();
    const stopping = new AbortController();
    server.toMail = () => {
      stopping.abort();
      return 'silence';
    };
    const mailer = mailerFor(`smtp://127.0.0.1:${server.port}`);
    expect(await mailer.send(MESSAGE, stopping.signal)).toEqual({
      outcome: 'failed',
      reason: 'Tocsin is stopping.',
    });
  });
});

/** A server that is not a mail server and discards what it receives. */
async function listenRaw(
  greet: (line: (text: string) => void, end: () => void) => void,
): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    greet(
      (text) => void socket.write(`${text}\r\n`),
      () => void socket.end(),
    );
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
