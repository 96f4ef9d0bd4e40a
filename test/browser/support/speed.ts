import type { CDPSession, Page } from 'playwright-core';

/** How a page behaved since the record was last taken. */
export interface Speed {
  /** Longest task of the main thread in milliseconds; 0 where none took 50 ms, which is the least that browsers report. */
  longestTaskMs: number;
  /** Longest time from an input to the next frame, in milliseconds; 0 where none took 16 ms. */
  slowestInputMs: number;
}

/** Records long tasks and slow inputs, and when the first row of a list appears. */
const RECORDER = `(() => {
  const record = window.__record = { tasks: [], inputs: [], firstRowMs: null };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) record.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries()) if (interactionId) record.inputs.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  const look = () => {
    if (document.querySelector('[data-row]') === null) return requestAnimationFrame(look);
    record.firstRowMs = performance.now();
  };
  look();
})()`;

/** A page on a machine that many times slower, with a record of its speed. */
export class SlowPage {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** Call before the page is opened. */
  static async of(page: Page, slowdown: number): Promise<SlowPage> {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(RECORDER);
    return new SlowPage(page, session);
  }

  /** Time from the request of the page to the first row of its list, in milliseconds. */
  async firstRowMs(): Promise<number> {
    await this.page.locator('[data-row]').first().waitFor();
    return Math.round((await this.page.evaluate('window.__record.firstRowMs')) as number);
  }

  /** Returns the record and begins a new one, when the page has painted what was asked of it. */
  async take(): Promise<Speed> {
    await this.page.evaluate(TWO_FRAMES);
    const { tasks, inputs } = (await this.page.evaluate(
      '(({ tasks, inputs }) => ({ tasks: tasks.splice(0), inputs: inputs.splice(0) }))(window.__record)',
    )) as { tasks: number[]; inputs: number[] };
    return { longestTaskMs: longest(tasks), slowestInputMs: longest(inputs) };
  }

  /** Size of what scripts hold, in megabytes. */
  async heapMb(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#session.send('Runtime.getHeapUsage');
    return Math.round(usedSize / 1e5) / 10;
  }

  /** Number of elements in the document. */
  async elements(): Promise<number> {
    return (await this.page.evaluate('document.querySelectorAll("*").length')) as number;
  }
}

const longest = (values: readonly number[]) => Math.round(Math.max(0, ...values));

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

/** Observers are called after the frame. */
const TWO_FRAMES = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))`;
