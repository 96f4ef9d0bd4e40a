import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { giveTeam } from '../../test/support/deliveries.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { updateRows } from '../../test/support/rows.ts';
import { insertPage } from '../../test/support/status-pages.ts';
import { silentLog } from '../lib/log.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import type { DocumentSet } from './documents.ts';
import type { DocumentRequest } from './facts/paths.ts';
import { createPages, type CacheLimits } from './pages.ts';

const PAGE: DocumentRequest = { name: 'page' };
const LIMITS: CacheLimits = { bytes: 1_000_000, pages: 100, sourcesPerPage: 10 };

/** Pages `p0`, `p1` and so on, whose documents tell how often they were read and rendered. */
async function openPages({ count = 1, limits = LIMITS, size = 10 } = {}) {
  const clock = createFakeClock();
  const database = await openInMemory({ clock });
  const team = await giveTeam(database);
  const ids: number[] = [];
  for (let index = 0; index < count; index++)
    ids.push(await insertPage(database, { team_id: team, slug: `p${index}` }));
  const world = { reads: 0, renders: 0, isAway: false, isBroken: false };
  const documents: DocumentSet = {
    sourceOf: (request) => ('id' in request ? `announcement ${request.id}` : 'page'),
    async read(pageId, request) {
      world.reads += 1;
      if (world.isAway) throw new DatabaseUnavailable('it is away');
      if ('id' in request && request.id !== 1) return null;
      const { name } = await database.read
        .selectFrom('status_page')
        .select('name')
        .where('id', '=', pageId)
        .executeTakeFirstOrThrow();
      return { page: { name }, read: world.reads };
    },
    changesAt: () => null,
    render(request, facts) {
      world.renders += 1;
      if (world.isBroken) throw new Error('broken');
      if (request.name === 'badge' && request.monitorId !== null) return null;
      const { page } = facts as { page: { name: string } };
      return {
        type: 'text/html',
        body: Buffer.from(`${page.name} at ${clock.monotonic()}`.padEnd(size)),
      };
    },
  };
  const pages = createPages({ database, clock, log: silentLog, documents, limits });
  pages.start();
  await clock.settle();
  /** Views a document while the clock stands still. */
  const view = async (slug = 'p0', request = PAGE) => {
    const viewing = pages.document(slug, request);
    await clock.settle();
    return (await viewing)?.body.toString().trim() ?? null;
  };
  const rename = (index: number, name: string) =>
    updateRows(database, 'status_page', { name }, { id: ids[index]! });
  return { pages, clock, database, ids, world, view, rename };
}

describe('a page', () => {
  test('is read and rendered once, however often and at once it is viewed [42.12]', async () => {
    const { pages, clock, world, view } = await openPages();
    const viewing = Promise.all(Array.from({ length: 50 }, () => pages.document('p0', PAGE)));
    await clock.settle();
    const [first, ...others] = await viewing;
    expect(others.every((other) => other === first)).toBe(true);
    for (let index = 0; index < 10; index++) await view();
    expect(pages.ready('p0', PAGE)).toBe(first);
    expect(world).toMatchObject({ reads: 1, renders: 1 });
  });

  test('is rendered again once after a change; meanwhile visitors get the former version [42.12]', async () => {
    const { pages, clock, world, view, rename } = await openPages();
    expect(await view()).toBe('Harbour at 0');
    await rename(0, 'New');
    await clock.advance(600);
    expect(pages.ready('p0', PAGE)).toBeUndefined();
    const viewing = await Promise.all([pages.document('p0', PAGE), pages.document('p0', PAGE)]);
    expect(viewing.map((one) => one!.body.toString().trim())).toEqual(
      Array(2).fill('Harbour at 0'),
    );
    await clock.settle();
    expect(await view()).toBe('New at 600');
    expect(world).toMatchObject({ reads: 2, renders: 2 });
  });

  test('stays when a visitor looks at more incidents and months than are kept', async () => {
    const { world, view } = await openPages({ limits: { ...LIMITS, sourcesPerPage: 1 } });
    await view();
    await view('p0', { name: 'announcement', id: 1 });
    await view();
    expect(world.reads).toBe(2);
  });

  test('is not read again for changes of other pages', async () => {
    const { clock, world, view, rename } = await openPages({ count: 2 });
    await view();
    await rename(1, 'New');
    await clock.advance(600);
    await view();
    expect(world.reads).toBe(1);
  });

  test('is read again each minute while it is viewed, and not otherwise [42.13]', async () => {
    const { clock, world, view } = await openPages();
    await view();
    await clock.advance(59_000);
    await view();
    expect(world.reads).toBe(1);
    await clock.advance(1_000);
    expect(await view()).toBe('Harbour at 0');
    expect(await view()).toBe('Harbour at 60000');
    await clock.advance(3_600_000);
    expect(world.reads).toBe(2);
  });

  test('has the access of its settings within a minute, even if the change was not seen', async () => {
    const { pages, clock, database, view } = await openPages();
    await view();
    await updateRows(database, 'status_page', { access_type: 'members' });
    await database.transaction((tx) => tx.deleteFrom('status_page_change').execute());
    await clock.advance(60_000);
    await view();
    expect(pages.findAny('p0')).toMatchObject({ access: { type: 'members' } });
  });

  test('that was not viewed for long is read before it is shown [42.13]', async () => {
    const { clock, world, view } = await openPages();
    await view();
    await clock.advance(3_600_000);
    expect(await view()).toBe('Harbour at 3600000');
    expect(world.reads).toBe(2);
  });

  test('is shown with the present time while the database is away [42.14]', async () => {
    const { clock, world, view } = await openPages();
    await view();
    world.isAway = true;
    await clock.advance(3_600_000);
    expect(await view()).toBe('Harbour at 3600000');
    await clock.advance(15_001);
    expect(await view()).toBe('Harbour at 3615001');
    world.isAway = false;
    await clock.advance(15_001);
    expect(await view()).toBe('Harbour at 3630002');
  });

  test('that nobody knows yet fails while the database is away, and is there afterwards', async () => {
    const { pages, clock, world, view } = await openPages();
    world.isAway = true;
    const viewing = expect(pages.document('p0', PAGE)).rejects.toThrow(DatabaseUnavailable);
    await clock.settle();
    await viewing;
    world.isAway = false;
    expect(await view()).toBe('Harbour at 0');
  });

  test('stays as it was where it can not be rendered', async () => {
    const { clock, world, view, rename } = await openPages();
    await view();
    world.isBroken = true;
    await rename(0, 'New');
    await clock.advance(600);
    await view();
    expect(await view()).toBe('Harbour at 0');
  });

  test('is gone within a second of its deletion, and at another address after a change of its slug [42.15]', async () => {
    const { pages, clock, database, ids, view } = await openPages({ count: 2 });
    await view('p0');
    await view('p1');
    await updateRows(database, 'status_page', { slug: 'other' }, { id: ids[0]! });
    await database.transaction((tx) =>
      tx.deleteFrom('status_page').where('id', '=', ids[1]!).execute(),
    );
    await clock.advance(600);
    expect([await view('p0'), await view('p1')]).toEqual([null, null]);
    expect(await view('other')).toBe('Harbour at 600');
    expect(pages.size().pages).toBe(1);
  });
});

describe('an address without a document', () => {
  test('is asked for once in two seconds, and nothing of it is kept [42.16]', async () => {
    const { pages, clock, world, view } = await openPages({ size: 2_000 });
    expect(await view('p0', { name: 'announcement', id: 1 })).toBe('Harbour at 0');
    const before = pages.size().bytes;
    for (let index = 0; index < 5; index++)
      expect(await view('p0', { name: 'announcement', id: 2 })).toBeNull();
    expect(world.reads).toBe(2);
    expect(await view('nobody')).toBeNull();
    expect(await view('p0', { name: 'badge', kind: 'status', monitorId: 9 })).toBeNull();
    // Words that visitors invent for a badge do not fill the memory.
    const invented = { name: 'badge', kind: 'status', monitorId: null, label: 'x' } as const;
    expect(await view('p0', invented)).toBe('Harbour at 0');
    expect(pages.size().pages).toBe(1);
    expect(pages.size().bytes - before).toBeLessThan(1_000);
    await clock.advance(2_000);
    await view('p0', { name: 'announcement', id: 2 });
    expect(world.reads).toBe(4);
  });
});

describe('memory', () => {
  test('is bounded by the number of pages: those viewed last stay [42.17]', async () => {
    const { pages, world, view } = await openPages({ count: 4, limits: { ...LIMITS, pages: 3 } });
    for (const slug of ['p0', 'p1', 'p2', 'p0', 'p3']) await view(slug);
    expect(pages.size().pages).toBe(3);
    await view('p0');
    expect(world.reads).toBe(4);
    await view('p1');
    expect(world.reads).toBe(5);
  });

  test('is bounded by bytes [42.17]', async () => {
    const { pages, view } = await openPages({
      count: 10,
      size: 10_000,
      limits: { ...LIMITS, bytes: 35_000 },
    });
    for (let index = 0; index < 10; index++) await view(`p${index}`);
    expect(pages.size().pages).toBe(3);
    expect(pages.size().bytes).toBeLessThanOrEqual(35_000);
  });
});

test('a change of 200 pages that are all viewed at once renders each once [42.18]', async () => {
  const count = 200;
  const { pages, clock, database, world, view } = await openPages({
    count,
    limits: { ...LIMITS, pages: count },
  });
  for (let index = 0; index < count; index++) await view(`p${index}`);
  await updateRows(database, 'status_page', { name: 'New' });
  await clock.advance(600);
  for (let round = 0; round < 3; round++) {
    const viewing = Promise.all(
      Array.from({ length: count }, (_, index) => pages.document(`p${index}`, PAGE)),
    );
    await clock.settle();
    await viewing;
  }
  expect(world).toMatchObject({ reads: 2 * count, renders: 2 * count });
  expect(await view('p7')).toBe('New at 600');
});

test('domains are those that are verified [42.19]', async () => {
  const { pages, clock, database, ids } = await openPages({ count: 2 });
  const set = async (index: number, columns: object) => {
    await updateRows(database, 'status_page', columns, { id: ids[index]! });
    await clock.advance(600);
  };
  expect(pages.hasNoDomains).toBe(true);
  await set(0, { custom_domain: 'status.example.com' });
  expect(pages.slugOfDomain('status.example.com')).toBeUndefined();
  await set(0, { domain_verified_at: 1 });
  expect(pages.slugOfDomain('status.example.com')).toBe('p0');
  await set(0, { slug: 'moved' });
  expect(pages.slugOfDomain('status.example.com')).toBe('moved');
  await set(0, { domain_verified_at: null });
  await set(1, { custom_domain: 'status.example.com', domain_verified_at: 1 });
  expect(pages.slugOfDomain('status.example.com')).toBe('p1');
  await set(1, { custom_domain: null, domain_verified_at: null });
  expect(pages.hasNoDomains).toBe(true);
});
