import type { Log } from '../../lib/log.ts';
import { withoutAddresses } from '../../lib/text.ts';
import type { LoadedDestination } from '../../store/alerting/deliveries.ts';
import type { NextMessage } from './next-message.ts';
import type { Recorded } from './outcome.ts';
import type { Attempted } from './retry.ts';

/** Logs an attempt that was recorded, and what it changed for its destination. Never addresses, names or contents. */
export function logAttempt(
  log: Log,
  { destination, head, delivery, gapMessage }: NextMessage,
  attempted: Attempted,
  { result, deactivated, turn }: Recorded,
  now: number,
): void {
  const place = destinationFields(destination);
  const sent = delivery ?? head;
  const reason = withoutAddresses(attempted.reason);
  const fields = {
    delivery_id: sent.id,
    alert_id: sent.alertId,
    ...place,
    message_kind: gapMessage?.content.kind ?? sent.kind,
    attempt: sent.attempts + 1,
    status_code: attempted.statusCode,
    duration_ms: attempted.durationMs,
  };
  if (result === 'delivered')
    // Log: A channel or a webhook endpoint took it.
    log.info(fields, 'A message was sent.');
  else
    // Log: `result`: `postponed` is tried again for 24 h, `failed` is not.
    log.warn({ ...fields, result, reason }, 'A message could not be sent.');
  if (deactivated !== null)
    // Log: It failed for 3 days, or is gone. Those responsible are notified. Switch it
    // on once it works again.
    log.warn({ ...place, reason }, 'A destination was disabled.');
  else if (turn?.to === 'failing')
    // Log: The first attempt that failed. What waits is tried again.
    log.warn({ ...place, reason }, 'A destination started to fail.');
  else if (turn?.to === 'healthy') {
    const since = turn.failingSince;
    const failing = since !== null && {
      failing_since: new Date(since).toISOString(),
      duration_seconds: Math.round((now - since) / 1_000),
    };
    // Log: A message arrived after failed ones.
    log.info({ ...place, ...failing }, 'A destination recovered.');
  }
}

function destinationFields(destination: LoadedDestination) {
  const { id } = destination;
  if (destination.kind === 'webhook') {
    const { id: endpointId, team_id: teamId } = destination.endpoint;
    return {
      team_id: teamId,
      destination_kind: 'webhook',
      destination_id: id,
      webhook_endpoint_id: endpointId,
    };
  }
  const { id: channelId, team_id: teamId, type } = destination.channel;
  return {
    team_id: teamId,
    destination_kind: 'channel',
    destination_id: id,
    channel_id: channelId,
    channel_type: type,
  };
}
