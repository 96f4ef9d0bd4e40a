import { describe, expect, it } from 'vitest';
import { unreachable } from '../../../test/support/api.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { defineChannel, type ChannelOutcome } from '../../alerting/channels/index.ts';
import { render } from '../../alerting/message/index.ts';
import { createChannelTest } from './channel-test.ts';

type Send = (signal: AbortSignal) => Promise<ChannelOutcome>;

function world(send: Send) {
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const test = createChannelTest({
    clock,
    // No mail is sent here.
    database: null as never,
    mailQueue: null as never,
    tools: unreachable(clock.now),
    openSignup: false,
    render,
  });
  const type = defineChannel({
    type: 'bell',
    title: 'Bell',
    scopes: ['team'],
    keepsIncidents: false,
    fields: {},
    send: (_settings, _delivery, _tools, signal) => send(signal),
  });
  return { clock, test, subject: { type, settings: {}, timezone: 'UTC', team: null, personId: 1 } };
}

const never = () => new Promise<never>(() => {});

describe('a test of a channel', () => {
  it.each<[string, ChannelOutcome, object]>([
    ['is taken', { outcome: 'delivered', statusCode: 200 }, { success: true }],
    [
      'fails',
      { outcome: 'failed', reason: 'Bell is broken.', statusCode: 500, retryAfterMs: null },
      { success: false, message: 'Bell is broken.' },
    ],
    [
      'is not let in',
      { outcome: 'refused', reason: 'Bell answered HTTP 403.', statusCode: 403 },
      {
        success: false,
        message: 'Bell answered HTTP 403. See whether the settings of the channel are right.',
      },
    ],
    [
      'is refused',
      { outcome: 'gone', reason: 'Bell has left.', statusCode: 410 },
      { success: false, message: 'Bell has left.' },
    ],
  ])('tells that it %s', async (_what, outcome, answer) => {
    const { test, subject, clock } = world(async () => outcome);
    expect(await test(subject)).toMatchObject(answer);
    // No timer is left behind.
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  it('ends within 10 s, also when the channel does not care [34.12]', async () => {
    const { test, subject, clock } = world(never);
    const answer = test(subject);
    await clock.advance(10_000);
    expect(await answer).toEqual({
      success: false,
      message: 'Bell did not answer within 10 seconds.',
    });
  });

  it('lets the channel say why it was cut short', async () => {
    const reason = 'Bell could not be reached.';
    const { test, subject, clock } = world(
      (signal) =>
        new Promise((resolve) => {
          const outcome = {
            outcome: 'failed',
            reason,
            statusCode: null,
            retryAfterMs: null,
          } as const;
          signal.addEventListener('abort', () => resolve(outcome));
        }),
    );
    const answer = test(subject);
    await clock.advance(10_000);
    expect(await answer).toEqual({ success: false, message: reason });
  });

  it('is an answer also where the channel breaks or its settings can not be read', async () => {
    const { test, subject } = world(() => Promise.reject(new Error('secret')));
    const broken = await test(subject);
    expect(broken).toEqual({ success: false, message: expect.not.stringContaining('secret') });
    expect(await test({ ...subject, settings: null })).toMatchObject({
      success: false,
      message: expect.stringContaining('SECRET_KEY'),
    });
  });
});
