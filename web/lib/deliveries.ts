import type { ChannelDelivery } from '../app/api.gen.ts';
import type { DisplayStatus } from './display-status.ts';

/** Shape of what became of a message. */
export const STATUS_OF_MESSAGE: Record<ChannelDelivery['status'], DisplayStatus> = {
  delivered: 'online',
  pending: 'pending',
  failed: 'offline',
  expired: 'offline',
  superseded: 'unknown',
};

/** What an error says besides the status code that is shown with it; null for nothing. */
export function errorBeside(error: string | null, code: number | null): string | null {
  return error === `The endpoint answered HTTP ${code}.` ? null : error;
}
