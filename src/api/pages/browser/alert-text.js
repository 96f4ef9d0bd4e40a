/** Formats alerts as text. */

/**
 * Incident in the format of the API.
 *
 * @typedef {{
 *   id: number, monitor: string, url: string | null, type: string, severity: string, root_cause: string | null,
 *   regions: string[], vantage: string | null, evidence: string | null, started_at: string, ended_at: string | null,
 *   acknowledged_at: string | null, acknowledged_by: string | null,
 * }} Incident
 */

/**
 * @typedef {{
 *   team: string, sent_to: string, timezone: string | null, kind: 'single' | 'storm' | 'flapping', shared_cause: string | null, incidents_count: number,
 *   open_count: number, can_acknowledge: boolean, incidents: Incident[],
 * }} Alert
 */

/** @type {Record<string, [open: string, over: string]>} */
const TYPES = {
  uptime: ['Down', 'Was down'],
  regional: ['Down in some regions', 'Was down in some regions'],
  partly: ['Partly down', 'Was partly down'],
  keyword: ['Keyword check fails', 'Keyword check failed'],
  json_assertion: ['JSON check fails', 'JSON check failed'],
  ssl: ['Certificate trouble', 'Certificate trouble, over'],
  domain: ['Domain trouble', 'Domain trouble, over'],
  dns: ['DNS lookup fails', 'DNS lookup failed'],
  dual_stack: ['IPv4 or IPv6 broken', 'IPv4 or IPv6 was broken'],
  slow_response: ['Slow', 'Was slow'],
  heartbeat: ['Job in trouble', 'Job was in trouble'],
  error_budget: ['Error budget burning', 'Error budget was burning'],
};

/** @param {Pick<Incident, 'type' | 'vantage' | 'ended_at'>} incident @returns {string} such as `Down` */
export function problemOf({ type, vantage, ended_at }) {
  // With a single vantage point, regions have no meaning.
  const known = type === 'regional' && vantage !== null ? 'partly' : type;
  const [open, over] = TYPES[known] ?? ['Incident', 'Incident, over'];
  return ended_at === null ? open : over;
}

/** @param {Alert} alert @returns {string} the monitor that it is about, or how many, as messages say it */
export function headlineOf({ kind, incidents, incidents_count }) {
  const [first] = incidents;
  if (first === undefined) return 'Alert';
  const isOne = incidents.every(({ monitor }) => monitor === first.monitor);
  if (isOne || kind === 'flapping') return first.monitor;
  const monitors = new Set(incidents.map(({ monitor }) => monitor));
  return monitors.size === incidents.length
    ? `${incidents_count} monitors`
    : `${incidents_count} incidents`;
}

/**
 * Describes the state of the alert.
 *
 * @param {Alert} alert
 * @param {number} now milliseconds since 1970
 * @returns {{ tone: 'bad' | 'good' | 'neutral', text: string }}
 */
export function stateOf(alert, now) {
  const { incidents, incidents_count: count, open_count: open, kind } = alert;
  const [first] = incidents;
  if (first === undefined) return { tone: 'neutral', text: 'Its incidents are gone.' };
  if (open === 0) return { tone: 'good', text: overText(incidents, count) };
  const going = incidents.filter(({ ended_at }) => ended_at === null);
  const from = Math.min(...going.map(({ started_at }) => Date.parse(started_at)));
  const length = lengthOf(now - from);
  const what = count === 1 ? openText(first, length) : `${openCount(open, count)}, for ${length}.`;
  const isFlapping = kind === 'flapping' ? ' It fails and comes back again and again.' : '';
  const waiting = going.filter(({ acknowledged_at }) => acknowledged_at === null).length;
  const tone = waiting === 0 && going.length === open ? 'neutral' : 'bad';
  return { tone, text: `${what}${isFlapping} ${acknowledgedText(going, waiting)}` };
}

/** @param {Incident} incident @param {string} length since it began */
function openText(incident, length) {
  // Inspections find expiry in advance, so "for" would be wrong.
  const isInspected = incident.type === 'ssl' || incident.type === 'domain';
  return `${problemOf(incident)}${isInspected ? `, noticed ${length} ago` : ` for ${length}`}.`;
}

/** @param {number} open @param {number} count */
function openCount(open, count) {
  if (open === count) return `All ${count} incidents go on`;
  return `${open} of ${count} incidents ${open === 1 ? 'goes' : 'go'} on`;
}

/** @param {Incident[]} incidents @param {number} count */
function overText(incidents, count) {
  const from = Math.min(...incidents.map(({ started_at }) => Date.parse(started_at)));
  const to = Math.max(...incidents.map(({ ended_at }) => Date.parse(ended_at ?? '')));
  return `${count === 1 ? 'It is' : 'They are'} over. It lasted ${lengthOf(to - from)}.`;
}

/** @param {Incident[]} going those that are open @param {number} waiting how many nobody acknowledged */
function acknowledgedText(going, waiting) {
  if (waiting === going.length)
    return `Nobody has acknowledged ${waiting === 1 ? 'it' : 'them'} yet.`;
  if (waiting > 0)
    return `${waiting} of them ${waiting === 1 ? 'is' : 'are'} not acknowledged yet.`;
  const names = [...new Set(going.map(({ acknowledged_by }) => acknowledged_by ?? 'somebody'))];
  return `Acknowledged by ${names.join(', ')}.`;
}

/**
 * Formats the cause of an incident: expiry without the number of days left when it was noticed, and times of jobs in the
 * time zone.
 *
 * @param {Pick<Incident, 'type' | 'root_cause'>} incident
 * @param {string | null} timezone IANA name; null for that of the browser
 * @returns {string} empty when unknown
 */
export function causeOf({ type, root_cause }, timezone) {
  const cause = root_cause ?? '';
  if (type === 'ssl' || type === 'domain')
    return cause.replace(/ expires in [\w ]+, (?=on \d{4}-\d\d-\d\d$)/, ' expires ');
  if (type !== 'heartbeat') return cause;
  return cause.replaceAll(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g, (asItWas, day, time) => {
    const at = Date.parse(`${day}T${time}Z`);
    return Number.isNaN(at) ? asItWas : timeOf(at, timezone);
  });
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * @param {number} at milliseconds since 1970
 * @param {string | null} timezone IANA name; null, and one that the browser does not know, for that of the browser
 * @returns {string} such as `21 Nov 2026, 08:02:10 CET`, as messages say it
 */
export function timeOf(at, timezone) {
  const { month, year, hour, minute, second, ...rest } = partsOf(at, timezone, 'en-GB');
  const zone = zoneName(rest['timeZoneName'] ?? '', at, timezone);
  return `${Number(rest['day'])} ${MONTHS[Number(month) - 1]} ${year}, ${hour}:${minute}:${second} ${zone}`;
}

/**
 * Short name of a zone: British English has those of Europe, American English those of America; others use the offset.
 *
 * @param {string} british @param {number} at @param {string | null} timezone
 */
function zoneName(british, at, timezone) {
  if (!/^GMT[+-]/.test(british)) return british;
  const american = partsOf(at, timezone, 'en-US')['timeZoneName'] ?? '';
  return american.replace(/^GMT(?=[+-])/, 'UTC').replace('-', '−');
}

/** @param {number} at @param {string | null} timezone @param {string} language @returns {Record<string, string>} */
function partsOf(at, timezone, language) {
  const parts = formatIn(timezone, language).formatToParts(at);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** @param {string | null} timezone @param {string} language */
function formatIn(timezone, language) {
  const options = /** @type {const} */ ({
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: timezone ?? undefined });
  } catch {
    return new Intl.DateTimeFormat(language, options);
  }
}

/** @type {[string, number][]} */
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/**
 * @param {number} milliseconds
 * @returns {string} such as `9 min` or `1 h 5 min`, as messages say it
 */
export function lengthOf(milliseconds) {
  const seconds = Math.max(1, Math.floor(milliseconds / 1_000));
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  const [unit, length] = UNITS[first] ?? ['s', 1];
  const whole = `${Math.floor(seconds / length)} ${unit}`;
  const [smaller, smallerLength] = UNITS[first + 1] ?? ['s', 1];
  const rest = Math.floor((seconds % length) / smallerLength);
  return rest === 0 || smaller === 's' ? whole : `${whole} ${rest} ${smaller}`;
}
