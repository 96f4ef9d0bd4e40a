/** Time between two attempts to reach the server. */
const RETRY_MS = 1_000;
/** Age of a document that was loaded again, below which another reload changes nothing. */
const FRESH_MS = 10_000;

/** What a load needs of the browser. */
export interface Surroundings {
  /** Whether the server answers at all. */
  isReachable: () => Promise<boolean>;
  /** Loads the document again and never resolves; rejects in a document that was just loaded again. */
  reload: (error: unknown) => Promise<never>;
}

/**
 * Makes a load for `React.lazy` that outlasts an absence of the server: a load that fails is repeated once the server answers, and
 * the fallback of `Suspense` stays until then. Browsers remember failed modules, and after an update files have other names, so a
 * second failure loads the document again, at the address that was asked for.
 */
export function whenReachable<T>(
  load: () => Promise<T>,
  { isReachable, reload }: Surroundings = BROWSER,
): () => Promise<T> {
  return async () => {
    try {
      return await load();
    } catch {
      while (!(await isReachable())) await new Promise((next) => setTimeout(next, RETRY_MS));
      return load().catch(reload);
    }
  };
}

const BROWSER: Surroundings = {
  isReachable: () =>
    fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  reload: (error) => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (visit?.type === 'reload' && performance.now() < FRESH_MS) return Promise.reject(error);
    location.reload();
    return new Promise(() => {});
  },
};
