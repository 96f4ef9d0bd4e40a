import type { AliasCall } from '../engine/heartbeat/aliases.ts';
import { MAX_KEPT_BYTES } from './ping-request.ts';

const KUMA_UNKNOWN = 'Monitor not found or not active.';
/** Healthchecks lets pages ping, and its clients send as much of a log as it says. */
const HEALTHCHECKS_HEADERS = [
  'access-control-allow-origin',
  '*',
  'ping-body-limit',
  String(MAX_KEPT_BYTES),
];

/**
 * An answer of ours to a ping, as the service gives it that the address is from. Its status stays.
 *
 * @returns `added`: alternating names and values of headers.
 */
export function answerOfService(
  { service }: Pick<AliasCall, 'service'>,
  { status, body }: { status: number; body: { message?: string } },
): { type: string; text: string; added: string[] } {
  const { message = '' } = body;
  if (service === 'uptime_kuma') {
    const answer =
      status === 200 ? { ok: true } : { ok: false, msg: status === 404 ? KUMA_UNKNOWN : message };
    const text = JSON.stringify(answer);
    return { type: 'application/json; charset=utf-8', text, added: [] };
  }
  const text = status === 200 ? 'OK' : status === 404 ? 'not found' : message;
  const added = service === 'healthchecks' ? HEALTHCHECKS_HEADERS : [];
  return { type: 'text/plain; charset=utf-8', text, added };
}
