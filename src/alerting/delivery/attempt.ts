import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { SecretUnreadable } from '../../lib/secret-box.ts';
import type { KeepAliveConnections } from '../../net/keep-alive.ts';
import type { LoadedDestination } from '../../store/alerting/deliveries.ts';
import { sendToChannel } from './channel-delivery.ts';
import type { ChannelSenderTools } from './channel-delivery.ts';
import type { Attempted } from './retry.ts';
import { noticeOf } from './turn.ts';
import type { Turn } from './turn.ts';
import { sendWebhook } from './webhook.ts';
import type { SendOutcome, WebhookTarget } from './webhook.ts';

type LoadedEndpoint = Extract<LoadedDestination, { kind: 'webhook' }>;

/** In place of an outcome: we stopped before there was one. */
export type Stopped = 'stopped';

export interface AttemptTools extends ChannelSenderTools {
  clock: Clock;
  log: Log;
  userAgent: string;
  /** Of the webhook endpoint that is sent to. */
  connections?: KeepAliveConnections;
}

/** Sends what it is the turn of. Never rejects. */
export async function makeAttempt(
  turn: Turn,
  tools: AttemptTools,
  signal: AbortSignal,
): Promise<Attempted | Stopped> {
  const { clock } = tools;
  const at = clock.now();
  const begunAt = clock.monotonic();
  const outcome = await send(turn, tools, signal);
  // What came before the stop counts all the same.
  if (signal.aborted && outcome.outcome === 'failed') return 'stopped';
  return { at, durationMs: Math.max(0, Math.round(clock.monotonic() - begunAt)), ...outcome };
}

async function send(turn: Turn, tools: AttemptTools, signal: AbortSignal): Promise<SendOutcome> {
  try {
    const { destination } = turn;
    if (destination.kind === 'channel') return await sendNotice(destination, turn, tools, signal);
    const { messageId, body } = turn.delivery ?? turn.head;
    const { clock, secretBox, userAgent, connections } = tools;
    const { http } = tools.tools;
    const wanted = {
      http,
      secretBox,
      userAgent,
      now: () => clock.now(),
      ...(connections !== undefined && { connections }),
    };
    return await sendWebhook(targetOf(destination), { messageId, body }, wanted, signal);
  } catch (error) {
    // The operator can mend it: the former key is to be had again.
    if (error instanceof SecretUnreadable) return failed(error.message);
    tools.log.error({ error, destination: turn.destination.id }, 'A message could not be made.');
    return failed('An error in Tocsin kept this from being sent: its log says more.');
  }
}

function failed(reason: string): SendOutcome {
  return { outcome: 'failed', reason, statusCode: null, retryAfterMs: null, response: null };
}

async function sendNotice(
  destination: Extract<LoadedDestination, { kind: 'channel' }>,
  { head, delivery, blindSpot }: Turn,
  tools: AttemptTools,
  signal: AbortSignal,
): Promise<SendOutcome> {
  if (blindSpot !== null) {
    const { messageId, notice } = blindSpot;
    const message = { messageId, notice, alertId: null, alertOpenedAt: null };
    return sendToChannel(destination, message, tools, signal);
  }
  const { messageId, body, alertId, alertOpenedAt } = delivery ?? head;
  const notice = noticeOf(body);
  if (notice === null)
    return { ...failed('The stored message can not be read.'), outcome: 'refused' };
  return sendToChannel(destination, { messageId, notice, alertId, alertOpenedAt }, tools, signal);
}

const targets = new WeakMap<LoadedEndpoint['endpoint'], WebhookTarget>();

/** One and the same for all messages that an endpoint is loaded for. */
function targetOf({ endpoint }: LoadedEndpoint): WebhookTarget {
  const known = targets.get(endpoint);
  if (known !== undefined) return known;
  const target = {
    url: endpoint.url,
    authType: endpoint.auth_type,
    authHeaderName: endpoint.auth_header_name,
    authToken: endpoint.auth_token,
    signingSecret: endpoint.signing_secret,
    previousSigningSecret: endpoint.previous_signing_secret,
    previousSecretUntil: endpoint.previous_secret_until,
  };
  targets.set(endpoint, target);
  return target;
}
