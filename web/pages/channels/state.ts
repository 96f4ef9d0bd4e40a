import type { AlertChannel, AlertRoute, NotificationChannel } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { severityText } from '../../lib/severity.ts';
import { words } from '../../words/index.ts';

export type Channel = AlertChannel | NotificationChannel;

/** What is wrong with a channel, most urgent first. */
export type Health = 'unset' | 'off' | 'failing' | 'warned' | 'untried' | 'works';

/** Whether a channel gets through. */
export function healthOf(channel: Channel): Health {
  if ('configured' in channel && !channel.configured) return 'unset';
  if (!channel.enabled) return 'off';
  if (channel.failing_since !== null) return 'failing';
  const isUnavailable = 'available' in channel && !channel.available;
  if (channel.warnings.length > 0 || isUnavailable) return 'warned';
  return channel.last_delivered_at === null ? 'untried' : 'works';
}

/** Shape that stands for the health of a channel. */
export const HEALTH_STATUS: Record<Health, DisplayStatus> = {
  unset: 'pending',
  off: 'paused',
  failing: 'offline',
  warned: 'degraded',
  untried: 'pending',
  works: 'online',
};

/** Whether somebody has to do something. */
export function needsAttention(channel: Channel): boolean {
  const health = healthOf(channel);
  return health === 'failing' || health === 'warned';
}

/** Sentence about a channel. */
export function healthSentence(channel: Channel): string {
  const { channels } = words;
  const sentences: Record<Health, (name: string) => string> = {
    unset: channels.notSetUp,
    off: channels.isOff,
    failing: channels.fails,
    warned: channels.warned,
    untried: channels.untried,
    works: channels.works,
  };
  return sentences[healthOf(channel)](channel.name || typeWords(channel.type).title);
}

/** What keeps a channel from sending, in the words of the API where it has some. */
export function reasonOf(channel: Channel): string | null {
  if (channel.failing_since !== null) return channel.last_error;
  const [warning] = channel.warnings;
  if (warning !== undefined) return channel.type === 'email' ? words.channels.noMail : warning;
  if (!('available' in channel) || channel.available) return null;
  // What is not set up yet can't send, except that mail depends on more than the settings of the channel.
  if (!channel.configured && channel.type !== 'email') return null;
  return channel.verified === false ? words.channels.unconfirmed : words.channels.noMail;
}

/** What is said of a type; `help` is how to find what it needs. */
interface TypeWords {
  title: string;
  text: string;
  help?: string;
}

/** Title and sentence of a type; its name for one that is newer than this page. */
export function typeWords(type: string): TypeWords {
  const types: Record<string, TypeWords> = words.channelTypes;
  return types[type] ?? { title: type, text: '' };
}

/** Whether severities are all, or which ones alone, and when it is quiet. */
export function factsOf(channel: Channel): string[] {
  const { facts } = words.channels;
  const { quiet_hours: quiet } = channel;
  return [
    typeWords(channel.type).title,
    ...('is_default' in channel && channel.is_default ? [facts.isDefault] : []),
    channel.severities.length === 3 ? facts.all : facts.only(severityText(channel.severities)),
    ...(quiet === null ? [] : [facts.quiet(quiet.from, quiet.to)]),
  ];
}

/** Whether a route, or one of its escalations, notifies a channel of the team. */
export function leadsTo({ channels, escalation }: AlertRoute, id: number): boolean {
  return channels.includes(id) || escalation.some((step) => step.channels.includes(id));
}
