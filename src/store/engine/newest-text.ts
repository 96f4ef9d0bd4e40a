import type { MonitorState, NewestResult } from '../../model/state.ts';

/**
 * Newest results as the column `newest` holds them: each round writes it, so that it is short. First the time of the first
 * result (epoch ms), then each region with its response time in microseconds, the milliseconds since that time, status
 * code and failure; times are numbers to the base of 36. Empty parts at the end of a region are left out; no status code
 * means 200, and `-` none:
 *
 *     mubb3pc0 ash,2n9c pdx,23rs,1 nbg,,,- sin,4i1c,3,503,http_status
 *
 * Results of manual checks, and what this format can't hold, are stored as JSON.
 */
export function newestText(newest: MonitorState['newest']): string {
  let text = '';
  let first: number | null = null;
  for (const region in newest) {
    const result = newest[region]!;
    first ??= result.checkedAt;
    const parts = partsOf(result, first);
    if (parts === null || !REGION.test(region)) return JSON.stringify(newest);
    text += ` ${region}${parts}`;
  }
  return first === null ? NONE : `${first.toString(36)}${text}`;
}

const NONE = '{}';
const REGION = /^[\w-]+$/;
const USUAL_STATUS = 200;

function partsOf(result: NewestResult, first: number): string | null {
  const { responseTimeMs, checkedAt, statusCode, failure, isManual } = result;
  const microseconds = responseTimeMs === null ? null : Math.round(responseTimeMs * 1_000);
  const isExact = microseconds === null || microseconds / 1_000 === responseTimeMs;
  if (isManual || !isExact || !Number.isSafeInteger(checkedAt)) return null;
  const time = microseconds === null ? ',' : `,${microseconds.toString(36)}`;
  const after = checkedAt === first ? '' : (checkedAt - first).toString(36);
  const status = statusCode === USUAL_STATUS ? '' : String(statusCode ?? '-');
  if (failure !== null) return `${time},${after},${status},${failure}`;
  if (status !== '') return `${time},${after},${status}`;
  return after === '' ? time : `${time},${after}`;
}

/** Reads the column `newest`. */
export function parseNewest(text: string): MonitorState['newest'] {
  if (text === NONE) return {};
  if (text.startsWith('{')) return JSON.parse(text) as MonitorState['newest'];
  const newest: MonitorState['newest'] = {};
  let end = text.indexOf(' ');
  const first = numberOf(text.slice(0, end));
  while (end !== -1) {
    const begin = end + 1;
    end = text.indexOf(' ', begin);
    const comma = text.indexOf(',', begin);
    const parts = text.slice(comma + 1, end === -1 ? undefined : end);
    newest[text.slice(begin, comma)] = resultOf(parts, first);
  }
  return newest;
}

function resultOf(parts: string, first: number): NewestResult {
  const afterTime = parts.indexOf(',');
  const time = afterTime === -1 ? parts : parts.slice(0, afterTime);
  const responseTimeMs = time === '' ? null : numberOf(time) / 1_000;
  if (afterTime === -1)
    return { responseTimeMs, statusCode: USUAL_STATUS, checkedAt: first, failure: null };
  const [after, status, failure] = parts.slice(afterTime + 1).split(',');
  return {
    responseTimeMs,
    statusCode: status === undefined || status === '' ? USUAL_STATUS : statusOf(status),
    checkedAt: first + numberOf(after!),
    failure: (failure ?? null) as NewestResult['failure'],
  };
}

/** A number to the base of 36, 0 without digits. Takes less time than `parseInt`. */
function numberOf(digits: string): number {
  const isNegative = digits.startsWith('-');
  let value = 0;
  for (let index = isNegative ? 1 : 0; index < digits.length; index += 1) {
    const code = digits.charCodeAt(index);
    value = value * 36 + (code <= NINE ? code - ZERO : code - A + 10);
  }
  return isNegative ? -value : value;
}

const [ZERO, NINE, A] = ['0', '9', 'a'].map((digit) => digit.charCodeAt(0)) as [
  number,
  number,
  number,
];

function statusOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}
