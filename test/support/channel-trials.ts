import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  ChannelDelivery,
  ChannelOutcome,
  ChannelSettings,
  ChannelTools,
  ChannelType,
} from '../../src/alerting/channels/index.ts';
import { type Message, MESSAGE_KINDS } from '../../src/alerting/message/index.ts';
import {
  channelDelivery,
  channelTools,
  message,
  notice,
  recoveryDelivery,
  stormDelivery,
} from './channel-deliveries.ts';
import {
  startProvider,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
} from './provider.ts';

export interface ChannelTrial {
  /** The provider, for its next responses and its requests; set after `beforeAll`. */
  provider: Pick<Provider, 'requests' | 'http' | 'answer'>;
  /** An alarm unless another delivery is given; with changed settings where some are. */
  send(
    delivery?: ChannelDelivery,
    changes?: ChannelSettings,
    signal?: AbortSignal,
  ): Promise<ChannelOutcome>;
  /** Sends a delivery and returns its only request. */
  requestOf(delivery: ChannelDelivery): Promise<ProviderRequest & { json: any }>;
  /** Sends an alarm that gets that response. */
  outcomeAfter(...answers: ProviderAnswer[]): Promise<ChannelOutcome>;
}

/** A channel with these settings and a local server as its provider. */
export function tryChannel(
  channel: ChannelType,
  settings: ChannelSettings,
  tools: Partial<ChannelTools> = {},
): ChannelTrial {
  let started: Provider;
  beforeAll(async () => {
    started = await startProvider();
  });
  afterAll(() => started.close());
  beforeEach(() => void started.requests.splice(0));
  const trial: ChannelTrial = {
    provider: {
      get requests() {
        return started.requests;
      },
      get http() {
        return started.http;
      },
      answer: (...answers) => started.answer(...answers),
    },
    send: (delivery = channelDelivery(), changes = {}, signal = new AbortController().signal) => {
      const given = { ...settings, ...changes };
      return channel.send(given, delivery, channelTools(started.http, tools), signal);
    },
    async requestOf(delivery) {
      const before = started.requests.length;
      expect(await trial.send(delivery)).toMatchObject({ outcome: 'delivered' });
      const [request, ...more] = started.requests.slice(before);
      expect(more).toEqual([]);
      const headers = { 'content-type': 'application/json' };
      expect(request).toMatchObject({ method: 'POST', headers });
      return { ...request!, json: JSON.parse(request!.body) };
    },
    outcomeAfter(...answers) {
      started.answer(...answers);
      return trial.send();
    },
  };
  return trial;
}

/** A message that exceeds every provider's limits, in four-byte characters. */
export const ENDLESS: Message = message({
  subject: '🧯'.repeat(20_000),
  lines: ['🧯'.repeat(20_000), ...Array.from({ length: 2_000 }, (_, line) => `- 🧯 ${line}`)],
  facts: Array.from({ length: 100 }, (_, fact) => ({
    name: `🧯 ${fact}`.padEnd(200),
    value: '🧯'.repeat(2_000),
  })),
});

/** A message with markup in names and causes. */
export const MARKED_UP: Message = message({
  subject: '@everyone <!channel> *bold* <b>shop</b> & [link](https://evil.example)',
  lines: [
    '@channel @here <@U024BE7LH> <users/all> `code` ||spoiler|| :fire:',
    '# <script>alert(1)</script> ~gone~ __under__ https://shop.example.com/a_b_c?d=1&e=2',
  ],
});

/** Tests that hold for every channel that sends one JSON request. */
export function describeProvider(
  channel: ChannelType,
  settings: ChannelSettings,
  secrets: readonly string[],
): void {
  describe(`${channel.title}, like any provider`, () => {
    const trial = tryChannel(channel, settings);

    test('sends every kind of message', async () => {
      for (const kind of MESSAGE_KINDS) {
        const isAlert = kind !== 'test' && kind !== 'notice' && kind !== 'blind_spot';
        const delivery = channelDelivery({
          content: notice({ kind, team: isAlert ? { id: 1, name: 'Acme' } : null }),
          dedupKey: isAlert ? 'tocsin-alert-5' : null,
          action: kind === 'recovery' ? 'resolve' : isAlert ? 'trigger' : 'inform',
          message: message({ lines: [], facts: [], links: { details: null, acknowledge: null } }),
        });
        expect(await trial.send(delivery)).toMatchObject({ outcome: 'delivered' });
      }
    });

    test('cuts no character in two', async () => {
      for (const delivery of [channelDelivery, recoveryDelivery]) {
        await trial.send(delivery({ message: ENDLESS }));
        const { body } = trial.provider.requests.at(-1)!;
        expect(body.isWellFormed()).toBe(true);
        // JSON escapes a lone surrogate.
        expect(body).not.toMatch(/\\ud[89a-f]/i);
      }
      await trial.send(stormDelivery(500));
    });

    test('may go another time after 429 and 5xx, and waits as long as it is asked to', async () => {
      const wait = { 'Retry-After': '7' };
      expect(await trial.outcomeAfter({ status: 429, headers: wait })).toMatchObject({
        outcome: 'failed',
        statusCode: 429,
        retryAfterMs: 7_000,
      });
      expect(await trial.outcomeAfter({ status: 503, body: '<h1>Sorry</h1>' })).toMatchObject({
        outcome: 'failed',
        statusCode: 503,
        retryAfterMs: null,
      });
    });

    test('may go another time when there is no answer', async () => {
      const outcome = await trial.outcomeAfter((response) => response.destroy());
      expect(outcome).toMatchObject({ outcome: 'failed', statusCode: null });
      expect(outcome).toHaveProperty(
        'reason',
        `${channel.title} could not be reached: The connection was closed without a response.`,
      );
    });

    test('ends with its signal when the answer never comes', async () => {
      const ending = new AbortController();
      trial.provider.answer(() => ending.abort('deadline'));
      const outcome = await trial.send(channelDelivery(), {}, ending.signal);
      expect(outcome).toMatchObject({ outcome: 'failed', statusCode: null });
    });

    test('takes a redirect, and what it cannot read, for a refusal', async () => {
      const redirect = { status: 302, headers: { Location: 'https://elsewhere.example' } };
      expect(await trial.outcomeAfter(redirect)).toMatchObject({ outcome: 'refused' });
      for (const body of ['', 'null', '[]', '"text"', '{"error":1,"parameters":null}', '\u0000']) {
        expect(await trial.outcomeAfter({ status: 418, body })).toMatchObject({
          outcome: 'refused',
          reason: expect.stringMatching(/[.]$/),
        });
      }
    });

    test('keeps its secrets out of every reason', async () => {
      const repeated = secrets.join(' ');
      const body = JSON.stringify({
        message: repeated,
        description: repeated,
        errors: [repeated],
        error: { message: repeated, code: repeated },
      });
      for (const answer of [body, repeated]) {
        for (const status of [400, 401, 403, 404, 410, 429, 500]) {
          const same = { status, body: answer };
          const before = trial.provider.requests.length;
          trial.provider.answer(same, same);
          const outcome = await trial.send(channelDelivery());
          // The second response is only used by channels that retry.
          if (trial.provider.requests.length === before + 1) await trial.send(channelDelivery());
          for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
        }
      }
    });
  });
}
