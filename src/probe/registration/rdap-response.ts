import { storableText } from '../../lib/text.ts';
import { readDate } from './dates.ts';
import { normalizeStatuses } from './epp-status.ts';

/** Facts from an RDAP response, or what is wrong with it, as the end of "the server …". */
type RdapReading =
  | { ok: true; expiresAt: number | null; registrar: string | null; statuses: string[] }
  | { ok: false; reason: string };

type Members = Record<string, unknown>;

/** Parses a domain object (RFC 9083, section 5.3). Skips invalid parts. */
export function readRdapDomain(json: string, domain: string): RdapReading {
  let answer: unknown;
  try {
    answer = JSON.parse(json);
  } catch {
    return { ok: false, reason: 'sent an answer that is not JSON' };
  }
  if (!isObject(answer)) return { ok: false, reason: 'sent an answer that is not a domain' };
  if (!isAbout(answer, domain)) {
    return { ok: false, reason: `sent an answer that is not about ${domain}` };
  }
  const events = objects(answer['events']);
  return {
    ok: true,
    expiresAt: latest(events, 'expiration') ?? latest(events, 'registrar expiration'),
    registrar: registrarName(objects(answer['entities'])),
    statuses: normalizeStatuses(list(answer['status']).filter((each) => typeof each === 'string')),
  };
}

/** Compares names regardless of case and final dot. Without a name, the object's class must match. */
function isAbout(answer: Members, domain: string): boolean {
  const name = answer['ldhName'];
  if (typeof name !== 'string') return answer['objectClassName'] === 'domain';
  return name.toLowerCase().replace(/\.$/, '') === domain.toLowerCase();
}

function latest(events: Members[], action: string): number | null {
  const dates = events
    .filter(({ eventAction }) => eventAction === action)
    .map(({ eventDate }) => (typeof eventDate === 'string' ? readDate(eventDate) : 'none'))
    .filter((date) => typeof date === 'number');
  return dates.length === 0 ? null : Math.max(...dates);
}

/** Full name in the vCard (RFC 7095) of the registrar, else its handle. */
function registrarName(entities: Members[]): string | null {
  const registrar = entities.find(({ roles }) => list(roles).includes('registrar'));
  if (registrar === undefined) return null;
  const properties = list(list(registrar['vcardArray'])[1]);
  const fullName = properties.find((property) => list(property)[0] === 'fn');
  for (const name of [list(fullName)[3], registrar['handle']]) {
    if (typeof name === 'string' && name.trim() !== '')
      return storableText(name.trim().slice(0, 200));
  }
  return null;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function objects(value: unknown): Members[] {
  return list(value).filter(isObject);
}
