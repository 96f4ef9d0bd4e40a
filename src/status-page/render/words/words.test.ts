import { describe, expect, test } from 'vitest';
import { PAGE_LANGUAGES, type PageLanguage } from '../../facts/model.ts';
import { wordsOf, type Words } from './index.ts';

const AT = Date.parse('2026-11-22T14:16:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Arguments that fit all functions of words: those with a subject take an object, the others texts and counts. */
const SUBJECT = { kind: 'incident', impact: 'critical', names: ['Name'], isEnded: false };
const PROBLEMS = { down: ['Name'], degraded: [] };
const ARGUMENTS: Record<string, readonly unknown[]> = {
  'state.problems': [PROBLEMS],
  'remark.lastKnown': [PROBLEMS],
  'state.maintenance': [['Name']],
  'state.notObserved': [['Name']],
  'automatic.title': [SUBJECT],
  'automatic.text': ['investigating', SUBJECT],
};
const FORMATS = new Set(
  Object.keys(wordsOf('en')).filter((key) => {
    const value = wordsOf('en')[key as keyof Words];
    return typeof value === 'function' || Array.isArray(value);
  }),
);

/** Texts of a language by their path. */
function textsOf(value: object, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, part] of Object.entries(value)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (path === '' && (FORMATS.has(key) || key === 'language')) continue;
    if (typeof part === 'string') texts.set(name, part);
    else if (typeof part === 'function')
      texts.set(
        name,
        (part as (...given: unknown[]) => string)(
          ...(ARGUMENTS[name] ??
            (part.length > 1 ? ['First', 'Second'] : isCounted(name) ? [3] : ['Name', 90])),
        ),
      );
    else for (const [inner, text] of textsOf(part as object, name)) texts.set(inner, text);
  }
  return texts;
}

const isCounted = (name: string) => /^group\.|lastDays/.test(name);

/** Texts that are the same in several languages. */
const SAME = new Set([
  'automatic.title',
  'days.services',
  'uncorrected.service',
  'incidents.states.identified',
  'subscribe.feeds',
]);

describe('words', () => {
  const english = textsOf(wordsOf('en'));

  test.each(PAGE_LANGUAGES)('%s has all texts, without a placeholder [42.35]', (language) => {
    const texts = textsOf(wordsOf(language));
    expect([...texts.keys()]).toEqual([...english.keys()]);
    for (const [name, text] of texts) {
      expect([name, text]).not.toEqual([
        name,
        expect.stringMatching(/undefined|NaN|\$\{|\[object|#|^\s*$/),
      ]);
    }
  });

  test.each(PAGE_LANGUAGES.filter((language) => language !== 'en'))(
    '%s is a language of its own [42.35]',
    (language) => {
      const texts = textsOf(wordsOf(language));
      const same = [...texts].filter(
        ([name, text]) => text === english.get(name) && !SAME.has(name),
      );
      // Words of the same spelling, such as Maintenance in French.
      expect(same.map(([, text]) => text).filter((text) => text.split(' ').length > 2)).toEqual([]);
      expect(same.length).toBeLessThan(12);
    },
  );
});

describe('formats', () => {
  test.each<[PageLanguage, string[]]>([
    [
      'en',
      [
        '22 Nov 2026, 14:16 UTC',
        '99.998%',
        '1 h 12 min',
        '2 days 3 h',
        '22 November',
        'less than a minute',
        'A, B and C',
      ],
    ],
    [
      'de',
      [
        '22. Nov. 2026, 14:16 UTC',
        '99,998 %',
        '1 Std. 12 Min.',
        '2 Tage 3 Std.',
        '22. November',
        'weniger als 1 Min.',
        'A, B und C',
      ],
    ],
    [
      'fr',
      [
        '22 nov. 2026, 14:16 UTC',
        '99,998 %',
        '1 h 12 min',
        '2 jours 3 h',
        '22 novembre',
        'moins d’une minute',
        'A, B et C',
      ],
    ],
    [
      'es',
      [
        '22 nov 2026, 14:16 UTC',
        '99,998 %',
        '1 h 12 min',
        '2 días 3 h',
        '22 de noviembre',
        'menos de un minuto',
        'A, B y C',
      ],
    ],
    [
      'ja',
      [
        '2026年11月22日 14:16 UTC',
        '99.998%',
        '1時間12分',
        '2日3時間',
        '11月22日',
        '1分未満',
        'A、B、C',
      ],
    ],
    [
      'pt',
      [
        '22 de nov. de 2026, 14:16 UTC',
        '99,998%',
        '1 h 12 min',
        '2 dias 3 h',
        '22 de novembro',
        'menos de um minuto',
        'A, B e C',
      ],
    ],
    [
      'it',
      [
        '22 nov 2026, 14:16 UTC',
        '99,998%',
        '1 h 12 min',
        '2 giorni 3 h',
        '22 novembre',
        'meno di un minuto',
        'A, B e C',
      ],
    ],
    [
      'nl',
      [
        '22 nov 2026, 14:16 UTC',
        '99,998%',
        '1 uur 12 min.',
        '2 dagen 3 uur',
        '22 november',
        'minder dan een minuut',
        'A, B en C',
      ],
    ],
    [
      'zh-CN',
      [
        '2026年11月22日 14:16 UTC',
        '99.998%',
        '1 小时 12 分钟',
        '2 天 3 小时',
        '11月22日',
        '不到 1 分钟',
        'A、B和C',
      ],
    ],
  ])('%s writes dates, numbers and lists in its own way [42.35]', (language, expected) => {
    const words = wordsOf(language);
    expect(
      [
        words.dateTime(AT, 'UTC'),
        words.percent(99.998),
        words.duration(HOUR + 12 * MINUTE + 59_999),
        words.duration(2 * DAY + 3 * HOUR),
        words.day(AT, 'UTC'),
        words.duration(59_999),
        words.list(['A', 'B', 'C']),
      ].map((text) => text.replaceAll(/[\u00A0\u202F]/g, ' ')),
    ).toEqual(expected);
  });

  test.each([
    [100, '100%'],
    [99.9999, '99.999%'],
    [99.998, '99.998%'],
    [99.99, '99.99%'],
    [99.989, '99.98%'],
    [99.87, '99.87%'],
    [95.6, '95.6%'],
    [0.001, '0%'],
    [0, '0%'],
  ])('%d is never rounded up [42.34]', (value, text) => {
    expect(wordsOf('en').percent(value)).toBe(text);
  });

  test.each([
    ['America/New_York', '22 Nov 2026, 09:16 EST'],
    ['Europe/Berlin', '22 Nov 2026, 15:16 CET'],
    ['Asia/Tokyo', '22 Nov 2026, 23:16 GMT+9'],
    ['Australia/Lord_Howe', '23 Nov 2026, 01:16 GMT+11'],
  ])('times in %s have the name of the zone [42.35]', (zone, text) => {
    expect(wordsOf('en').dateTime(AT, zone)).toBe(text);
  });

  test.each([
    ['2026-10-24T22:00:00Z', '2026-10-24T23:00:00Z', '25 Oct 2026, 00:00–01:00 CEST'],
    ['2026-10-24T23:00:00Z', '2026-10-25T04:00:00Z', '25 Oct 2026, 01:00 CEST – 05:00 CET'],
    ['2026-10-25T04:00:00Z', '2026-10-26T01:00:00Z', '25 Oct 2026, 05:00 – 26 Oct 2026, 02:00 CET'],
  ])('the range from %s to %s tells a change of clocks [42.35]', (from, to, text) => {
    const range = wordsOf('en').range(Date.parse(from), Date.parse(to), 'Europe/Berlin');
    expect(range).toBe(text);
  });

  test.each([
    ['Acme', 'État de Acme'],
    ['État Acme', 'État Acme'],
    ['Acme : état', 'Acme : état'],
    ['L’état des services', 'L’état des services'],
    ['Étatique', 'État de Étatique'],
    ['Cétat', 'État de Cétat'],
    ['Statut Acme', 'Statut Acme'],
  ])('a French page says "État de" only for names that do not: %s [42.35]', (name, text) => {
    expect(wordsOf('fr').incidents.back(name)).toBe(text);
  });

  test('German days follow a preposition in the dative', () => {
    expect(wordsOf('de').service.downFor(wordsOf('de').duration(3 * DAY))).toBe(
      'Ausgefallen seit 3 Tagen',
    );
  });
});
