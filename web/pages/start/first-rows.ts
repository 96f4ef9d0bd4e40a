import type { Result, ResultEvent } from '../../client/types.gen.ts';
import type { Standing } from '../../lib/standing.ts';

/** What one region saw first. */
export interface FirstRow {
  region: string;
  standing: Extract<Standing, 'online' | 'offline' | 'unknown' | 'pending'>;
  ms: number | null;
  code: number | null;
  text: string | null;
}

type StoredResult = Pick<Result, 'region' | 'vote' | 'response_time' | 'status_code' | 'error'>;

const STANDING = { up: 'online', down: 'offline', unknown: 'unknown' } as const;

/** A row for each region: from the stream, else from what is stored, newest first. */
export function rowsOf(
  regions: readonly string[],
  stored: readonly StoredResult[],
  event: Pick<ResultEvent['data'], 'regions'> | null,
): FirstRow[] {
  return regions.map((region) => {
    const result = stored.find((one) => one.region === region);
    const seen = event?.regions.find((one) => one.region === region);
    if (seen !== undefined) {
      return {
        region,
        standing: STANDING[seen.vote],
        ms: seen.response_time,
        code: seen.status_code,
        text: seen.vote === 'up' ? null : (result?.error ?? null),
      };
    }
    if (result === undefined)
      return { region, standing: 'pending', ms: null, code: null, text: null };
    return {
      region,
      standing: STANDING[result.vote],
      ms: result.response_time,
      code: result.status_code,
      text: result.error,
    };
  });
}

/** What the rows say together: waiting until all regions have answered, down when most of them are. */
export function firstAnswer(rows: readonly FirstRow[]): {
  standing: FirstRow['standing'];
  isComplete: boolean;
} {
  const isComplete = rows.every(({ standing }) => standing !== 'pending');
  const down = rows.filter(({ standing }) => standing === 'offline').length;
  const up = rows.filter(({ standing }) => standing === 'online').length;
  if (!isComplete) return { standing: 'pending', isComplete };
  if (down === 0 && up === 0) return { standing: 'unknown', isComplete };
  return { standing: down * 2 > down + up ? 'offline' : 'online', isComplete };
}
