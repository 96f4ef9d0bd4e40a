import { silentLog } from '../src/lib/log.ts';
import { sleep, systemClock as clock } from '../src/lib/clock.ts';
import type { HttpCheckRequest } from '../src/monitor-types/http.ts';
import { createAddressGuard } from '../src/net/address-guard.ts';
import { createResolver } from '../src/net/resolver.ts';
import { createContentEvaluator } from '../src/probe/content/evaluator.ts';
import { createHttpProbe } from '../src/probe/http/http.ts';
import { startPageServer } from '../test/support/page-server.ts';
import { inChild } from './child.ts';
import { PLAIN_GET } from './plain-get.ts';
import { ms, percentile, report, type Figure } from './report.ts';
import { startTarget } from './target.ts';

const MIB = 1024 * 1024;
const DELAY_MS = 10;
const MOST_ERROR_MS = 5;
const EVERY_MS = 20;
const CHECKS = 500;
const LARGE_AT_ONCE = 2;
/** Equivalent to 8 monitors of such a page from 4 regions every 30 seconds. */
const SELDOM_MS = 1_000;

interface Measured {
  /** Difference of each check's reported response time from the target's, in milliseconds. */
  errors: number[];
  pages: number;
  seconds: number;
  peakBytes: number;
}

/**
 * Reported response time of a target that responds after 10 ms, checked every 20 ms: alone, while the same process
 * searches a page of 10 MiB for keywords every second, and while it does so as fast as it can. Runs in its own process,
 * as probes do.
 */
export async function run(): Promise<void> {
  const target = await startTarget();
  const pages = await startPageServer();
  const urls = {
    small: `http://127.0.0.1:${target.port}/after/${DELAY_MS}`,
    large: pages.url(10 * MIB),
  };
  const alone = await measureInChild({ ...urls, large: null, everyMs: 0 });
  const seldom = await measureInChild({ ...urls, everyMs: SELDOM_MS });
  const beside = await measureInChild({ ...urls, everyMs: 0 });
  await pages.close();
  target.stop();
  report('content', [
    ...errorFigures('alone', alone, MOST_ERROR_MS),
    ...errorFigures('beside a 10 MiB page a second', seldom, MOST_ERROR_MS),
    ...errorFigures('beside as many as there can be', beside),
    { name: '10 MiB pages searched', value: beside.pages / beside.seconds, unit: '/s' },
    { name: 'peak memory beside them', value: beside.peakBytes / MIB, unit: 'MiB' },
  ]);
}

function errorFigures(name: string, { errors }: Measured, most?: number): Figure[] {
  return [
    ms(`error of ${DELAY_MS} ms ${name}, median`, percentile(errors, 0.5)),
    ms(`error of ${DELAY_MS} ms ${name}, p99`, percentile(errors, 0.99), most),
  ];
}

interface Urls {
  small: string;
  /** Null: no other work. */
  large: string | null;
  /** Milliseconds between large pages; 0 for no pause and several at once. */
  everyMs: number;
}

function measureInChild(urls: Urls): Promise<Measured> {
  const execArgv = ['--max-semi-space-size=16'];
  return inChild<Measured>(import.meta.url, ['measure', JSON.stringify(urls)], { execArgv }).first;
}

async function measure({ small, large, everyMs }: Urls): Promise<Measured> {
  const evaluator = createContentEvaluator({ clock, log: silentLog });
  const probe = createHttpProbe({ evaluator });
  const context = {
    clock,
    resolver: createResolver({ clock }),
    guard: createAddressGuard(true),
    signal: new AbortController().signal,
  };
  const searches = { isOn: true };
  let pages = 0;
  const search = async (url: string): Promise<void> => {
    while (searches.isOn) {
      const { failure } = await probe({ ...request(url), content: KEYWORDS }, context);
      if (failure !== null) throw new Error(`A page failed: ${failure.text}`);
      pages++;
      if (everyMs > 0) await sleep(clock, everyMs);
    }
  };
  for (let count = 0; count < 20; count++) await probe(request(small), context);
  const searching =
    large === null
      ? []
      : Array.from({ length: everyMs > 0 ? 1 : LARGE_AT_ONCE }, () => search(large));
  const startedAt = clock.monotonic();
  const checks: Promise<number>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (checks.length === CHECKS) {
        clearInterval(timer);
        resolve();
      } else checks.push(errorOf(probe(request(small), context)));
    }, EVERY_MS);
  });
  const errors = await Promise.all(checks);
  const seconds = (clock.monotonic() - startedAt) / 1_000;
  searches.isOn = false;
  await Promise.all(searching);
  await evaluator.close();
  return { errors, pages, seconds, peakBytes: process.resourceUsage().maxRSS * 1_024 };
}

async function errorOf(check: ReturnType<ReturnType<typeof createHttpProbe>>): Promise<number> {
  const { responseTimeMs, failure } = await check;
  if (responseTimeMs === null) throw new Error(`A check has no time: ${failure?.text}`);
  return Math.abs(responseTimeMs - DELAY_MS);
}

const KEYWORDS: NonNullable<HttpCheckRequest['content']> = {
  kind: 'keyword',
  target: 'html',
  keywords: [
    { phrase: 'an end. a page', mode: 'must_contain', caseSensitive: false },
    { phrase: 'fatal error', mode: 'must_not_contain', caseSensitive: false },
  ],
};

function request(url: string): HttpCheckRequest {
  return { ...PLAIN_GET, monitorId: 1, timeoutMs: 30_000, url };
}

if (process.argv[2] === 'measure') {
  process.send!(await measure(JSON.parse(process.argv[3]!) as Urls));
  process.disconnect();
}
