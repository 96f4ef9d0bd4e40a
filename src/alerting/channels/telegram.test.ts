import { expect, test } from 'vitest';
import {
  channelDelivery,
  message,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import {
  describeProvider,
  ENDLESS,
  MARKED_UP,
  tryChannel,
} from '../../../test/support/channel-trials.ts';
import { telegram } from './telegram.ts';

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
const SETTINGS = { bot_token: TOKEN, chat_id: '-1001234567890', thread_id: null };
const URL = `https://api.telegram.org/bot${TOKEN}/sendMessage`;
const { requestOf, outcomeAfter, provider } = tryChannel(telegram, SETTINGS);
const inTopic = tryChannel(telegram, { ...SETTINGS, chat_id: '@acme_ops', thread_id: 42 });
describeProvider(telegram, SETTINGS, [TOKEN, 'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw']);

const refusal = (description: string, more: object = {}) =>
  JSON.stringify({ ok: false, error_code: 400, description, ...more });
const requests = () => provider.requests;
const bodies = () => requests().map(({ body }) => JSON.parse(body));

test('an alarm is a text with a bold headline and two buttons', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe(URL);
  expect(request.json).toEqual({
    chat_id: '-1001234567890',
    text: '🔴 Shop is down since 08:02 UTC\n\nCause: HTTP 503.',
    entities: [{ type: 'bold', offset: 3, length: 28 }],
    link_preview_options: { is_disabled: true },
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'Details', url: 'https://up.example.com/alert?token=abc' },
          { text: 'Acknowledge', url: 'https://up.example.com/alert?token=abc&acknowledge=1' },
        ],
      ],
    },
  });
});

test('a topic of a public group', async () => {
  const { json } = await inTopic.requestOf(channelDelivery());
  expect(json).toMatchObject({ chat_id: '@acme_ops', message_thread_id: 42 });
});

test('a recovery has one button, a message without links none', async () => {
  const { json } = await requestOf(recoveryDelivery());
  expect(json.text).toBe(
    '🟢 Shop is up again after 9 minutes\n\nShop is up again.\nIt was down for 9 minutes.',
  );
  expect(json.reply_markup.inline_keyboard[0]).toHaveLength(1);
  const bare = message({ lines: [], links: { details: null, acknowledge: null } });
  const alone = await requestOf(channelDelivery({ message: bare }));
  expect(alone.json.text).toBe('🔴 Shop is down since 08:02 UTC');
  expect(alone.json).not.toHaveProperty('reply_markup');
});

test('a storm and texts that are too long are cut', async () => {
  const { json } = await requestOf(stormDelivery(500));
  expect(json.text.length).toBeLessThanOrEqual(4_096);
  expect(json.text).toMatch(/\nShop 2: HTTP 503\n[^]+\n… and \d+ more lines$/);
  const endless = await requestOf(channelDelivery({ message: ENDLESS }));
  expect(endless.json.text.length).toBeLessThanOrEqual(4_096);
});

test('there is no parse mode, and nobody is mentioned', async () => {
  const { json } = await requestOf(channelDelivery({ message: MARKED_UP }));
  expect(json).not.toHaveProperty('parse_mode');
  expect(json.text).toContain('<b>shop</b> & [link](https://evil.example)');
  expect(json.text).not.toMatch(/@\w/);
  const [{ offset, length }] = json.entities;
  expect(json.text.slice(offset, offset + length)).toMatch(/^@.everyone .*example\)$/);
});

test('links that Telegram takes for no button stand in the text', async () => {
  const before = requests().length;
  const body = refusal(
    "Bad Request: inline keyboard button URL 'http://localhost:3000/alert' is invalid: Wrong HTTP URL",
  );
  expect(await outcomeAfter({ status: 400, body })).toMatchObject({ outcome: 'delivered' });
  const [first, second, ...more] = bodies().slice(before);
  expect(more).toEqual([]);
  expect(first).toHaveProperty('reply_markup');
  expect(second).not.toHaveProperty('reply_markup');
  expect(second.text).toMatch(
    /\n\nDetails: https:\/\/up[^\n]+abc\nAcknowledge: https:\/\/up[^\n]+=1$/,
  );
});

test('a group that became a supergroup is followed', async () => {
  const before = requests().length;
  const body = refusal('Bad Request: group chat was upgraded to a supergroup chat', {
    parameters: { migrate_to_chat_id: -1009876543210 },
  });
  expect(await outcomeAfter({ status: 400, body })).toMatchObject({ outcome: 'delivered' });
  expect(bodies().slice(before)).toMatchObject([
    { chat_id: '-1001234567890' },
    { chat_id: '-1009876543210' },
  ]);
});

test('429 says in its parameters how long to wait', async () => {
  const body = JSON.stringify({
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 14',
    parameters: { retry_after: 14 },
  });
  expect(await outcomeAfter({ status: 429, body })).toEqual({
    outcome: 'failed',
    statusCode: 429,
    retryAfterMs: 14_000,
    reason: 'Telegram answered HTTP 429: Too Many Requests: retry after 14.',
  });
});

test.each([
  [403, 'Forbidden: bot was blocked by the user'],
  [403, 'Forbidden: bot was kicked from the supergroup chat'],
  [403, 'Forbidden: user is deactivated'],
  [401, 'Unauthorized'],
  [404, 'Not Found'],
])('%i %s: the address is gone', async (status, description) => {
  expect(await outcomeAfter({ status, body: refusal(description) })).toMatchObject({
    outcome: 'gone',
    statusCode: status,
    reason: expect.stringContaining(`Telegram answered HTTP ${status}: ${description}. `),
  });
});

test.each([
  [400, 'Bad Request: chat not found'],
  [403, "Forbidden: bot can't initiate conversation with a user"],
])('%i %s is a refusal', async (status, description) => {
  expect(await outcomeAfter({ status, body: refusal(description) })).toMatchObject({
    outcome: 'refused',
    reason: `Telegram answered HTTP ${status}: ${description}.`,
  });
});
