import type { IncidentType } from '../../model/condition.ts';
import type { Trouble } from './notice.ts';

/** How a trouble is called, by how it stands; a name follows. */
export interface Words {
  /** `Down`. */
  begins: string;
  /** `Still down`. */
  goesOn: string;
  /** `Back up`. */
  ends: string;
  /** Of what is over and was not told at the time: `Was down`. */
  was: string;
  /** Before how long it lasted: `down` or `after`. */
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
  /** One machine looked for all regions: nothing is known of regions. */
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

/** The cause says more than the type where a type covers several troubles; its texts are ours (engine/heartbeat/cause.ts). */
export function wordsFor({ type, severity, cause, vantage = null }: Trouble): Words {
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

/** What ends on a day that is known: `Certificate of Shop expires in 5 days, on 2026-11-26`. Null where the cause names none. */
export function expiryOf(
  { type, cause, name }: Pick<Trouble, 'type' | 'cause' | 'name'>,
  isReminder: boolean,
): string | null {
  const [expires] = EXPIRY.exec(cause ?? '') ?? [];
  if (expires === undefined || (type !== 'ssl' && type !== 'domain')) return null;
  const what = `${type === 'ssl' ? 'Certificate' : 'Domain'} of ${name}`;
  return isReminder ? `${what} not renewed yet,${expires}` : `${what}${expires}`;
}

/** A cause that was found a while ago: how many days were left then says little now. */
export function agedCause({ type, cause }: Pick<Trouble, 'type' | 'cause'>): string | null {
  if (cause === null || (type !== 'ssl' && type !== 'domain')) return cause;
  return cause.replace(EXPIRY, (expires) => expires.replace(/ in [\w ]+,/, ''));
}
