import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOWN_AT, notice, SAMPLES, trouble } from '../../../test/support/notices.ts';
import { MESSAGE_KINDS, type MessageContent, type MessageIncident } from './content.ts';
import { render } from './render.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LINKS = {
  details: 'https://up.example.com/alert?token=abc',
  acknowledge: 'https://up.example.com/alert?token=abc&acknowledge=1',
};
const NO_LINKS = { details: null, acknowledge: null };
const berlin = (about: MessageContent) =>
  render(about, { timezone: 'Europe/Berlin', links: LINKS });

const over: Partial<MessageIncident> = { endedAt: DOWN_AT + 9 * MINUTE };
const closed: Partial<MessageIncident> = { ...over, ending: 'Ada resolved the incident' };
const expiring = (type: string, what: string) =>
  ({ type, severity: 'warning', cause: `${what} expires in 5 days, on 2026-11-26` }) as const;

test.each<[string, MessageContent['kind'], Partial<MessageIncident>]>([
  ['Down: Shop since 08:02 CET', 'alarm', {}],
  ['Down: Shop since 08:02 CET', 'update', {}],
  ['Down: Shop since 08:02 CET, not acknowledged', 'escalation', {}],
  ['Still down: Shop, 32 min', 'reminder', {}],
  ['Back up: Shop, down 9 min', 'recovery', over],
  ['Was down: Shop, 08:02 to 08:11 CET', 'blind_spot', over],
  ['Down: Shop since 08:02 CET', 'blind_spot', {}],
  ['Closed: Shop, after 9 min', 'recovery', { ...over, ending: 'Ada resolved the incident' }],
  ['Down in some regions: Shop since 08:02 CET', 'alarm', { type: 'regional' }],
  ['Partly down: Shop since 08:02 CET', 'alarm', { type: 'regional', vantage: 'office' }],
  ['Back up: Shop, after 9 min', 'recovery', { ...over, type: 'regional', vantage: 'office' }],
  ['Keyword check fails: Shop since 08:02 CET', 'alarm', { type: 'keyword' }],
  ['JSON check passes again: Shop, after 9 min', 'recovery', { ...over, type: 'json_assertion' }],
  ['Slow: Shop since 08:02 CET', 'alarm', { type: 'slow_response' }],
  ['Fast again: Shop, after 9 min', 'recovery', { ...over, type: 'slow_response' }],
  ['DNS lookup still fails: Shop, 32 min', 'reminder', { type: 'dns' }],
  ['IPv4 or IPv6 broken: Shop since 08:02 CET', 'alarm', { type: 'dual_stack' }],
  [
    'IPv6 broken: Shop since 08:02 CET',
    'alarm',
    { type: 'dual_stack', cause: 'IPv6 is broken while IPv4 works: Connection refused' },
  ],
  ['Certificate invalid: Shop since 08:02 CET', 'alarm', { type: 'ssl' }],
  [
    'Certificate of Shop expires in 5 days, on 2026-11-26',
    'alarm',
    expiring('ssl', 'The TLS certificate'),
  ],
  [
    'Certificate of Shop expires on 2026-11-26',
    'alarm',
    { ...expiring('ssl', 'The TLS certificate'), startedAt: DOWN_AT - 2 * DAY },
  ],
  [
    'Certificate of Shop not renewed yet, expires on 2026-11-26',
    'reminder',
    { ...expiring('ssl', 'The TLS certificate'), startedAt: DOWN_AT - 2 * DAY },
  ],
  [
    'Certificate renewed: Shop, after 9 min',
    'recovery',
    { ...over, ...expiring('ssl', 'The TLS certificate') },
  ],
  [
    'Domain of Shop expires in 5 days, on 2026-11-26',
    'alarm',
    expiring('domain', 'Domain example.com'),
  ],
  ['Domain expired: Shop since 08:02 CET', 'alarm', { type: 'domain' }],
  ['Job in trouble: Shop since 08:02 CET', 'alarm', { type: 'heartbeat', cause: null }],
  [
    'Did not call: Shop since 08:02 CET',
    'alarm',
    { type: 'heartbeat', cause: 'No ping ever came; one was expected at 2026-11-21 07:00:00 UTC' },
  ],
  [
    'Job failed: Shop since 08:02 CET',
    'alarm',
    { type: 'heartbeat', cause: 'The job ended with exit code 3' },
  ],
  [
    'Job did not finish: Shop since 08:02 CET',
    'alarm',
    {
      type: 'heartbeat',
      cause: 'The run that started at 2026-11-21 07:00:00 UTC did not finish within 1 hour',
    },
  ],
  ['Job works again: Shop, after 9 min', 'recovery', { ...over, type: 'heartbeat' }],
  ['Incident: Shop since 08:02 CET', 'alarm', { type: 'manual' }],
  ['Incident: Shop since 08:02 CET', 'alarm', { type: 'of a later version' }],
])('"%s" is the subject of: %s %j', (subject, kind, changes) => {
  const about = notice({ kind, troubles: [trouble(changes)], at: DOWN_AT + 32 * MINUTE });
  expect(berlin(about).subject).toBe(subject);
});

const storm = (shared: string | null = 'the address 203.0.113.7') =>
  ({ id: 1, kind: 'storm', sharedCause: shared }) as const;
const crowd = (...each: Partial<MessageIncident>[]) =>
  each.map((changes, index) => trouble({ incidentId: index, monitorId: index, ...changes }));

const known = { acknowledged: true };
const afterHalfAnHour = (changes: Partial<MessageContent>) =>
  berlin(notice({ alert: storm(), at: DOWN_AT + 32 * MINUTE, ...changes }));

test.each<[MessageContent['kind'], string, Partial<MessageIncident>[], number?]>([
  ['alarm', '2 monitors down since 08:02 CET', [{}, {}]],
  ['alarm', '2 monitors in trouble since 08:02 CET', [{}, { type: 'ssl' }]],
  ['alarm', '60 monitors down since 08:02 CET', [{}, {}], 60],
  ['escalation', '2 monitors down since 08:02 CET, not acknowledged', [{}, {}]],
  ['escalation', '2 monitors down since 08:02 CET, not all acknowledged', [{}, known]],
  ['reminder', '2 monitors still down, 32 min', [{}, {}]],
  ['update', '1 of 2 monitors still down since 08:02 CET', [{}, over]],
  ['update', 'Some of 60 monitors still down since 08:02 CET', [{}, over], 60],
  ['recovery', '2 monitors back up, down 9 min', [over, over]],
  ['recovery', '2 incidents over, after 9 min', [over, closed]],
  ['recovery', '2 incidents closed, after 9 min', [closed, closed]],
])('the subject of %s of several: %s', (kind, subject, each, troubleCount = each.length) => {
  const message = afterHalfAnHour({ kind, troubles: crowd(...each), troubleCount });
  expect(message.subject).toBe(`${subject}: the address 203.0.113.7`);
});

test('the subject of several without a shared cause', () => {
  const late = afterHalfAnHour({ kind: 'blind_spot', alert: null, troubles: crowd(over, over) });
  expect(late.subject).toBe('2 monitors were down, 08:02 to 08:11 CET');
  const troubles = [trouble(), trouble({ incidentId: 2, type: 'ssl' })];
  const ofOne = afterHalfAnHour({ alert: storm(null), troubles });
  expect(ofOne.subject).toBe('2 incidents of Shop open since 08:02 CET');
});

test.each<[MessageContent['kind'], string]>([
  ['alarm', 'Flapping: Shop since 08:02 CET'],
  ['reminder', 'Still flapping: Shop, 32 min'],
  ['recovery', 'Steady again: Shop, flapping for 32 min'],
])('%s of a monitor that comes and goes: "%s"', (kind, subject) => {
  const troubles = [trouble(over), trouble({ incidentId: 2, startedAt: DOWN_AT + 20 * MINUTE })];
  const alert = { id: 1, kind: 'flapping', sharedCause: null } as const;
  const at = DOWN_AT + 32 * MINUTE;
  const message = berlin(notice({ kind, alert, troubles, at }));
  expect(message.subject).toBe(subject);
  expect(message.lines[0]).toContain('2 incidents since 08:02 CET');
});

test('a long list is cut, and says how many more there are [33.4]', () => {
  const troubles = crowd(...Array.from({ length: 50 }, () => ({})));
  const { lines, html, text } = berlin(notice({ alert: storm(), troubles, troubleCount: 58 }));
  expect(lines.filter((line) => line.startsWith('- Down: Shop'))).toHaveLength(20);
  expect(lines.at(-1)).toBe('- and 38 more');
  expect(html).toContain('and 38 more</li>');
  expect(text).toContain('- and 38 more\n');
});

test('what goes on is listed before what is over', () => {
  const troubles = crowd(
    { ...over, name: 'Blog' },
    { ...closed, name: 'Wiki' },
    { name: 'Shop' },
    { name: 'Forum', cause: 'Connection refused' },
  );
  const { lines } = berlin(notice({ kind: 'update', alert: storm(), troubles }));
  expect(lines.slice(-4)).toEqual([
    '- Down: Shop since 08:02 CET (HTTP 503 Service Unavailable)',
    '- Down: Forum since 08:02 CET (Connection refused)',
    '- Back up: Blog, down 9 min',
    '- Closed: Wiki, after 9 min (Ada resolved the incident)',
  ]);
});

const NOT_ALL = 'Not all of them are acknowledged';
const some = crowd({}, known);
test.each<[string | undefined, Partial<MessageContent>]>([
  [undefined, { troubles: crowd({}, {}) }],
  ['Nobody has acknowledged it yet.', { kind: 'reminder', troubles: crowd({}, {}) }],
  [`${NOT_ALL} yet.`, { kind: 'reminder', troubles: some }],
  [`${NOT_ALL}, so you are asked next.`, { kind: 'escalation', troubles: some }],
  ['Somebody has acknowledged it.', { kind: 'update', troubles: crowd(known, over) }],
  [`${NOT_ALL} yet.`, { kind: 'reminder', troubles: crowd(known, over), troubleCount: 60 }],
])('who is on it stands above several: %s', (sentence, changes) => {
  const [first] = berlin(notice({ alert: storm(), ...changes })).lines;
  expect(first).toBe(sentence ?? 'In common: the address 203.0.113.7');
});

test.each<[string, Partial<MessageIncident>[], number]>([
  ['Shop 1, Shop 2', [{}, {}], 2],
  ['Shop 1, Shop 2 and 198 more', [{}, {}], 200],
  [
    `${'x'.repeat(79)}… and 2 more`,
    [{ name: 'x'.repeat(90) }, { name: 'y'.repeat(90) }, { name: 'z' }],
    3,
  ],
  ['Shop 2', [over, {}], 2],
  ['', [over, {}], 60],
  ['', [{ name: 'Shop' }, { name: 'Shop' }], 2],
])('a short message of several names as many as fit: "%s" [33.5]', (names, each, troubleCount) => {
  const named = crowd(...each).map((one, index) => ({
    ...one,
    name: each[index]?.name ?? `Shop ${index + 1}`,
  }));
  const { short, subject } = berlin(notice({ alert: storm(), troubles: named, troubleCount }));
  expect(short).toBe(names === '' ? subject : `${subject}. ${names}`);
});

test('a day of expiry is named once, and not as if it were days ago [33.7]', () => {
  const troubles = [trouble(expiring('ssl', 'The TLS certificate'))];
  const soon = berlin(notice({ troubles, severity: 'warning' }));
  expect(soon.short).toBe(soon.subject);
  expect(soon.facts.map(({ name }) => name)).toContain('Noticed');
  const later = berlin(notice({ kind: 'reminder', troubles, at: DOWN_AT + 3 * DAY }));
  expect(JSON.stringify(later)).not.toContain('5 days');
  expect(later.lines).toContain('Cause: The TLS certificate expires on 2026-11-26');
});

test('times in the texts of jobs and of notices are those of the reader, others stay as they are', () => {
  const cause = 'No ping came at 2026-11-21 07:00:00 UTC, when it was expected';
  const [ours, theirs] = ['heartbeat', 'uptime'].map(
    (type) => berlin(notice({ troubles: [trouble({ type, cause })] })).facts[0]?.value,
  );
  expect(ours).toBe('No ping came at 08:00 CET, when it was expected');
  expect(theirs).toBe(cause);
  const rendered = berlin(
    notice({
      kind: 'notice',
      alert: null,
      troubles: [],
      headline: 'In doubt since 2026-11-21 07:02 UTC',
      text: 'It is so since 2026-11-20 07:02 UTC.',
    }),
  );
  expect(rendered.short).toBe('In doubt since 08:02 CET. It is so since 20 Nov, 08:02 CET.');
});

test('a name that is read from right to left does not turn around what follows it', () => {
  const troubles = [trouble({ name: 'متجر' })];
  expect(berlin(notice({ kind: 'reminder', troubles, at: DOWN_AT + 32 * MINUTE })).subject).toBe(
    'Still down: \u2068متجر\u2069, 32 min',
  );
});

test('the buttons of a mail stand before a long list', () => {
  const { html, text } = berlin(notice({ alert: storm(), troubles: crowd({}, {}) }));
  expect(html.indexOf('>Acknowledge</a>')).toBeLessThan(html.indexOf('<ul'));
  expect(text.indexOf(LINKS.acknowledge)).toBeLessThan(text.indexOf('- Down: Shop'));
});

test('a mail without its style sheet has its names apart from their values', () => {
  expect(berlin(notice()).html).toMatch(/>Cause<\/th><td [^>]*>HTTP 503 Service Unavailable<\/td>/);
});

test('a notice says what it was given', () => {
  const headline = 'Region Nuremberg is left out';
  const text = 'It alone fails 40 targets.\nLook at its network.';
  const about = notice({
    kind: 'notice',
    severity: 'warning',
    alert: null,
    troubles: [],
    headline,
    text,
  });
  expect(berlin(about)).toMatchObject({
    subject: headline,
    lines: ['It alone fails 40 targets.', 'Look at its network.'],
    short: `${headline}. It alone fails 40 targets.`,
    tone: 'warning',
    links: { details: LINKS.details, acknowledge: null },
  });
});

test('a test says that it is one', () => {
  const { subject, lines, tone } = berlin(notice({ kind: 'test', alert: null, troubles: [] }));
  expect([subject, tone]).toEqual(['Test of this channel', 'neutral']);
  expect(lines).toEqual([
    'This is a test. While this channel is enabled, alerts of the team "Acme" come this way. There is nothing to do.',
  ]);
});

test.each<[string, Partial<MessageContent>, boolean]>([
  ['an alarm', {}, true],
  ['a reminder', { kind: 'reminder' }, true],
  ['one that somebody acknowledged', { troubles: [trouble({ acknowledged: true })] }, false],
  ['a recovery', { kind: 'recovery', troubles: [trouble(over)] }, false],
  ['one that is over, sent late', { kind: 'blind_spot', troubles: [trouble(over)] }, false],
  ['one of several', { troubles: crowd(over, {}) }, true],
  ['a test', { kind: 'test' }, false],
])('%s can be acknowledged or not', (_name, changes, can) => {
  const { links, html, text } = berlin(notice(changes));
  expect(links.acknowledge).toBe(can ? LINKS.acknowledge : null);
  expect(html.includes('>Acknowledge</a>')).toBe(can);
  expect(html.includes('>Details</a>')).toBe(true);
  expect(text.includes(LINKS.acknowledge)).toBe(can);
});

test('without links there are no buttons', () => {
  const { html, text } = render(notice(), { timezone: 'UTC', links: NO_LINKS });
  expect(html).not.toContain('<a ');
  expect(text).not.toMatch(/Details|Acknowledge/);
});

const DOCUMENT = readFileSync(new URL('../../../docs/messages.md', import.meta.url), 'utf8');

test.each(Object.entries(SAMPLES))('docs/messages.md shows: %s [33.1, 33.2]', (title, about) => {
  const { subject, lines } = render(about, { timezone: 'Europe/Berlin', links: NO_LINKS });
  const sample = `### ${title}\n\n\`\`\`text\n${[subject, '', ...lines].join('\n')}\n\`\`\`\n`;
  expect(DOCUMENT).toContain(sample);
});

test('docs/messages.md shows nothing else', () => {
  const titles = Array.from(DOCUMENT.matchAll(/^### (.+)$/gm), ([, title]) => title);
  expect(titles).toEqual(Object.keys(SAMPLES));
});

const NASTY_PARTS = [
  ...'<b> & " \' \r\n \0 \u2028 \u202e \ud83d 🛒 متجر Shop . https://a.example/?q=<script>'.split(
    ' ',
  ),
  ' ',
  'x'.repeat(90),
];
const nasty = fc
  .array(fc.constantFrom(...NASTY_PARTS), { maxLength: 12 })
  .map((parts) => parts.join(''));
const time = fc.oneof(fc.integer({ min: DOWN_AT, max: DOWN_AT * 2 }), fc.maxSafeInteger());

const anyTrouble: fc.Arbitrary<MessageIncident> = fc.record({
  incidentId: fc.nat(),
  monitorId: fc.nat(3),
  name: nasty,
  url: fc.option(nasty),
  type: fc.constantFrom(
    'uptime',
    'ssl',
    'domain',
    'heartbeat',
    'dual_stack',
    'manual',
    'dns',
    '<b>',
  ),
  severity: fc.constantFrom('critical', 'warning', 'info'),
  cause: fc.option(nasty),
  regions: fc.array(nasty, { maxLength: 4 }),
  startedAt: time,
  endedAt: fc.option(time),
  ending: fc.option(nasty),
  acknowledged: fc.boolean(),
  evidence: fc.option(nasty),
});

const anyNotice: fc.Arbitrary<MessageContent> = fc.record({
  kind: fc.constantFrom(...MESSAGE_KINDS),
  team: fc.option(fc.record({ id: fc.nat(), name: nasty })),
  severity: fc.constantFrom('critical', 'warning', 'info'),
  at: time,
  alert: fc.option(
    fc.record({
      id: fc.nat(),
      kind: fc.constantFrom('single', 'storm', 'flapping'),
      sharedCause: fc.option(nasty),
    }),
  ),
  troubles: fc.array(anyTrouble, { maxLength: 25 }),
  troubleCount: fc.nat(100),
  headline: fc.option(nasty),
  text: fc.option(nasty),
  silence: fc.option(fc.record({ from: time, to: time, reason: fc.option(nasty) })),
});

test('every form of any message can be read [33.6]', () => {
  const timezone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Tokyo', 'nowhere');
  const links = fc.constantFrom(LINKS, NO_LINKS);
  fc.assert(
    fc.property(anyNotice, timezone, links, (about, zone, given) => {
      const message = render(about, { timezone: zone, links: given });
      const { subject, short, lines, facts, html, text } = message;
      expect(subject.length).toBeGreaterThan(0);
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(short.length).toBeLessThanOrEqual(160);
      const singles = [
        subject,
        short,
        ...lines,
        ...facts.flatMap(({ name, value }) => [name, value]),
      ];
      for (const one of singles) {
        // The characters that isolate a name come from the renderer.
        const others = one.replace(/[\u2068\u2069]/g, '');
        expect(others).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
        expect(one.isWellFormed()).toBe(true);
        expect(one.trim()).not.toBe('');
      }
      expect(JSON.stringify(message)).not.toMatch(/undefined|NaN|Invalid Date|\[object/);
      expect(html).not.toMatch(/<(?:b|script)>|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(text.endsWith('\n')).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('what one machine saw for all regions is reported under its name [14.18]', () => {
  const seen = { regions: ['ash', 'nbg'], vantage: 'office' };
  const { facts } = berlin(notice({ troubles: [trouble(seen)] }));
  expect(facts).toContainEqual({ name: 'Seen from', value: 'office' });
  expect(
    JSON.stringify(berlin(notice({ troubles: [trouble({ ...seen, evidence: null })] }))),
  ).not.toMatch(/ash|nbg|Region/);
});
