import type { Monitor, Result, ResultEvent } from '../../app/api.gen.ts';
import { VOTE_STATUS, type DisplayStatus } from '../../lib/display-status.ts';

/** What one region saw first. */
export interface FirstRow {
  region: string;
  displayStatus: Extract<DisplayStatus, 'online' | 'offline' | 'unknown' | 'pending'>;
  ms: number | null;
  code: number | null;
  text: string | null;
}

type StoredResult = Pick<Result, 'region' | 'vote' | 'response_time' | 'status_code' | 'error'>;

/** A row for each region: from the stream, else from what is stored, newest first. */
export function rowsOf(
  regions: readonly string[],
  stored: readonly StoredResult[],
  event: Pick<ResultEvent['data'], 'regions'> | null,
): FirstRow[] {
  return regions.map((region) => {
    const result = stored.find((one) => one.region === region);
    const seen = event?.regions.find((one) => one.region === region);
    const newest = seen ?? result;
    if (newest === undefined)
      return { region, displayStatus: 'pending', ms: null, code: null, text: null };
    return {
      region,
      displayStatus: VOTE_STATUS[newest.vote],
      ms: newest.response_time,
      code: newest.status_code,
      text: seen?.vote === 'up' ? null : (result?.error ?? null),
    };
  });
}

/** What the rows say together: waiting until all regions have answered, down when most of them are. */
export function firstAnswer(rows: readonly FirstRow[]): {
  displayStatus: FirstRow['displayStatus'];
  isComplete: boolean;
} {
  const isComplete = rows.every(({ displayStatus }) => displayStatus !== 'pending');
  const down = rows.filter(({ displayStatus }) => displayStatus === 'offline').length;
  const up = rows.filter(({ displayStatus }) => displayStatus === 'online').length;
  if (!isComplete) return { displayStatus: 'pending', isComplete };
  if (down === 0 && up === 0) return { displayStatus: 'unknown', isComplete };
  return { displayStatus: down * 2 > down + up ? 'offline' : 'online', isComplete };
}

/** Whether a page that was guessed as https may be one of http: its port is closed, or speaks no TLS. */
export function speaksNoTls({ url }: Pick<Monitor, 'url'>, rows: readonly FirstRow[]): boolean {
  const isSo = ({ text }: FirstRow) => /does not speak TLS|refused/.test(text ?? '');
  return url.toLowerCase().startsWith('https:') && rows.some(isSo);
}
