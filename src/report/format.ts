import { fill, REPORT_WORDS } from './words/words.ts';
import type { ReportFacts } from './model.ts';
import { isMonth, type Interval } from './period.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const NO_BREAK = '\u00a0';
export const DASH = '–';

/** Numbers, durations and times as people read them, in the language and zone of a report. A dash stands for null. */
export function formatOf({ language, timezone }: Pick<ReportFacts, 'language' | 'timezone'>) {
  const words = REPORT_WORDS[language];
  const dates = (options: Intl.DateTimeFormatOptions, zone = timezone) => {
    const formatter = new Intl.DateTimeFormat(words.locale, { timeZone: zone, ...options });
    return (at: number) => plainSpaces(formatter.format(at));
  };
  const moment = dates({ dateStyle: 'medium', timeStyle: 'short' });
  const shortMoment = dates({
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const day = dates({ dateStyle: 'medium' });
  const short = { day: 'numeric', month: 'short' } as const;
  const axisDay = dates(short);
  const utcDay = dates(short, 'UTC');
  const month = dates({ month: 'long', year: 'numeric' });
  const number = (decimals: number) =>
    new Intl.NumberFormat(words.locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  const whole = number(0);
  const numbers = [whole, number(1), number(2), number(3)];

  const count = (value: number) => plainSpaces(whole.format(value));
  /** Such as `99.950 %`; 100 has no decimals. */
  function percent(value: number | null, decimals = 3): string {
    if (value === null) return DASH;
    const scale = 10 ** decimals;
    const floored = Math.floor(value * scale + 1e-6) / scale;
    const shown = numbers[value === 100 ? 0 : decimals]!.format(floored);
    return `${plainSpaces(shown)}${NO_BREAK}%`;
  }
  /** Such as `2 h 5 min`. */
  function duration(ms: number | null): string {
    if (ms === null) return DASH;
    const { units } = words;
    const parts: [number, string][] = [
      [DAY_MS, units.d],
      [HOUR_MS, units.h],
      [MINUTE_MS, units.min],
      [SECOND_MS, units.s],
    ];
    const sign = ms < 0 ? '-' : '';
    const size = Math.abs(ms);
    if (size > 0 && size < SECOND_MS) return `${sign}${Math.round(size)}${NO_BREAK}${units.ms}`;
    const first = Math.max(
      0,
      parts.findIndex(([unit]) => size >= unit),
    );
    const [large, small] = [size === 0 ? parts[3]! : parts[first]!, parts[first + 1]];
    const head = `${Math.floor(size / large[0])}${NO_BREAK}${large[1]}`;
    const rest = small === undefined || size === 0 ? 0 : Math.floor((size % large[0]) / small[0]);
    return sign + (rest === 0 ? head : `${head} ${rest}${NO_BREAK}${small![1]}`);
  }
  /** First and last day of the period, or a whole month. */
  function period({ from, to }: Interval): string {
    if (isMonth(timezone, { from, to })) return month(from);
    const [first, last] = [day(from), day(to - 1)];
    return first === last ? first : `${first} ${DASH} ${last}`;
  }
  return {
    words,
    count,
    percent,
    duration,
    milliseconds: (value: number | null) =>
      value === null
        ? DASH
        : `${count(value < 10 ? Math.max(1, Math.round(value)) : value)}${NO_BREAK}${words.units.ms}`,
    moment,
    shortMoment,
    /** A day of the zone, or of UTC. */
    day: (at: number, zone?: 'UTC') => (zone === 'UTC' ? utcDay(at) : axisDay(at)),
    period,
    summary({ monitors, days, before, total: { figures } }: ReportFacts): string {
      if (figures.uptimePercent === null) return words.summaryNothing;
      const { outages } = figures;
      const values = {
        count: count(monitors.length),
        uptime: percent(figures.uptimePercent),
        observed: percent(figures.observedPercent, 2),
        incidents: count(outages),
        downtime: duration(figures.downMs).replaceAll(' ', NO_BREAK),
        ...(before && { before: percent(before.uptimePercent), period: period(before) }),
      };
      const about =
        outages === 0
          ? words.summaryNoIncident
          : outages === 1
            ? words.summaryOneIncident
            : words.summaryIncidents;
      const uptime = monitors.length === 1 ? words.summaryUptimeOne : words.summaryUptime;
      // The first month of a team: days before its first monitor have nothing.
      const began = days.findIndex((_, index) => monitors.some((one) => one.days[index] != null));
      const earlier = before === null ? [] : [words.summaryBefore];
      const sentences = [
        ...[uptime, ...earlier, about, words.summaryObserved].map((one) => fill(one, values)),
        ...(began > 0 ? [fill(words.summaryBegan, { day: axisDay(days[began]!.from) })] : []),
      ];
      return sentences.join(sentences[0]!.endsWith('。') ? '' : ' ');
    },
  };
}

export type Format = ReturnType<typeof formatOf>;

/** The fonts have no narrow spaces. */
const plainSpaces = (text: string) => text.replaceAll(/[\u202f\u2009]/g, NO_BREAK);
