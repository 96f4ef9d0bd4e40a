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
import { googleChat } from './google-chat.ts';

const KEY = 'AIzaSyD0000000000';
const TOKEN = 'Zm9vYmFyYmF6cXV4';
const SETTINGS = {
  webhook_url: `https://chat.googleapis.com/v1/spaces/AAAAbC/messages?key=${KEY}&token=${TOKEN}%3D`,
};
const { requestOf, outcomeAfter, provider, send } = tryChannel(googleChat, SETTINGS);
describeProvider(googleChat, SETTINGS, [KEY, TOKEN]);

const error = (code: number, status: string, text: string) =>
  JSON.stringify({ error: { code, message: text, status } });
const widgetsOf = (json: any) => json.cardsV2[0].card.sections[0].widgets;

test('an alarm is a card with two buttons, in the thread of its alert', async () => {
  const request = await requestOf(channelDelivery());
  expect(request.url).toBe(
    `${SETTINGS.webhook_url}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`,
  );
  expect(request.json).toEqual({
    fallbackText: 'Shop is down since 08:02 UTC: HTTP 503',
    cardsV2: [
      {
        cardId: 'tocsin',
        card: {
          sections: [
            {
              widgets: [
                {
                  textParagraph: {
                    text: '🔴 <b>Shop is down since 08:02 UTC</b>\n\nCause: HTTP 503.',
                  },
                },
                {
                  buttonList: {
                    buttons: [
                      {
                        text: 'Details',
                        onClick: { openLink: { url: 'https://up.example.com/alert?token=abc' } },
                      },
                      {
                        text: 'Acknowledge',
                        onClick: {
                          openLink: {
                            url: 'https://up.example.com/alert?token=abc&acknowledge=1',
                          },
                        },
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      },
    ],
    thread: { threadKey: 'tocsin-alert-5' },
  });
});

test('a recovery comes into the same thread, with one button', async () => {
  const { json } = await requestOf(recoveryDelivery());
  expect(json.thread).toEqual({ threadKey: 'tocsin-alert-5' });
  expect(widgetsOf(json)[1].buttonList.buttons).toHaveLength(1);
});

test('without an alert there is no thread, without links no button', async () => {
  const bare = message({ lines: [], links: { details: null, acknowledge: null } });
  const { json } = await requestOf(channelDelivery({ message: bare, dedupKey: null }));
  expect(json).not.toHaveProperty('thread');
  expect(widgetsOf(json)).toHaveLength(1);
});

test('a storm lists as many monitors as there is room for', async () => {
  const { json } = await requestOf(stormDelivery(500));
  expect(widgetsOf(json)[0].textParagraph.text).toMatch(/Shop 1: HTTP 503\n[^]+ more lines$/);
});

test('texts that are too long are cut to 32,000 bytes', async () => {
  const lines = Array.from({ length: 2_000 }, () => `あ&"<${'あ'.repeat(60)}`);
  for (const long of [ENDLESS, message({ subject: 'あ'.repeat(9_000), lines })]) {
    const { bytes } = await requestOf(channelDelivery({ message: long }));
    expect(bytes.length).toBeLessThan(32_000);
  }
});

test('nobody is mentioned, and nothing in a name is mark-up', async () => {
  const given = message({ ...MARKED_UP, short: '<users/all> is down' });
  const { json } = await requestOf(channelDelivery({ message: given }));
  const { text } = widgetsOf(json)[0].textParagraph;
  expect(text).toContain('&lt;users/all&gt;');
  expect(text.replaceAll(/<\/?b>/g, '')).not.toMatch(/[<>]/);
  expect(text.match(/<b>/g)).toHaveLength(1);
  expect(json.fallbackText).toBe('< users/all> is down');
});

test('a card that Google Chat refuses becomes plain text', async () => {
  provider.answer({
    status: 400,
    body: error(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.'),
  });
  expect(await send(channelDelivery({ message: MARKED_UP }))).toMatchObject({
    outcome: 'delivered',
  });
  const { text, thread, cardsV2 } = JSON.parse(provider.requests.at(-1)!.body);
  expect(cardsV2).toBeUndefined();
  expect(thread).toEqual({ threadKey: 'tocsin-alert-5' });
  expect(text).toContain('< users/all>');
  expect(text).toMatch(/\nAcknowledge: https:\/\/up\.example\.com\S+$/);
});

test('429 may go another time', async () => {
  const body = error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted');
  expect(await outcomeAfter({ status: 429, body })).toEqual({
    outcome: 'failed',
    statusCode: 429,
    retryAfterMs: null,
    reason: 'Google Chat answered HTTP 429: Resource has been exhausted.',
  });
});

test('a webhook that was deleted is gone', async () => {
  const body = error(404, 'NOT_FOUND', 'Requested entity was not found.');
  expect(await outcomeAfter({ status: 404, body })).toMatchObject({
    outcome: 'gone',
    statusCode: 404,
    reason:
      'Google Chat answered HTTP 404: Requested entity was not found. Make a new webhook in the space, and enter its address.',
  });
});

test('a refusal is one', async () => {
  const body = error(403, 'PERMISSION_DENIED', 'The caller does not have permission');
  expect(await outcomeAfter({ status: 403, body })).toMatchObject({
    outcome: 'refused',
    statusCode: 403,
  });
});
