import type { IncidentNotification } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';

/** A person or a channel of the team that was notified of an incident, with its messages, the oldest first. */
export interface Recipient {
  key: string;
  channel: IncidentNotification['channel'];
  /** Name of the person whose own channel it is; null for a channel of the team. */
  person: string | null;
  messages: IncidentNotification[];
}

/** Gathers the messages of each channel. Who was notified first comes first. */
export function recipientsOf(newestFirst: readonly IncidentNotification[]): Recipient[] {
  const found = new Map<string, Recipient>();
  for (const message of newestFirst.toReversed()) {
    const { channel, user } = message;
    // Channels that the caller may not see have no id: those of one kind look the same.
    const key = `${channel.id ?? channel.type} ${user?.id ?? ''}`;
    const recipient = found.get(key) ?? { key, channel, person: user?.name ?? null, messages: [] };
    recipient.messages.push(message);
    found.set(key, recipient);
  }
  return [...found.values()];
}

/** Shape of what became of a message. */
export const STATUS_OF_MESSAGE: Record<IncidentNotification['status'], DisplayStatus> = {
  delivered: 'online',
  pending: 'pending',
  failed: 'offline',
  expired: 'offline',
  superseded: 'unknown',
};

/** Messages are kept for this time, in milliseconds (contract 59). */
export const MESSAGES_KEPT_MS = 30 * 86_400_000;
