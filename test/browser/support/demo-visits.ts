import { afterAll, beforeAll } from 'vitest';
import { browser } from '../../support/chromium.ts';
import { OWNER, PASSWORD, serveDemo, type ServedDemo } from './demo.ts';
import { visit, type Visit, type VisitOptions } from './visit.ts';

/** The demo of a test file, and visits of it. */
export interface DemoVisits {
  served: () => ServedDemo;
  /** Opens a browser of its own for a person: the owner unless `as` says another one, or null for a visitor. */
  visitDemo: (options?: Partial<Omit<VisitOptions, 'url'>>) => Promise<Visit>;
}

/** Serves the demo to the tests of a file. @param more further monitors to add, for long lists */
export function useDemo({ more = 0 } = {}): DemoVisits {
  const open = browser();
  let demo: ServedDemo;
  beforeAll(async () => {
    demo = await serveDemo({ more });
  });
  afterAll(() => demo.close());
  return {
    served: () => demo,
    visitDemo: async (options) =>
      visit(await open(), { url: demo.url, as: { email: OWNER, password: PASSWORD }, ...options }),
  };
}
