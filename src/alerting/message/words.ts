import type { IncidentType } from '../../model/condition.ts';
import type { MessageIncident, MessageContent } from './content.ts';
import { durationOf, type Times } from './times.ts';

/** Headlines of an incident by state; a name follows. */
interface Words {
  /** `Down`. */
  begins: string;
  /** `Still down`. */
  goesOn: string;
  /** `Back up`. */
  ends: string;
  /** For an ended incident whose messages were not delivered in time: `Was down`. */
  was: string;
  /** Precedes the duration: `down` or `after`. */
  lasted: string;
}

type Named = Omit<Words, 'lasted'> & { lasted?: string };

const WORDS: Record<Exclude<IncidentType, 'ssl' | 'domain'> | 'partly' | 'manual', Named> = {
  uptime: {
    begins: 'Down',
    goesOn: 'Still down',
    ends: 'Back up',
    was: 'Was down',
    lasted: 'down',
  },
  regional: {
    begins: 'Down in some regions',
    goesOn: 'Still down in some regions',
    ends: 'Back up in all regions',
    was: 'Was down in some regions',
  },
  /** One machine checked for all regions: nothing is known of single regions. */
  partly: {
    begins: 'Partly down',
    goesOn: 'Still partly down',
    ends: 'Back up',
    was: 'Was partly down',
  },
  keyword: {
    begins: 'Keyword check fails',
    goesOn: 'Keyword check still fails',
    ends: 'Keyword check passes again',
    was: 'Keyword check failed',
  },
  json_assertion: {
    begins: 'JSON check fails',
    goesOn: 'JSON check still fails',
    ends: 'JSON check passes again',
    was: 'JSON check failed',
  },
  dns: {
    begins: 'DNS lookup fails',
    goesOn: 'DNS lookup still fails',
    ends: 'DNS lookup works again',
    was: 'DNS lookup failed',
  },
  dual_stack: {
    begins: 'IPv4 or IPv6 broken',
    goesOn: 'IPv4 or IPv6 still broken',
    ends: 'IPv4 and IPv6 work again',
    was: 'IPv4 or IPv6 was broken',
  },
  slow_response: {
    begins: 'Slow',
    goesOn: 'Still slow',
    ends: 'Fast again',
    was: 'Was slow',
  },
  heartbeat: {
    begins: 'Job in trouble',
    goesOn: 'Job still in trouble',
    ends: 'Job works again',
    was: 'Job was in trouble',
  },
  error_budget: {
    begins: 'Error budget burning',
    goesOn: 'Error budget still burning',
    ends: 'Error budget steady again',
    was: 'Error budget was burning',
  },
  manual: {
    begins: 'Incident',
    goesOn: 'Incident still open',
    ends: 'Incident over',
    was: 'Incident',
  },
};

const CERTIFICATE: Record<'critical' | 'warning', Named> = {
  critical: {
    begins: 'Certificate invalid',
    goesOn: 'Certificate still invalid',
    ends: 'Certificate valid again',
    was: 'Certificate was invalid',
  },
  warning: {
    begins: 'Certificate expires soon',
    goesOn: 'Certificate still expires soon',
    ends: 'Certificate renewed',
    was: 'Certificate was about to expire',
  },
};

const DOMAIN: Record<'critical' | 'warning', Named> = {
  critical: {
    begins: 'Domain expired',
    goesOn: 'Domain still expired',
    ends: 'Domain registered again',
    was: 'Domain was expired',
  },
  warning: {
    begins: 'Domain expires soon',
    goesOn: 'Domain still expires soon',
    ends: 'Domain renewed',
    was: 'Domain was about to expire',
  },
};

/**
 * The cause is more precise than a type that covers several conditions; its texts are fixed
 * (engine/heartbeat/cause.ts).
 */
function wordsFor({ type, severity, cause, vantage = null }: MessageIncident): Words {
  if (type === 'regional' && vantage !== null) return { lasted: 'after', ...WORDS.partly };
  return { lasted: 'after', ...namesFor(type, severity, cause ?? '') };
}

function namesFor(type: string, severity: string, cause: string): Named {
  const urgency = severity === 'critical' ? 'critical' : 'warning';
  switch (type) {
    case 'ssl':
      return CERTIFICATE[urgency];
    case 'domain':
      return DOMAIN[urgency];
    case 'heartbeat':
      return { ...WORDS.heartbeat, ...jobWords(cause) };
    case 'dual_stack':
      return familyWords(cause);
    default:
      return WORDS[type as keyof typeof WORDS] ?? WORDS.manual;
  }
}

function jobWords(cause: string): Partial<Named> {
  if (cause.startsWith('No ping'))
    return { begins: 'Did not call', goesOn: 'Still no call', was: 'Did not call' };
  if (/did not (?:end|finish)/.test(cause))
    return { begins: 'Job did not finish', was: 'Job did not finish' };
  if (cause.startsWith('The job ')) return { begins: 'Job failed', was: 'Job failed' };
  return {};
}

function familyWords(cause: string): Named {
  const family = /^IPv[46](?= is broken)/.exec(cause)?.[0];
  if (family === undefined) return WORDS.dual_stack;
  return {
    ...WORDS.dual_stack,
    begins: `${family} broken`,
    goesOn: `${family} still broken`,
    was: `${family} was broken`,
  };
}

const EXPIRY = / expires (?:in [\w ]+, )?on \d{4}-\d\d-\d\d$/;

/**
 * For a known day of expiry: `Certificate of Shop expires in 5 days, on 2026-11-26`. Null if the cause names no day.
 */
export function expiryOf(
  { type, cause, name }: Pick<MessageIncident, 'type' | 'cause' | 'name'>,
  isReminder: boolean,
): string | null {
  const [expires] = EXPIRY.exec(cause ?? '') ?? [];
  if (expires === undefined || (type !== 'ssl' && type !== 'domain')) return null;
  const what = `${type === 'ssl' ? 'Certificate' : 'Domain'} of ${name}`;
  return isReminder ? `${what} not renewed yet,${expires}` : `${what}${expires}`;
}

/** The number of days in an older cause is outdated. */
export function agedCause({ type, cause }: Pick<MessageIncident, 'type' | 'cause'>): string | null {
  if (cause === null || (type !== 'ssl' && type !== 'domain')) return cause;
  return cause.replace(EXPIRY, (expires) => expires.replace(/ in [\w ]+,/, ''));
}

/** Headline of one incident: its problem, its name, and since when or for how long. Texts have one line. */
export function incidentSubject(
  incident: MessageIncident,
  kind: MessageContent['kind'],
  times: Times,
  now: number,
): string {
  const { name, startedAt, endedAt, ending } = incident;
  const words = wordsFor(incident);
  if (endedAt === null) return openSubject(incident, kind, words, times, now);
  if (kind === 'blind_spot')
    return `${words.was}: ${name}, ${times.shortRange(startedAt, endedAt)}`;
  const lasted = durationOf(endedAt - startedAt - (incident.unobservedMs ?? 0));
  // Ended by hand or no longer checked, which is no recovery.
  if (ending !== null) return `Closed: ${name}, after ${lasted}`;
  return `${words.ends}: ${name}, ${words.lasted} ${lasted}`;
}

function openSubject(
  incident: MessageIncident,
  kind: MessageContent['kind'],
  words: Words,
  times: Times,
  now: number,
): string {
  const { name, startedAt, unobservedMs = 0 } = incident;
  const isReminder = kind === 'reminder';
  const expiry = expiryOf(incident, isReminder);
  if (isReminder)
    return expiry ?? `${words.goesOn}: ${name}, ${observedText(now - startedAt, unobservedMs)}`;
  const what = expiry ?? `${words.begins}: ${name} since ${times.short(startedAt)}`;
  return kind === 'escalation' ? `${what}, not acknowledged` : what;
}

/** How long something lasted, and how much of that nobody observed: `1 min, and not observed for 6 min`. */
export function observedText(ms: number, unobservedMs: number): string {
  const lasted = durationOf(ms - unobservedMs);
  return unobservedMs === 0
    ? lasted
    : `${lasted}, and not observed for ${durationOf(unobservedMs)}`;
}

/** Headline of a flapping monitor; `from` is when flapping began. */
export function flappingSubject(
  { name }: Pick<MessageIncident, 'name'>,
  { kind, at }: Pick<MessageContent, 'kind' | 'at'>,
  from: number,
  times: Times,
): string {
  const lasted = durationOf(at - from);
  if (kind === 'recovery') return `Steady again: ${name}, flapping for ${lasted}`;
  if (kind === 'reminder' || kind === 'update') return `Still flapping: ${name}, ${lasted}`;
  const what = `Flapping: ${name} since ${times.short(from)}`;
  return kind === 'escalation' ? `${what}, not acknowledged` : what;
}

/** A message about several incidents, with the start of the first and the end of the last; null while one is open. */
export interface Several extends MessageContent {
  from: number;
  to: number | null;
}

/** `12 monitors down since 08:02 CET: the address 203.0.113.7`. */
export function severalSubject(several: Several, times: Times): string {
  const sharedCause = several.alert?.sharedCause ?? null;
  return `${severalHeadline(several, times)}${sharedCause === null ? '' : `: ${sharedCause}`}`;
}

function severalHeadline(several: Several, times: Times): string {
  const { kind, troubles, troubleCount: count, totals, from, to, at: now } = several;
  const { unobservedMs = 0 } = several;
  const lasted = durationOf((to ?? now) - from - unobservedMs);
  const noun = nounOf(several);
  const closed = troubles.filter(({ ending }) => ending !== null).length;
  // They may still fail: no recovery was observed.
  if (to !== null && closed > 0)
    return `${count} incidents ${closed === count ? 'closed' : 'over'}, after ${lasted}`;
  const words = severalWords(several, noun.isMonitors);
  const all = `${count} ${noun.text}`;
  if (to !== null && kind === 'blind_spot')
    return `${all} ${words.were}, ${times.shortRange(from, to)}`;
  if (to !== null) return `${all} ${words.ended}, ${words.lasted} ${lasted}`;
  const over =
    totals === undefined
      ? troubles.filter(({ endedAt }) => endedAt !== null).length
      : count - totals.open;
  if (kind === 'reminder' && over === 0)
    return `${all} still ${words.open}, ${observedText(now - from, unobservedMs)}`;
  const isPartly =
    totals === undefined
      ? troubles.some(({ acknowledged }) => acknowledged)
      : totals.acknowledged > 0;
  const asked = isPartly ? ', not all acknowledged' : ', not acknowledged';
  const since = `since ${times.short(from)}${kind === 'escalation' ? asked : ''}`;
  if (over === 0) return `${all} ${words.open} ${since}`;
  const isKnown = totals !== undefined || troubles.length === count;
  const left = isKnown ? count - over : 'Some';
  return `${left} of ${all} still ${words.open} ${since}`;
}

function nounOf({ troubles, troubleCount: count, totals }: Several) {
  const listed = new Set(troubles.map(({ monitorId }) => monitorId)).size;
  const [monitors, incidents] =
    totals === undefined ? [listed, troubles.length] : [totals.monitors, count];
  if (monitors === incidents) return { text: 'monitors', isMonitors: true };
  const of = monitors === 1 ? ` of ${troubles[0]!.name}` : '';
  return { text: `incidents${of}`, isMonitors: false };
}

function severalWords({ troubles, totals }: Several, isMonitors: boolean) {
  if (!isMonitors) return { open: 'open', ended: 'over', were: 'were open', lasted: 'after' };
  const isAllDown = totals?.isAllDown ?? troubles.every(({ type }) => type === 'uptime');
  return isAllDown
    ? { open: 'down', ended: 'back up', were: 'were down', lasted: 'down' }
    : { open: 'in trouble', ended: 'fine again', were: 'were in trouble', lasted: 'after' };
}
