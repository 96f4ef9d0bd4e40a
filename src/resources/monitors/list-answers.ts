import { may, type Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ChangeMark } from '../../store/resources/change-mark.ts';
import type { MonitorList } from '../../store/resources/monitor-list.ts';
import type { MonitorFilter, MonitorSort } from '../../store/resources/monitors.ts';
import { pageOf, type ListAddress, type Page, type PagePaging } from '../common/page.ts';
import { WrittenJson } from '../common/written-json.ts';
import type { MonitorViews } from './views.ts';

/** Lists of monitors as answers. */
export interface ListAnswers {
  of(caller: Caller, wanted: WantedList): Promise<WrittenJson>;
}

export interface WantedList {
  /** The query as it was read: assistants ask for all lists at one address. */
  query: object;
  /** Reads the filter; throws InvalidInput for an unknown group. */
  filter: () => Promise<MonitorFilter>;
  paging: PagePaging<MonitorSort>;
  address: ListAddress;
}

/** Maximum bytes of cached answers; the oldest are deleted. A page of 20 has about 25 kB. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Answers to queries that make longer keys are not cached. */
const MAX_KEY_LENGTH = 1_000;

interface CachedAnswer {
  answer: WrittenJson;
  /** State of the database at which it was valid; null where there are no marks. */
  mark: number | null;
  stamps: string;
  total: number;
  /** Epoch milliseconds from which it shows an old time of a next check. */
  validUntil: number;
}

/**
 * Creates answers, and caches them. A cached one is sent while nothing was committed since, or after a look at the page's
 * monitors that finds them unchanged. So an answer is never older than its request.
 */
export function createListAnswers(deps: {
  list: Pick<MonitorList, 'page'>;
  views: MonitorViews;
  readMark: ChangeMark;
  clock: Pick<Clock, 'now'>;
}): ListAnswers {
  const { list, views, readMark, clock } = deps;
  const cached = new Map<string, CachedAnswer>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= cached.get(key)?.answer.json.length ?? 0;
    cached.delete(key);
  }

  function keep(key: string, entry: CachedAnswer): void {
    forget(key);
    cached.set(key, entry);
    bytes += entry.answer.json.length;
    for (const oldest of cached.keys()) {
      if (bytes <= MAX_BYTES) return;
      forget(oldest);
    }
  }

  return {
    async of(caller, { query, filter, paging, address }) {
      // Read first: what is committed from here on is found by the next request.
      const mark = await readMark();
      const key = keyOf(caller, query, address);
      const entry = cached.get(key);
      const known = entry !== undefined && clock.now() < entry.validUntil ? entry : null;
      if (known !== null && mark !== null && known.mark === mark) return known.answer;
      const page = await list.page(caller.team.id, await filter(), paging);
      const { total, stamps } = page;
      if (known !== null && known.stamps === stamps && known.total === total) {
        known.mark = mark;
        return known.answer;
      }
      const { texts, validUntil } = await views.of(caller, page);
      const answer = written(pageOf(texts, total, paging, address));
      if (validUntil > 0 && key.length <= MAX_KEY_LENGTH)
        keep(key, { answer, mark, stamps, total, validUntil });
      return answer;
    },
  };
}

/** What an answer depends on, beside the monitors and the time. */
function keyOf(caller: Caller, query: object, address: ListAddress): string {
  return JSON.stringify([caller.team.id, may(caller, 'update'), query, address]);
}

/** Joins a page whose items are JSON. */
function written({ data, ...envelope }: Page<string>): WrittenJson {
  const rest = JSON.stringify(envelope).slice(1);
  return new WrittenJson(Buffer.from(`{"data":[${data.join()}],${rest}`));
}
