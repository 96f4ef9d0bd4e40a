import { describe, expect, test } from 'vitest';
import { giveTeam } from '../../test/support/deliveries.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { updateRows } from '../../test/support/rows.ts';
import {
  insertAnnouncement,
  insertPage,
  insertServices,
  insertUpdate,
} from '../../test/support/status-pages.ts';
import { writePageImage } from '../store/resources/page-facts.ts';
import { createDocuments } from './documents.ts';
import type { DocumentRequest } from './facts/paths.ts';

const NOW = Date.UTC(2030, 0, 15, 12);
const HTML = 'text/html; charset=utf-8';

eachDatabase((_, open) => {
  async function openDocuments() {
    const database = await open();
    const team = await giveTeam(database);
    const pageId = await insertPage(database, { team_id: team, slug: 'harbour' });
    const monitor = await createMonitor(database, NOW - 86_400_000, {
      team_id: team,
      friendly_name: 'Shop',
      url: 'https://secret.example/path?token=1',
    });
    await insertServices(database, pageId, [{ id: monitor }]);
    const announcement = await insertAnnouncement(
      database,
      { team_id: team, started_at: NOW - 3_600_000, title: 'Slow answers' },
      { pages: [pageId], monitors: [monitor] },
    );
    await insertUpdate(database, announcement, { pages: [pageId], at: NOW, body: 'We look.' });
    const documents = createDocuments({
      database,
      clock: { now: () => NOW },
      installation: { canSubscribe: false, baseUrl: () => 'https://up.example.com' },
    });
    const show = async (request: DocumentRequest) => {
      const facts = await documents.read(pageId, request);
      return facts === null ? null : documents.render(request, facts);
    };
    return { database, pageId, monitor, announcement, show };
  }

  describe('each document of a page', () => {
    test('is rendered, with its type and without addresses of monitors [42.10]', async () => {
      const { monitor, announcement, show } = await openDocuments();
      const cases: [request: DocumentRequest, type: string, text: string][] = [
        [{ name: 'page' }, HTML, 'Slow answers'],
        [{ name: 'announcement', id: announcement }, HTML, 'We look.'],
        [{ name: 'month', month: '2030-01' }, HTML, 'Slow answers'],
        [{ name: 'embed', variant: 'card' }, HTML, '<!doctype html>'],
        [{ name: 'uncorrected' }, HTML, '<!doctype html>'],
        [{ name: 'summary' }, 'application/json; charset=utf-8', 'Slow answers'],
        [{ name: 'atom' }, 'application/atom+xml; charset=utf-8', 'Slow answers'],
        [{ name: 'rss' }, 'application/rss+xml; charset=utf-8', 'Slow answers'],
        [{ name: 'jsonFeed' }, 'application/feed+json; charset=utf-8', 'Slow answers'],
        [
          { name: 'badge', kind: 'status', monitorId: null },
          'image/svg+xml; charset=utf-8',
          '<svg',
        ],
        [
          { name: 'badge', kind: 'uptime', monitorId: monitor },
          'image/svg+xml; charset=utf-8',
          '<svg',
        ],
      ];
      for (const [request, type, text] of cases) {
        const document = await show(request);
        const body = document!.body.toString();
        expect([request, document!.type]).toEqual([request, type]);
        expect(body.toLowerCase()).toContain(text.toLowerCase());
        expect(body).not.toContain('secret.example');
      }
    });

    test('is missing where the page has none', async () => {
      const { monitor, announcement, show } = await openDocuments();
      for (const request of [
        { name: 'announcement', id: announcement + 1 },
        { name: 'month', month: '2029-01' },
        { name: 'badge', kind: 'status', monitorId: monitor + 1 },
        { name: 'image', image: 'logo' },
        { name: 'style' },
      ] satisfies DocumentRequest[])
        expect([request, await show(request)]).toEqual([request, null]);
    });

    test('logo and style are those of the page', async () => {
      const { database, pageId, show } = await openDocuments();
      const logo = Uint8Array.of(137, 80, 78, 71);
      await database.transaction((tx) =>
        writePageImage(
          tx,
          { id: pageId, images: '{}' },
          'logo',
          { type: 'image/png', hash: 'h', bytes: logo },
          0,
        ),
      );
      await updateRows(database, 'status_page', {
        settings: JSON.stringify({ custom_css: 'h1 { color: red }' }),
      });
      const shown = await show({ name: 'image', image: 'logo' });
      expect([shown!.type, [...shown!.body]]).toEqual(['image/png', [...logo]]);
      const style = await show({ name: 'style' });
      expect(style!.type).toBe('text/css; charset=utf-8');
      expect(style!.body.toString()).toMatch(/\.page[^]*h1[^]*color/);
    });
  });
});
