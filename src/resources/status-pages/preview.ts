import { z } from 'zod';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { imagesOf } from '../../store/resources/page-facts.ts';
import type { PageBrand, PageIdentity, PageSettings } from '../../status-page/facts/model.ts';
import { readUnsavedFacts, waysOffered } from '../../status-page/read-facts.ts';
import { assetPath } from '../../status-page/render/assets.ts';
import { ownCss } from '../../status-page/render/brand.ts';
import { renderPage } from '../../status-page/render/page.ts';
import { changeSchema } from '../common/fields.ts';
import { readBody } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { placed, type Arrangement } from './arrangement.ts';
import { pageFields } from './fields.ts';
import { statusPages } from './status-pages.ts';

const UNKNOWN_PAGE = 'must be the id of a status page of your team';

const stored = z.object({
  id: z
    .int({ error: UNKNOWN_PAGE })
    .nullish()
    .meta({ description: 'A page of the team: what is left out is as it is stored.' }),
});

const previewInput = changeSchema(pageFields).extend(stored.shape);

type PageDeps = Parameters<typeof statusPages.create>[0];

/** Shows pages as they would be with settings that are not saved. */
function createPreview(
  deps: PageDeps & { database: Database; mailQueue: Pick<MailQueue, 'isConfigured'> },
) {
  const { database, clock, baseUrl, mailQueue } = deps;
  const pages = statusPages.create(deps);

  return async ({ caller, body }: Call) => {
    const { id } = readBody(stored, body);
    const now = clock.now();
    // Nothing is written: a connection that reads suffices.
    const tx = database.read as Tx;
    const scope = { tx, caller, now, deps, early: null };
    const { row, settings } = await pages.tried(scope, body, id ?? null);
    const { groups, services } = placed(settings as unknown as Arrangement);
    const page: PageIdentity = {
      ...settings,
      settings: settings.settings as PageSettings,
      brand: settings.brand as PageBrand,
      id: row?.id ?? 0,
      // Its images are where the page is now.
      slug: row?.slug ?? settings.slug,
      teamId: caller.team.id,
      customDomain: null,
      baseUrl: baseUrl(),
      images: row === null ? {} : imagesOf(row),
      isDraft: settings.draft,
      access: 'public',
      subscribeBy: waysOffered(settings.subscribe_by, {
        email: mailQueue.isConfigured,
        sms: settings.sms_channel_id !== null,
      }),
    };
    const facts = await readUnsavedFacts(
      database,
      page,
      services
        .toSorted((a, b) => a.position - b.position)
        .map(({ monitor_id, label, display, group }) => ({
          monitor_id,
          label,
          display,
          group_name: group === null ? null : groups[group]!,
        })),
      now,
    );
    const fonts = `${new URL(baseUrl()).pathname.replace(/\/$/, '')}/status/${assetPath('')}`;
    return { html: renderPage(facts, now, false), css: ownCss(page, fonts) };
  };
}

/** Preview of a status page with settings that are not saved. */
export const previewStatusPage = noun('Status pages', createPreview, {
  previewStatusPage: {
    at: 'POST /status-pages/preview',
    needs: 'update',
    summary: 'Preview a status page',
    description:
      'Renders the page as visitors would see it with these settings, and saves nothing. Links in `html` are relative to `/status/` of this installation; the style sheet of the page, which it links, is `css`.',
    refusals: ['not_found'],
    body: previewInput,
    answer: z.object({ html: z.string(), css: z.string() }),
    example: {
      body: { name: 'Acme status', brand: { accent: '#0a7d4f' } },
      answer: { html: '<!doctype html>…', css: ':root{--accent:#0a7d4f}…' },
    },
  },
});
