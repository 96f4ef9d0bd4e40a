import type { MonitorState, NewestResult } from '../../model/state.ts';

/**
 * Newest results as the column `newest` holds them: each round writes it, so that it is short. First the time of the first
 * result (epoch ms), then each region with its response time in milliseconds, the milliseconds since that time, status
 * code and failure. Empty parts at the end of a region are left out; no status code means 200, and `-` none:
 *
 *     1790000000000 ash,123.456 pdx,98.2,1 nbg,,,- sin,210,3,503,http_status
 *
 * Results of manual checks, and regions with other names than the configuration allows, are stored as JSON, as is what was
 * stored before this format.
 */
export function newestText(newest: MonitorState['newest']): string {
  let text = '';
  let first: number | null = null;
  for (const region in newest) {
    const result = newest[region]!;
    if (result.isManual || !REGION.test(region)) return JSON.stringify(newest);
    first ??= result.checkedAt;
    text += ` ${region}${partsOf(result, first)}`;
  }
  return first === null ? NONE : `${first}${text}`;
}

const NONE = '{}';
const REGION = /^[\w-]+$/;
const USUAL_STATUS = 200;

function partsOf({ responseTimeMs, checkedAt, statusCode, failure }: NewestResult, first: number) {
  const time = `,${responseTimeMs ?? ''}`;
  const after = checkedAt === first ? '' : String(checkedAt - first);
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
  const [first, ...regions] = text.split(' ');
  for (const each of regions) {
    const [region, time, after, status, failure] = each.split(',');
    newest[region!] = {
      responseTimeMs: time === '' ? null : Number(time),
      statusCode: status === undefined || status === '' ? USUAL_STATUS : statusOf(status),
      checkedAt: Number(first) + (after ? Number(after) : 0),
      failure: (failure ?? null) as NewestResult['failure'],
    };
  }
  return newest;
}

function statusOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}
