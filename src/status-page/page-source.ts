import { waitAtMost, type Clock } from '../lib/clock.ts';
import type { DocumentRequest } from './facts/paths.ts';
import { keepDocument, type KeptDocument, type Rendered } from './kept-document.ts';

/** Time after which facts are read again although nothing changed: ages and figures move on. */
const MAX_AGE_MS = 60_000;
/** Time after a change for which visitors get the former version while the next one is rendered. */
const MAX_STALE_MS = 5_000;
/** Longest wait of a visitor for facts that are older. */
const MAX_WAIT_MS = 2_000;
/** Time until facts that could not be read are read again, and documents are rendered with the present time. */
const RETRY_MS = 10_000;

/** Documents that are rendered ahead: more are not of one page, but of invented queries. */
const MAX_VIEWED = 100;

/** Facts with the documents that are made of them, such as those of a page or of one announcement. */
export type PageSource = ReturnType<typeof createPageSource>;

export function createPageSource(deps: {
  read(): Promise<unknown>;
  changesAt(facts: unknown): number | null;
  render(request: DocumentRequest, facts: unknown): Rendered | null;
  queue: PacedQueue;
  clock: Clock;
  /** Called when the kept bytes may have changed. */
  onResize(): void;
  /** Reports an error that leaves the former facts or a former document in place. */
  onFailure(error: unknown): void;
}) {
  const { queue, clock } = deps;
  let facts: unknown = undefined;
  let factsBytes = 0;
  let documents = new Map<string, KeptDocument>();
  let rendering = new Map<string, Promise<KeptDocument | null>>();
  /** Documents that were asked for since the last refresh. */
  let viewed = new Map<string, DocumentRequest>();
  /** Monotonic time from which the facts are read again. */
  let dueAt = clock.monotonic();
  /** Monotonic time from which the facts say what is not known any more: nobody gets a document of before then. */
  let expiresAt = Infinity;
  let markedAt = -Infinity;
  let refresh: { done: Promise<void>; requestedAt: number } | null = null;

  function requestRefresh(): { done: Promise<void>; mayWait: boolean } {
    const now = clock.monotonic();
    if (refresh === null) {
      const done = queue.run(readAndRender, !isStaleFine(now)).finally(() => {
        refresh = null;
      });
      refresh = { done, requestedAt: now };
    }
    return { done: refresh.done, mayWait: isStaleFine(refresh.requestedAt) };
  }

  /** Whether visitors may get the former version while a refresh runs that was requested at that time. */
  function isStaleFine(at: number): boolean {
    return facts !== undefined && at < expiresAt && at - dueAt < MAX_STALE_MS;
  }

  async function readAndRender(): Promise<void> {
    const startedAt = clock.monotonic();
    try {
      facts = await deps.read();
      factsBytes = estimateBytes(facts);
      expiresAt = clock.monotonic() + (deps.changesAt(facts) ?? Infinity) - clock.now();
      dueAt = markedAt > startedAt ? markedAt : Math.min(startedAt + MAX_AGE_MS, expiresAt);
    } catch (error) {
      if (facts === undefined) throw error;
      deps.onFailure(error);
      dueAt = startedAt + RETRY_MS;
    }
    await renderViewed();
  }

  /** Renders what visitors looked at, and replaces the former documents when all is ready. */
  async function renderViewed(): Promise<void> {
    const [former, wanted] = [documents, viewed];
    const next = new Map<string, KeptDocument>();
    viewed = new Map();
    for (const [key, request] of facts === null ? [] : wanted) {
      const document = renderOrKeep(request, former.get(key));
      if (document === null) continue;
      next.set(key, document);
      const used = former.get(key)?.used ?? [];
      await Promise.all([...used].map((encoding) => document.encoded(encoding)));
      await new Promise<void>((resolve) => clock.soon(resolve));
    }
    documents = next;
    rendering = new Map();
    deps.onResize();
  }

  /** A document that can't be rendered stays as it was: a fault of one must not take the others away. */
  function renderOrKeep(request: DocumentRequest, former: KeptDocument | undefined) {
    try {
      return renderNow(request);
    } catch (error) {
      deps.onFailure(error);
      return former ?? null;
    }
  }

  function view(key: string, request: DocumentRequest): void {
    if (viewed.size < MAX_VIEWED && isKept(request)) viewed.set(key, request);
  }

  function renderNow(request: DocumentRequest): KeptDocument | null {
    const made = deps.render(request, facts);
    return made && keepDocument(made);
  }

  function rendered(key: string, request: DocumentRequest): Promise<KeptDocument | null> {
    const pending = rendering.get(key);
    if (pending !== undefined) return pending;
    const [target, of] = [documents, rendering];
    const done = queue
      .run(async () => {
        const document = facts === null ? null : renderNow(request);
        // A refresh meanwhile has documents of its own.
        if (document !== null && target === documents && isKept(request))
          documents.set(key, document);
        deps.onResize();
        return document;
      }, true)
      .finally(() => of.delete(key));
    rendering.set(key, done);
    return done;
  }

  async function refreshIfDue(): Promise<void> {
    if (facts !== undefined && clock.monotonic() < dueAt) return;
    const { done, mayWait } = requestRefresh();
    if (facts === undefined) await done;
    else if (!mayWait) await waitAtMost(clock, MAX_WAIT_MS, done);
  }

  return {
    /** Current facts; null when there are none. Rejects as `document` does. */
    async facts() {
      await refreshIfDue();
      return facts;
    },
    /** Current document; null when there is none. Rejects when the facts were never read and can't be now. */
    async document(request: DocumentRequest) {
      const key = keyOf(request);
      view(key, request);
      await refreshIfDue();
      if (facts === null) return null;
      view(key, request);
      return documents.get(key) ?? rendered(key, request);
    },
    /** Current document, if it is there and need not be refreshed; undefined otherwise. */
    ready(request: DocumentRequest) {
      if (clock.monotonic() >= dueAt) return undefined;
      const key = keyOf(request);
      const document = documents.get(key);
      if (document !== undefined) view(key, request);
      return document;
    },
    mark() {
      markedAt = clock.monotonic();
      dueAt = Math.min(dueAt, markedAt);
    },
    /** False once the facts are gone. */
    get exists() {
      return facts !== null;
    },
    bytes() {
      let sum = factsBytes;
      for (const document of documents.values()) sum += document.bytes();
      return sum;
    },
  };
}

function keyOf(request: DocumentRequest): string {
  if (request.name === 'embed') return `embed ${request.variant}`;
  return request.name === 'badge'
    ? `badge ${request.kind} ${request.monitorId ?? ''} ${request.label ?? ''}`
    : request.name;
}

/** Badges with words of their own are rendered for each visitor: invented ones would fill the memory. */
function isKept(request: DocumentRequest): boolean {
  return request.name !== 'badge' || request.label === undefined;
}

/** Size of a tree of objects in bytes, roughly. Objects that occur several times count once. */
function estimateBytes(value: unknown, known = new Set<object>()): number {
  if (typeof value === 'string') return 2 * value.length + 16;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 8;
  if (known.has(value)) return 8;
  known.add(value);
  let sum = 32;
  for (const item of Object.values(value)) sum += estimateBytes(item, known);
  return sum;
}

/** Runs jobs a few at a time and lets other work of the process run between them. */
export type PacedQueue = ReturnType<typeof createPacedQueue>;

/** @param atOnce jobs that run at a time. */
export function createPacedQueue(clock: Pick<Clock, 'soon'>, atOnce: number) {
  const urgent: (() => Promise<void>)[] = [];
  const others: (() => Promise<void>)[] = [];
  let running = 0;

  function next(): void {
    if (running >= atOnce) return;
    const job = urgent.shift() ?? others.shift();
    if (job === undefined) return;
    running += 1;
    void job().finally(() =>
      clock.soon(() => {
        running -= 1;
        next();
      }),
    );
  }

  return {
    /** Runs a job; urgent ones, which somebody waits for, come before all others. Settles as the job does. */
    run<Value>(job: () => Promise<Value>, isUrgent: boolean) {
      const done = Promise.withResolvers<Value>();
      (isUrgent ? urgent : others).push(() => job().then(done.resolve, done.reject));
      next();
      return done.promise;
    },
    get length() {
      return urgent.length + others.length;
    },
  };
}
