import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { Database } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { pageRouting } from '../store/resources/page-facts.ts';
import { routingOf, type PageRouting } from './access.ts';
import type { DocumentSet } from './documents.ts';
import type { PageFacts } from './facts/model.ts';
import type { DocumentRequest } from './facts/paths.ts';
import { createPageChanges } from './page-changes.ts';
import { createPacedQueue, createPageSource, type PageSource } from './page-source.ts';

export interface CacheLimits {
  bytes: number;
  pages: number;
  /** Announcements and months of one page, and the page itself. */
  sourcesPerPage: number;
}

/** Time between two looks for changes, whichever process made them. */
const INTERVAL_MS = 500;
const LIMITS: CacheLimits = { bytes: 128 * 1024 * 1024, pages: 10_000, sourcesPerPage: 50 };
/** Time for which an address without a document is remembered, and how many of them. */
const ABSENT_MS = 2_000;
const MAX_ABSENT = 10_000;
const PAGE: DocumentRequest = { name: 'page' };

/** Pages that are read at a time. On SQLite reading takes the main thread. */
const READS_AT_ONCE = { sqlite: 1, postgres: 4 } as const;

/** The documents of all pages, each rendered once per change. Does not check access. */
export type Pages = ReturnType<typeof createPages>;

interface Entry {
  routing: PageRouting;
  sources: Map<string, PageSource>;
  bytes: number;
}

export function createPages({
  database,
  clock,
  log,
  documents,
  limits = LIMITS,
  onRender,
}: {
  database: Database;
  clock: Clock;
  log: Log;
  documents: DocumentSet;
  limits?: CacheLimits;
  /** Called for each rendered document with the time it took. */
  onRender?: (milliseconds: number) => void;
}) {
  const queue = createPacedQueue(clock, READS_AT_ONCE[database.engine]);
  /** By slug, the page that was viewed last at the end. */
  const entries = new Map<string, Entry>();
  const slugs = new Map<number, string>();
  const domains = new Map<string, { id: number; slug: string }>();
  const domainOf = new Map<number, string>();
  const opening = new Map<string, Promise<PageRouting | null>>();
  /** Addresses without a document, with the monotonic time until which that is remembered. */
  const absent = new Map<string, number>();
  let bytes = 0;
  /** Increments with each reported change, so that a read that spans one is repeated. */
  let generation = 0;

  const changes = createPageChanges(database, clock);
  const poller = createPoller({
    async run() {
      if (!changes.hasBegun) await changes.begin(readAllDomains);
      await changes.read(applyChanges);
    },
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: They are read again; until then pages may be a minute old.
    onFailure: (error) => log.error({ error }, 'Changes of status pages could not be read.'),
  });

  async function readAllDomains(): Promise<void> {
    for (const { id, slug, domain } of await pageRouting.domains(database.read))
      setDomain(id, slug, domain);
  }

  async function applyChanges(ids: ReadonlySet<number>): Promise<void> {
    const rows = await pageRouting.byIds(database.read, [...ids]);
    const routings = new Map(rows.map((row) => [row.id, routingOf(row)]));
    generation += 1;
    for (const id of ids) applyChange(id, routings.get(id));
  }

  function applyChange(id: number, routing: PageRouting | undefined): void {
    setDomain(id, routing?.slug ?? '', routing?.domain ?? null);
    const slug = slugs.get(id);
    const entry = slug === undefined ? undefined : entries.get(slug);
    if (slug === undefined || entry === undefined) return;
    if (routing?.slug !== slug) return drop(slug, entry);
    entry.routing = routing;
    for (const source of entry.sources.values()) source.mark();
  }

  function setDomain(id: number, slug: string, domain: string | null): void {
    const former = domainOf.get(id);
    if (former !== undefined && domains.get(former)?.id === id) domains.delete(former);
    domainOf.delete(id);
    if (domain === null) return;
    domains.set(domain, { id, slug });
    domainOf.set(id, domain);
  }

  function drop(slug: string, entry: Entry): void {
    bytes -= entry.bytes;
    entry.bytes = 0;
    entries.delete(slug);
    slugs.delete(entry.routing.id);
  }

  function find(slug: string): PageRouting | null | Promise<PageRouting | null> {
    const entry = entries.get(slug);
    if (entry !== undefined) return entry.routing;
    if (isAbsent(slug)) return null;
    const pending = opening.get(slug) ?? open(slug).finally(() => opening.delete(slug));
    opening.set(slug, pending);
    return pending;
  }

  async function open(slug: string): Promise<PageRouting | null> {
    for (;;) {
      const before = generation;
      const row = await pageRouting.bySlug(database.read, slug);
      if (generation !== before) continue;
      if (row === undefined) {
        rememberAbsent(slug);
        return null;
      }
      const routing = routingOf(row);
      entries.set(slug, { routing, sources: new Map(), bytes: 0 });
      slugs.set(routing.id, slug);
      evict(slug);
      return routing;
    }
  }

  function evict(current: string): void {
    for (const [slug, entry] of entries) {
      if (bytes <= limits.bytes && entries.size <= limits.pages) return;
      if (slug !== current) drop(slug, entry);
    }
  }

  function touch(slug: string, entry: Entry): void {
    entries.delete(slug);
    entries.set(slug, entry);
  }

  function resize(slug: string, entry: Entry): void {
    if (entries.get(slug) !== entry) return;
    let sum = 0;
    for (const source of entry.sources.values()) sum += source.bytes();
    bytes += sum - entry.bytes;
    entry.bytes = sum;
    evict(slug);
  }

  function sourceOf(slug: string, entry: Entry, request: DocumentRequest): PageSource {
    const key = documents.sourceOf(request);
    const known = entry.sources.get(key);
    if (known !== undefined) return known;
    const pageId = entry.routing.id;
    const source = createPageSource({
      async read() {
        await renewRouting(entry);
        return documents.read(pageId, request);
      },
      changesAt: (facts) => documents.changesAt(request, facts),
      render(asked, facts) {
        const startedAt = clock.monotonic();
        const rendered = documents.render(asked, facts);
        onRender?.(clock.monotonic() - startedAt);
        return rendered;
      },
      queue,
      clock,
      onResize: () => resize(slug, entry),
      onFailure(error) {
        if (!isUnavailable(error))
          // Log: Visitors see the former version.
          log.error({ error, status_page_id: pageId }, 'A status page could not be rendered.');
      },
    });
    entry.sources.set(key, source);
    // The page itself stays: looking at many months and incidents must not make it be rendered again.
    const oldest = entry.sources
      .keys()
      .find((one) => one !== documents.sourceOf(PAGE) && one !== key);
    if (entry.sources.size > limits.sourcesPerPage && oldest !== undefined)
      entry.sources.delete(oldest);
    return source;
  }

  /** Reads access anew with the facts: a change that was not seen must not leave a page open for longer. */
  async function renewRouting(entry: Entry): Promise<void> {
    const before = generation;
    const [row] = await pageRouting.byIds(database.read, [entry.routing.id]);
    if (row !== undefined && row.slug === entry.routing.slug && generation === before)
      entry.routing = routingOf(row);
  }

  /** Asks the source of a document, and forgets it when it has no facts. */
  async function ask<Value>(
    slug: string,
    request: DocumentRequest,
    get: (source: PageSource) => Promise<Value>,
  ): Promise<Value | null> {
    if ((await find(slug)) === null) return null;
    const entry = entries.get(slug);
    const key = documents.sourceOf(request);
    const address = `${slug} ${key}`;
    if (entry === undefined || isAbsent(address)) return null;
    touch(slug, entry);
    const source = sourceOf(slug, entry, request);
    const forget = () => {
      if (entry.sources.get(key) === source) entry.sources.delete(key);
    };
    try {
      const value = await get(source);
      if (source.exists) return value;
      forget();
      rememberAbsent(address);
      return null;
    } catch (error) {
      forget();
      throw error;
    }
  }

  function isAbsent(key: string): boolean {
    const until = absent.get(key);
    if (until === undefined) return false;
    if (until > clock.monotonic()) return true;
    absent.delete(key);
    return false;
  }

  function rememberAbsent(key: string): void {
    const [oldest] = absent.keys();
    if (absent.size >= MAX_ABSENT && oldest !== undefined) absent.delete(oldest);
    absent.set(key, clock.monotonic() + ABSENT_MS);
  }

  return {
    /** The page of a slug, which visitors may see if its access allows it; null for a draft and without one. */
    async find(slug: string) {
      const routing = await find(slug);
      return routing?.isDraft === true ? null : routing;
    },
    /** The page of a slug, also a draft. */
    findAny: find,
    slugOfDomain: (domain: string) => domains.get(domain)?.slug,
    get hasNoDomains() {
      return domains.size === 0;
    },
    /** Current document if it needs no work; undefined otherwise. */
    ready(slug: string, request: DocumentRequest) {
      const entry = entries.get(slug);
      const document = entry?.sources.get(documents.sourceOf(request))?.ready(request);
      if (entry !== undefined && document !== undefined) touch(slug, entry);
      return document;
    },
    /** Current document; null where there is none. Rejects when the database is away and nothing is known. */
    document: (slug: string, request: DocumentRequest) =>
      ask(slug, request, (source) => source.document(request)),
    /** The page itself; null without one. Rejects as `document` does. */
    async identity(slug: string) {
      const facts = await ask(slug, PAGE, (source) => source.facts());
      return (facts as PageFacts | null)?.page ?? null;
    },
    /** Kept pages, their bytes, and pages that wait to be read. */
    size: () => ({ pages: entries.size, bytes, waiting: queue.length }),
    start: () => poller.start(),
    wake: () => poller.wake(),
    stop: () => poller.stop(),
  };
}
