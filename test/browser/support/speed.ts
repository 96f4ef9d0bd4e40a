import type { Browser, Page } from 'playwright-core';

/** What something that was done on a page cost. */
export interface Speed {
  /**
   * Longest task of the main thread, in milliseconds. Processor time: a machine that does other work meanwhile does not lengthen
   * it.
   */
  longestTaskMs: number;
  /** All tasks of the main thread together, in milliseconds of processor time. */
  busyMs: number;
  /** Longest time from an input to the next frame, in milliseconds; 0 where none took 16 ms. */
  slowestInputMs: number;
}

/** Records slow inputs, and when the first row of a list appears. */
const RECORDER = `(() => {
  const record = window.__record = { inputs: [], firstRowMs: null };
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries()) if (interactionId) record.inputs.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  const look = () => {
    if (document.querySelector('[data-row]') === null) return requestAnimationFrame(look);
    record.firstRowMs = performance.now();
  };
  look();
})()`;

/** Slow inputs since they were last read; observers are called after the frame. */
const TAKE_INPUTS = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))
  .then(() => window.__record.inputs.splice(0))`;

/** A page on a machine that is slower by a factor. */
export class SlowPage {
  readonly page: Page;
  readonly #browser: Browser;

  private constructor(page: Page, browser: Browser) {
    this.page = page;
    this.#browser = browser;
  }

  /** Call before the page is opened. */
  static async of(page: Page, browser: Browser, slowdown: number): Promise<SlowPage> {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(RECORDER);
    return new SlowPage(page, browser);
  }

  /** Measures what an action costs, until the page has painted. One at a time. */
  async during(action: () => Promise<unknown>): Promise<Speed> {
    await this.#browser.startTracing(this.page, { categories: CATEGORIES });
    await action();
    const inputs = (await this.page.evaluate(TAKE_INPUTS)) as number[];
    const tasks = tasksOf(await this.#browser.stopTracing());
    return {
      longestTaskMs: Math.round(Math.max(0, ...tasks)),
      busyMs: Math.round(tasks.reduce((sum, ms) => sum + ms, 0)),
      slowestInputMs: Math.round(Math.max(0, ...inputs)),
    };
  }

  /** Time from the request of the page to the first row of its list, in milliseconds. */
  async firstRowMs(): Promise<number> {
    await this.page.locator('[data-row]').first().waitFor();
    return Math.round((await this.page.evaluate('window.__record.firstRowMs')) as number);
  }

  /** Size of what scripts hold, in megabytes. */
  async heapMb(): Promise<number> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return Math.round(usedSize / 1e5) / 10;
  }

  /** Number of elements in the document. */
  async elements(): Promise<number> {
    return (await this.page.evaluate('document.querySelectorAll("*").length')) as number;
  }
}

const CATEGORIES = ['disabled-by-default-devtools.timeline', '__metadata'];

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time of the thread, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** Processor time of the tasks of main threads of pages, in milliseconds. */
function tasksOf(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  return traceEvents
    .filter((event) => event.name === 'RunTask' && main.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1_000);
}

/** Resolves when a time that counts, such as "3 min 12 s", was written anew that often. */
export async function ticks(page: Page, times: number): Promise<void> {
  await page.locator('main time').first().waitFor({ state: 'attached' });
  await page.evaluate(`new Promise((resolve) => {
    let rest = ${times};
    new MutationObserver((_, observer) => {
      rest -= 1;
      if (rest > 0) return;
      observer.disconnect();
      resolve();
    }).observe(document.querySelector('main'), { subtree: true, characterData: true });
  })`);
}
