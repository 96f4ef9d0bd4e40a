import { expect, test } from 'vitest';
import {
  channelDelivery,
  channelTools,
  notice,
  recoveryDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { startSmtpServer } from '../../../test/support/smtp-server.ts';
import { systemClock } from '../../lib/clock.ts';
import { createMailer, type Mailer, type MailMessage, type Sent } from '../../net/mail.ts';
import type { HttpClient } from '../../net/http-client.ts';
import type { ChannelDelivery } from './contract.ts';
import { email } from './email.ts';

const NO_HTTP: HttpClient = { request: () => Promise.reject(new Error('No HTTP here.')) };

function send(addresses: string[], mailer: Mailer | null, delivery: ChannelDelivery) {
  const tools = channelTools(NO_HTTP, { mailer });
  return email.send({ addresses }, delivery, tools, new AbortController().signal);
}

function mailerFor(port: number): Mailer {
  return createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: null,
    baseUrl: () => 'https://up.example.com',
    clock: systemClock,
  });
}

/** Answers as given by address, and keeps what it was asked to send. */
function madeUpMailer(answers: Record<string, Sent['outcome']> = {}) {
  const asked: MailMessage[] = [];
  const mailer: Mailer = {
    send(mail) {
      asked.push(mail);
      const outcome = answers[mail.to] ?? 'sent';
      const reason = `550 …@${mail.to.split('@')[1]} is not known`;
      return Promise.resolve(outcome === 'sent' ? { outcome } : { outcome, reason });
    },
  };
  return { mailer, asked, answers };
}

test('each address gets a mail of its own, and alarm and recovery are one conversation [33.9, 34.5]', async () => {
  const smtp = await startSmtpServer();
  const mailer = mailerFor(smtp.port);
  const addresses = ['ada@example.com', 'ben@example.com'];
  expect(await send(addresses, mailer, channelDelivery())).toEqual({
    outcome: 'delivered',
    statusCode: null,
  });
  expect(await send(['ada@example.com'], mailer, recoveryDelivery())).toMatchObject({
    outcome: 'delivered',
  });

  const [alarm, other, recovery] = smtp.received.toSorted((a, b) =>
    a.headers['message-id']!.localeCompare(b.headers['message-id']!),
  );
  expect([alarm!.to, other!.to, recovery!.to]).toEqual([
    ['ada@example.com'],
    ['ben@example.com'],
    ['ada@example.com'],
  ]);
  expect(alarm).toMatchObject({
    headers: {
      'message-id': '<msg_1f0e.1@up.example.com>',
      references: '<tocsin-alert-5@up.example.com>',
      'in-reply-to': '<tocsin-alert-5@up.example.com>',
      subject: 'Shop is down since 08:02 UTC',
    },
    text: 'Shop is down since 08:02 UTC.\n\nhttps://up.example.com/alert?token=abc\n',
    html: '<p>Shop is down since 08:02 UTC.</p>',
  });
  expect(other!.headers['message-id']).toBe('<msg_1f0e.2@up.example.com>');
  expect(other!.raw).not.toContain('ada@');
  expect(recovery!.headers['references']).toBe(alarm!.headers['references']);
});

test('one mailbox that is busy keeps nobody else waiting, and repeats nothing to them [34.22]', async () => {
  const { mailer, asked, answers } = madeUpMailer({ 'ben@example.org': 'failed' });
  const addresses = ['ada@example.com', 'ben@example.org', 'cid@example.net', 'dan@example.net'];
  answers['dan@example.net'] = 'refused';
  expect(await send(addresses, mailer, channelDelivery())).toEqual({
    outcome: 'failed',
    reason: '1 of 4 mails could not be sent: 550 …@example.org is not known.',
    statusCode: null,
    retryAfterMs: null,
  });
  answers['ben@example.org'] = 'sent';
  expect(await send(addresses, mailer, channelDelivery())).toMatchObject({ outcome: 'delivered' });
  expect(asked.map(({ to, id }) => `${to} ${id}`)).toEqual([
    'ada@example.com msg_1f0e.1',
    'ben@example.org msg_1f0e.2',
    'cid@example.net msg_1f0e.3',
    'dan@example.net msg_1f0e.4',
    'ben@example.org msg_1f0e.2',
  ]);
  // A delivery that is done is forgotten: sent again on purpose, all get it.
  await send(addresses, mailer, channelDelivery());
  expect(asked).toHaveLength(9);
});

test('another delivery is not taken for the same', async () => {
  const { mailer, asked } = madeUpMailer({ 'ben@example.org': 'failed' });
  const addresses = ['ada@example.com', 'ben@example.org'];
  await send(addresses, mailer, channelDelivery());
  await send(addresses, mailer, recoveryDelivery());
  expect(asked.map(({ id }) => id)).toEqual([
    'msg_1f0e.1',
    'msg_1f0e.2',
    'msg_2a7c.1',
    'msg_2a7c.2',
  ]);
});

test('an address that is refused for good hides from nobody when somebody tries the channel', async () => {
  const { mailer } = madeUpMailer({ 'ben@example.org': 'refused' });
  const addresses = ['ada@example.com', 'ben@example.org'];
  const trial = channelDelivery({ content: notice({ kind: 'test' }) });
  expect(await send(addresses, mailer, trial)).toEqual({
    outcome: 'refused',
    reason: '1 of 2 mails could not be sent: 550 …@example.org is not known.',
    statusCode: null,
  });
  expect(await send(addresses, mailer, channelDelivery())).toMatchObject({ outcome: 'delivered' });
  expect(await send(['ben@example.org'], mailer, channelDelivery())).toEqual({
    outcome: 'refused',
    reason: 'The mail could not be sent: 550 …@example.org is not known.',
    statusCode: null,
  });
});

test('twenty addresses are asked a few at a time', async () => {
  let open = 0;
  let most = 0;
  const mailer: Mailer = {
    async send() {
      most = Math.max(most, (open += 1));
      await new Promise<void>((resolve) => setImmediate(resolve));
      open -= 1;
      return { outcome: 'sent' };
    },
  };
  const addresses = Array.from({ length: 20 }, (_, index) => `a${index}@example.com`);
  expect(await send(addresses, mailer, channelDelivery())).toMatchObject({ outcome: 'delivered' });
  expect(most).toBe(5);
});

test('a mail server that is too slow for all of them is asked for the rest another time', async () => {
  const smtp = await startSmtpServer();
  const mailer = mailerFor(smtp.port);
  const deadline = new AbortController();
  smtp.toRecipient = (address) => {
    if (address !== 'slow@example.com') return 'yes';
    setImmediate(() => deadline.abort('deadline'));
    return 'silence';
  };
  const addresses = ['slow@example.com', 'b@example.com', 'c@example.com'];
  const tools = channelTools(NO_HTTP, { mailer });
  const sent = await email.send({ addresses }, channelDelivery(), tools, deadline.signal);
  expect(sent).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(
      /^[123] of 3 mails could not be sent: The mail server took too long\.$/,
    ),
  });
  smtp.toRecipient = () => 'yes';
  expect(await send(addresses, mailer, channelDelivery())).toMatchObject({ outcome: 'delivered' });
  const ids = smtp.received.map(({ headers }) => headers['message-id']);
  expect(new Set(ids).size).toBe(3);
});

test('without a mail server it says what is to be set', async () => {
  expect(await send(['ada@example.com'], null, channelDelivery())).toEqual({
    outcome: 'refused',
    reason: 'This installation sends no mail: its operator must set SMTP_URL.',
    statusCode: null,
  });
});

test.each([
  ['connect ECONNREFUSED 10.0.0.5:25', 'connect ECONNREFUSED.'],
  ['getaddrinfo ENOTFOUND mail.internal', 'getaddrinfo ENOTFOUND.'],
  [
    "Hostname/IP does not match certificate's altnames: Host: mail.internal. is not in the cert's altnames: DNS:a.internal",
    "Hostname/IP does not match certificate's altnames.",
  ],
  ['Greeting never received', 'Greeting never received.'],
])('the address of the mail server is not shown to teams: %s', async (reason, shown) => {
  const mailer: Mailer = { send: async () => ({ outcome: 'failed', reason }) };
  expect(await send(['ada@example.com'], mailer, channelDelivery())).toMatchObject({
    outcome: 'failed',
    reason: `The mail could not be sent: ${shown}`,
  });
});
