import { may, type Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSharedRuns } from '../../lib/shared-runs.ts';
import type { ChangeMark } from '../../store/resources/change-mark.ts';
import type { MonitorList, MonitorPage } from '../../store/resources/monitor-list.ts';
import type {
  MonitorFilter,
  MonitorReads,
  MonitorRow,
  MonitorSort,
} from '../../store/resources/monitors.ts';
import { pageOf, type ListAddress, type Page, type PagePaging } from '../common/page.ts';
import { WrittenJson } from '../common/written-json.ts';
import { EDITORS_FIELDS, SECRET_FIELDS } from '../../monitor-types/settings.ts';
import { viewMonitor, type ViewDeps } from './view.ts';

interface WantedList {
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
  views: ReturnType<typeof createMonitorViews>;
  readMark: ChangeMark;
  clock: Pick<Clock, 'now'>;
}) {
  const { list, views, readMark, clock } = deps;
  const cached = new Map<string, CachedAnswer>();
  const runs = createSharedRuns<WrittenJson>();
  /** Answers that are being made, by their keys. */
  const making = new Map<string, { mark: number | null; answer: Promise<WrittenJson> }>();
  let bytes = 0;
  /** The newest answer that must not be kept: it serves again for as long as one of its connections holds it. */
  let sent:
    | (Omit<CachedAnswer, 'answer' | 'mark'> & { key: string; json: WeakRef<Buffer> })
    | null = null;

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

  function find(key: string): CachedAnswer | null {
    const entry = cached.get(key);
    return entry !== undefined && clock.now() < entry.validUntil ? entry : null;
  }

  async function make(caller: Caller, key: string, wanted: WantedList): Promise<WrittenJson> {
    // Read first: what is committed from here on is found by the next request.
    const mark = await readMark();
    const answer = read(caller, key, wanted, mark);
    making.set(key, { mark, answer });
    return answer.finally(() => making.delete(key));
  }

  async function read(
    caller: Caller,
    key: string,
    { filter, paging, address }: WantedList,
    mark: number | null,
  ): Promise<WrittenJson> {
    const page = await list.page(caller.team.id, await filter(), paging);
    const { total, stamps } = page;
    const known = find(key);
    if (known !== null && known.stamps === stamps && known.total === total) {
      known.mark = mark;
      return known.answer;
    }
    const isSent = sent?.key === key && sent.stamps === stamps && sent.total === total;
    const json = isSent && clock.now() < sent!.validUntil ? sent!.json.deref() : undefined;
    if (json !== undefined) return new WrittenJson(json);
    const { texts, validUntil, hasSecret } = await views.of(caller, page);
    const answer = joined(pageOf(texts, total, paging, address));
    if (hasSecret) sent = { key, json: new WeakRef(answer.json), stamps, total, validUntil };
    else if (key.length <= MAX_KEY_LENGTH) keep(key, { answer, mark, stamps, total, validUntil });
    return answer;
  }

  return {
    /**
     * Requests that come at once share one answer: a large one takes several times its size. It is begun after them, or
     * nothing was committed since it was.
     */
    async of(caller: Caller, wanted: WantedList): Promise<WrittenJson> {
      const mark = await readMark();
      const key = keyOf(caller, wanted.query, wanted.address);
      const known = find(key);
      if (known !== null && mark !== null && known.mark === mark) return known.answer;
      const made = making.get(key);
      if (made !== undefined && mark !== null && made.mark === mark) return made.answer;
      return runs.run(key, () => make(caller, key, wanted));
    },
  };
}

/** What an answer depends on, beside the monitors and the time. */
function keyOf(caller: Caller, query: object, address: ListAddress): string {
  return JSON.stringify([caller.team.id, may(caller, 'update'), query, address]);
}

/** Joins a page whose items are JSON, each written in its place: a text of all would be as large again. */
function joined({ data, ...envelope }: Page<string>): WrittenJson {
  const end = `],${JSON.stringify(envelope).slice(1)}`;
  const parts = [
    '{"data":[',
    ...data.flatMap((text, at) => (at === 0 ? [text] : [',', text])),
    end,
  ];
  const json = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let at = 0;
  for (const part of parts) at += json.write(part, at);
  return new WrittenJson(json);
}

/** Views of the monitors of a page, written as JSON. */
interface WrittenViews {
  /** In the order of the page, without monitors that no longer exist. */
  texts: string[];
  /** Epoch milliseconds until which they are valid while the stamps of the page stay. */
  validUntil: number;
  /** Whether one of them must not be kept. */
  hasSecret: boolean;
}

/** Maximum number of cached views, of about 1.2 kB each. */
const MAX_CACHED = 5_000;

interface CachedView {
  /** Line of the stamps of its page. */
  stamp: string;
  text: string;
  /** Epoch milliseconds at which a time in it changes. */
  validUntil: number;
  /** Whether it is the view of callers who may update, or of the others; null when they see the same. */
  isForEditors: boolean | null;
}

/**
 * Caches the views of monitors as JSON, since lists repeat them and most fields change only by edits. The stamps of a page
 * show which views are still valid. Monitors with secrets are never cached; one with settings that only editors see is
 * cached for those who see the same of it.
 */
export function createMonitorViews(
  deps: ViewDeps & { clock: Pick<Clock, 'now'> },
  reads: MonitorReads,
) {
  const { clock } = deps;
  const cached = new Map<number, CachedView>();

  function cache(row: MonitorRow, view: CachedView): void {
    cached.delete(row.id);
    if (holdsSecret(row)) return;
    cached.set(row.id, view);
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
  }

  return {
    async of(
      caller: Caller,
      { ids, stamps }: Pick<MonitorPage, 'ids' | 'stamps'>,
    ): Promise<WrittenViews> {
      const now = clock.now();
      const isEditor = may(caller, 'update');
      const found = new Map<number, CachedView>();
      const outdated = new Map<number, string>();
      for (const stamp of linesOf(stamps)) {
        const id = Number.parseInt(stamp, 10);
        const known = cached.get(id);
        const isForCaller = (known?.isForEditors ?? isEditor) === isEditor;
        if (known?.stamp === stamp && isForCaller && now < known.validUntil) found.set(id, known);
        else outdated.set(id, stamp);
      }
      let hasSecret = false;
      for (const row of await reads.whole(caller.team.id, [...outdated.keys()])) {
        const view = viewMonitor(row, caller, deps, now);
        const written: CachedView = {
          stamp: outdated.get(row.id)!,
          text: JSON.stringify(view),
          validUntil: nextChange(row, view),
          isForEditors: hasEditorsField(row) ? isEditor : null,
        };
        hasSecret ||= holdsSecret(row);
        cache(row, written);
        found.set(row.id, written);
      }
      const inOrder = ids.flatMap((id) => found.get(id) ?? []);
      return {
        texts: inOrder.map(({ text }) => text),
        validUntil: Math.min(...inOrder.map(({ validUntil }) => validUntil)),
        hasSecret,
      };
    },
  };
}

/** The next check changes when it is due, and what is known of a push monitor with the next mark of a process. */
function nextChange(
  row: MonitorRow,
  { next_check_at: next, observed_until: known }: ReturnType<typeof viewMonitor>,
): number {
  const at = row.check_interval === null ? known : next;
  return at === null ? Infinity : Date.parse(at);
}

function linesOf(stamps: string): string[] {
  return stamps === '' ? [] : stamps.split('\n');
}

function holdsSecret(row: MonitorRow): boolean {
  return SECRET_FIELDS.some((name) => row[name] !== null);
}

function hasEditorsField(row: MonitorRow): boolean {
  return EDITORS_FIELDS.some((name) => (row as Record<string, unknown>)[name] !== null);
}
