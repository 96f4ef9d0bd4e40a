import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInChild } from '../../../test/support/checking-child.ts';
import { startPageServer } from '../../../test/support/page-server.ts';
import type { PageServer } from '../../../test/support/page-server.ts';
import { httpCheck } from '../../../test/support/probing.ts';
import type { ContentCheck } from '../../model/content.ts';

const MIB = 1024 * 1024;
/** Memory limit of a probe process, including its runtime of some 70 MiB. */
const MAX_BYTES = 300 * MIB;

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());

const contains = (phrase: string, target: 'html' | 'text'): ContentCheck => ({
  kind: 'keyword',
  target,
  keywords: [{ phrase, mode: 'must_contain', caseSensitive: false }],
});

describe('a probe process', () => {
  test.each([
    ['endless pages, 200 at a time', 10_000, 200, {}, 'up'],
    [
      'endless pages whose content is checked, 100 at a time',
      300,
      100,
      { content: contains('an end', 'html') },
      'down response_too_large',
    ],
  ])(
    'keeps its memory with %s',
    async (_name, count, concurrency, more, end) => {
      const request = httpCheck(server.url(null), { timeoutMs: 60_000, ...more });
      const done = await checkInChild({ request, count, concurrency });
      expect(done.ends).toEqual({ [end]: count });
      expect(done.peakBytes).toBeLessThan(MAX_BYTES);
    },
    600_000,
  );

  test(
    'goes on measuring while pages of 10 MiB are searched [17.16]',
    { timeout: 180_000 },
    async () => {
      const content = contains('an end. A page', 'text');
      const request = httpCheck(server.url(10 * MIB), { timeoutMs: 30_000, content });
      const done = await checkInChild({ request, count: 8, concurrency: 8 });
      expect(done.ends).toEqual({ up: 8 });
      expect(done.longestBusyMs).toBeLessThan(100);
    },
  );
});
