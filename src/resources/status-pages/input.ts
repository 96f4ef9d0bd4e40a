import type { Kysely } from 'kysely';
import { checkCss } from '../../status-page/text/css.ts';
import type { Schema } from '../../store/database/schema.ts';
import { existingMonitors } from '../../store/resources/scoped-monitors.ts';
import { isSlugTaken } from '../../store/resources/status-pages.ts';
import { applyInput, inputReader, requireFields } from '../common/fields.ts';
import type { Findings } from '../common/input.ts';
import { accessAfter, accessInput, type PageAccess } from './access.ts';
import { ARRANGEMENT_INPUT, arrangementAfter, NOTHING, type Arrangement } from './arrangement.ts';
import { DEFAULT_SETTINGS, mergedSettings, PAGE_FIELDS, type PageFields } from './fields.ts';

/** Maximum number of problems of CSS that are reported. */
const MAX_CSS_PROBLEMS = 20;

export const SLUG_TAKEN =
  'must be unique in the installation: another status page has it, maybe one of another team';

/** Settings of a page as people send them. */
export interface PageContent {
  fields: PageFields;
  access: PageAccess;
  arrangement: Arrangement;
}

/** A stored page. */
export interface StoredPage {
  id: number;
  page: PageContent;
}

/** A request that was read, with its errors so far. */
export interface PageInput {
  input: ReturnType<typeof readPageInput>;
  /** Of the password that was sent; null where none was. */
  hash: string | null;
  findings: Findings;
  /** Public address of this installation. */
  baseUrl: string;
}

/** Reads the body of a request. */
export const readPageInput = inputReader(PAGE_FIELDS, {
  ...ARRANGEMENT_INPUT,
  access: accessInput().nullish(),
});

/**
 * The page that a request asks for. It is of use only when nothing was found. The slug of a new page is empty unless it
 * was sent.
 */
export async function pageAfter(
  db: Kysely<Schema>,
  teamId: number,
  stored: StoredPage | null,
  { input, hash, findings, baseUrl }: PageInput,
): Promise<PageContent> {
  const { monitors, groups, access: sentAccess, ...sent } = input;
  requireFields(PAGE_FIELDS, sent, stored === null, findings);
  const former = stored?.page ?? null;
  const settings =
    sent.settings == null
      ? sent.settings
      : mergedSettings(former?.fields.settings ?? DEFAULT_SETTINGS, sent.settings);
  const fields = applyInput(PAGE_FIELDS, former?.fields ?? null, {
    ...sent,
    ...(settings !== undefined && { settings }),
    // An address that visitors know is never unset.
    slug: sent.slug ?? former?.fields.slug ?? '',
  });
  await checkFields(db, fields, stored, { findings, baseUrl });
  const access = accessAfter(former?.access ?? null, sentAccess, hash, findings);
  const arrangement = arrangementAfter(
    former?.arrangement ?? NOTHING,
    { monitors, groups },
    findings,
  );
  if (monitors != null && !findings.has('monitors')) {
    const known = await existingMonitors(
      db,
      teamId,
      monitors.map(({ id }) => id),
    );
    for (const [index, { id }] of monitors.entries())
      if (!known.has(id))
        findings.add(`monitors.${index}.id`, 'must be the id of a monitor of your team');
  }
  return { fields, access, arrangement };
}

async function checkFields(
  db: Kysely<Schema>,
  fields: PageFields,
  stored: StoredPage | null,
  { findings, baseUrl }: Pick<PageInput, 'findings' | 'baseUrl'>,
): Promise<void> {
  const { slug, custom_domain: domain, settings } = fields;
  const before = stored?.page.fields;
  const isNewSlug = slug !== '' && slug !== before?.slug;
  if (isNewSlug && (await isSlugTaken(db, slug, stored?.id ?? null)))
    findings.add('slug', SLUG_TAKEN);
  if (domain !== null && domain === new URL(baseUrl).hostname)
    findings.add('custom_domain', 'must not be the host of this installation');
  const { custom_css: css } = settings;
  if (css === null || css === before?.settings.custom_css) return;
  for (const problem of checkCss(css).slice(0, MAX_CSS_PROBLEMS))
    findings.add('settings.custom_css', `is not accepted: ${problem.replace(/\.$/, '')}`);
}
