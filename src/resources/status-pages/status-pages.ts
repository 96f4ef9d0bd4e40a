import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { PasswordQueue } from '../../identity/password.ts';
import { text } from '../../lib/schemas.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import { PAGE_IMAGES, type PageImageName, type PageImages } from '../../model/page-images.ts';
import { proofOf } from '../../status-page/domains.ts';
import { DEFAULT_BRAND, DISPLAYS } from '../../status-page/facts/model.ts';
import { addressOf, DOCUMENTS } from '../../status-page/facts/urls.ts';
import { checkCss } from '../../status-page/text/css.ts';
import { contains } from '../../store/database/dialect.ts';
import type { Db } from '../../store/database/contract.ts';
import { findRow } from '../../store/database/rows.ts';
import { idsOfTeam } from '../../store/resources/scoped-monitors.ts';
import { imagesOf } from '../../store/resources/page-facts.ts';
import { slugOf } from '../../store/resources/slug.ts';
import { isSmsChannel } from '../../store/resources/alert-channels.ts';
import {
  readArrangements,
  replaceArrangement,
  selectStatusPages,
  type StatusPageRow,
} from '../../store/resources/status-pages.ts';
import { collection, type CollectionDeps, type Scope } from '../common/collection.ts';
import { viewSettings } from '../common/fields.ts';
import { Findings, readBody } from '../common/input.ts';
import type { Call } from '../common/operation.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { isoOrNull } from '../common/time.ts';
import { urlOf, type ViewDeps } from '../monitors/view.ts';
import {
  accessAfter,
  accessColumns,
  accessInput,
  accessOf,
  accessOutput,
  newPassword,
  viewAccess,
  type PageAccess,
} from './access.ts';
import {
  arrangementAfter,
  arrangementOf,
  placed,
  showAutomaticOutput,
  type Arrangement,
} from './arrangement.ts';
import {
  DEFAULT_SETTINGS,
  mergedKeys,
  NO_SMS_CHANNEL,
  pageFields,
  type StatusPageSettings,
} from './fields.ts';

/** Maximum number of status pages per team. */
export const MAX_STATUS_PAGES = 100;
/** Maximum number of problems of CSS that are reported. */
const MAX_CSS_PROBLEMS = 20;

const SLUG_TAKEN =
  'must be unique in the installation: another status page has it, maybe one of another team';

interface PageDeps extends CollectionDeps, ViewDeps {
  passwords: Pick<PasswordQueue, 'hash'>;
}

const service = z
  .object({
    monitor_id: z.int(),
    label: textOrNull.meta({ description: 'Null for the name of the monitor.' }),
    display: z.enum(DISPLAYS),
    show_automatic: showAutomaticOutput()
      .nullable()
      .meta({ description: 'Null for `show_automatic` of the page.' }),
    monitor_url: z.string().meta({ description: 'Never shown on the page.' }),
    monitor_status: z.enum(MONITOR_STATUSES),
  })
  .meta({ id: 'StatusPageService', description: 'A monitor on a status page.' });

const timeOrNull = (description: string) => time.nullable().meta({ description });

const IMAGE_URLS = {
  logo_url: z.url().nullable(),
  logo_dark_url: z.url().nullable().meta({ description: 'Logo for dark paper.' }),
  favicon_url: z.url().nullable().meta({
    description: 'Icon of the tab. Without one, the icon shows the state of the page.',
  }),
  social_image_url: z.url().nullable().meta({
    description: 'Picture that other programs show with a link to the page; by default the logo.',
  }),
} satisfies Record<`${PageImageName}_url`, z.ZodType>;

const domain = z
  .object({
    verified_at: timeOrNull('Null while it is not verified.'),
    checked_at: timeOrNull('When its records were last looked up.'),
    next_check_at: timeOrNull('Null once verification has ended without success.'),
    last_error: textOrNull.meta({ description: 'Why the last verification failed.' }),
    records: z
      .array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() }))
      .meta({ description: 'DNS records that prove the domain. One of them is enough.' }),
    target: z.string().meta({
      description: 'Host that the domain itself has to lead to, by CNAME, ALIAS or its addresses.',
    }),
  })
  .meta({ id: 'StatusPageDomain', description: 'Verification of a custom domain.' });

/** Pages on which visitors see how some monitors of a team are doing. */
export const statusPages = collection({
  noun: 'status page',
  tag: 'Status pages',
  path: '/status-pages',
  verbs: ['domain_checked', 'subscribers_imported'],
  table: 'status_page',
  meaning: 'Page on which visitors see how some monitors are doing.',
  fields: pageFields,
  order: [],
  pages: {
    query: {
      search: text(255).optional().meta({ description: 'Part of a name or slug, in any case.' }),
    },
    sorts: ['created_at', 'title', 'slug', 'updated_at'],
    columns: { title: 'name' },
    filter: (rows, { search }, engine) =>
      search === undefined
        ? rows
        : rows.where(({ or, ref }) =>
            or([
              contains(engine, ref('status_page.name'), search),
              contains(engine, ref('status_page.slug'), search),
            ]),
          ),
  },
  most: MAX_STATUS_PAGES,
  says: {
    create: `The page is public at once unless \`access\` says otherwise. A team has at most ${MAX_STATUS_PAGES} pages.`,
    update:
      'Only fields that are present change. `monitors` and `groups` replace their lists; within `settings` and `access`, keys that are left out stay.',
    delete: 'Deletes its subscribers, too. Its monitors and incidents stay.',
  },
  example: {
    name: 'Acme status',
    description: 'Current state of the services of Acme.',
    custom_domain: 'status.acme.example',
    monitors: [{ id: 1, label: 'Website' }],
    groups: [{ name: 'Shop', monitors: [1] }],
  },
  change: { settings: { show_response_time: false } },
  more: {
    byItself: [
      'domain_verified',
      'domain',
      'warnings',
      'services.monitor_url',
      'services.monitor_status',
    ],
    shape: {
      url: z
        .url()
        .meta({ description: 'Public address: on the custom domain once it is verified.' }),
      ...IMAGE_URLS,
      domain_verified: z.boolean(),
      domain: domain.nullable().meta({ description: 'Null without a custom domain.' }),
      access: accessOutput,
      services: z.array(service).meta({
        description:
          'As they were sent. On the page, those without a group come first, then group by group.',
      }),
      groups: z.array(z.object({ name: z.string(), monitors: z.array(z.int()) })),
      warnings: z
        .array(z.string())
        .meta({ description: 'Probable mistakes, such as a page without services.' }),
    },
    example: {
      slug: 'acme-status',
      url: 'https://up.example.com/status/acme-status',
      logo_url: null,
      logo_dark_url: null,
      favicon_url: null,
      social_image_url: null,
      domain_verified: false,
      domain: {
        verified_at: null,
        checked_at: null,
        next_check_at: '2030-01-01T00:00:00.000Z',
        last_error: null,
        records: [
          {
            type: 'TXT',
            name: '_tocsin.status.acme.example',
            value: 'tocsin-verification=5f0c3a7e9b1d4c6f8a2e0b7d9c4f1a63',
          },
          {
            type: 'CNAME',
            name: '_tocsin.status.acme.example',
            value: '5f0c3a7e9b1d4c6f8a2e0b7d9c4f1a63.up.example.com',
          },
        ],
        target: 'up.example.com',
      },
      access: { type: 'public', addresses: [], password_set: false },
      services: [
        {
          monitor_id: 1,
          label: 'Website',
          display: 'bar',
          show_automatic: null,
          monitor_url: 'https://example.com',
          monitor_status: 'pending',
        },
      ],
      groups: [{ name: 'Shop', monitors: [1] }],
      warnings: [
        'status.acme.example is not verified yet: set one of the records in domain.records.',
      ],
    },
    changed: { settings: { ...DEFAULT_SETTINGS, show_response_time: false } },
    view: viewMore,
    exported: viewMore,
  },
  select: selectStatusPages,
  // The verification of its domain locks the page alone.
  locks: true,

  async apart(db, rows) {
    const all = await readArrangements(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const { monitors, groups } = arrangementOf(row.id, all);
      return { access: accessOf(row), monitors, groups };
    });
  },

  /** The hash is masked under its name, `password`. */
  audited(settings) {
    const { access, monitors, groups } = settings;
    const { type, addresses, password } = access as PageAccess;
    return {
      ...viewSettings(pageFields, settings),
      access: { type, addresses },
      password,
      monitors,
      groups,
    };
  },

  /** The hash of the password that was sent; null where none was. */
  async early({ caller, body }: Call, { passwords }: PageDeps) {
    const wanted = z.object({ access: accessInput().nullish() });
    const password = newPassword(readBody(wanted, body, new Findings()).access);
    return password === null ? null : passwords.hash(password, caller.address);
  },

  async given({ tx, early: hash }, { id, stored, input, findings }) {
    const { settings, brand, slug, access } = input;
    // One that is made of the name is not judged again: who takes it meanwhile makes the write begin anew.
    if (slug != null && slug !== stored?.slug && (await isSlugTaken(tx, slug, id)))
      findings.add('slug', SLUG_TAKEN);
    return {
      ...input,
      ...(settings != null && {
        settings: mergedKeys(DEFAULT_SETTINGS, stored?.settings ?? DEFAULT_SETTINGS, settings),
      }),
      ...(brand != null && {
        brand: mergedKeys(DEFAULT_BRAND, stored?.brand ?? DEFAULT_BRAND, brand),
      }),
      // An address that visitors know is never unset.
      slug: slug ?? stored?.slug ?? (await freeSlug(tx, input.name ?? '')),
      access: accessAfter(stored?.access as PageAccess | null, access, hash, findings),
      ...arrangementAfter(stored as Arrangement | null, input, findings),
    };
  },

  async check(
    { tx, caller, deps }: Scope<PageDeps, string | null>,
    { settings, stored, findings },
  ) {
    const { custom_domain: host, settings: shown, monitors, sms_channel_id: channel } = settings;
    if (host !== null && host === new URL(deps.baseUrl()).hostname)
      findings.add('custom_domain', 'must not be the host of this installation');
    const { custom_css: css } = shown;
    if (css != null && css !== stored?.settings.custom_css)
      for (const problem of checkCss(css).slice(0, MAX_CSS_PROBLEMS))
        findings.add('settings.custom_css', `is not accepted: ${problem.replace(/\.$/, '')}`);
    if (channel !== null && channel !== stored?.sms_channel_id) {
      if (!(await isSmsChannel(tx, caller.team.id, channel)))
        findings.add('sms_channel_id', NO_SMS_CHANNEL);
    }
    if (isDeepStrictEqual(monitors, stored?.monitors)) return;
    const ids = monitors.map((one) => one.id);
    const known = await idsOfTeam(tx, 'monitor', caller.team.id, ids);
    for (const [index, monitor] of ids.entries())
      if (!known.has(monitor))
        findings.add(`monitors.${index}.id`, 'must be the id of a monitor of your team');
  },

  columns({ now }, { before, after, row }) {
    const isOtherAccess = !isDeepStrictEqual(after.access, before?.access);
    const isOtherDomain = after.custom_domain !== (before?.custom_domain ?? null);
    return {
      ...accessColumns(after.access as PageAccess),
      ...(row !== null && isOtherAccess && { access_version: row.access_version + 1 }),
      ...(isOtherDomain && domainColumns(after.custom_domain, now)),
    };
  },

  async changed({ tx }, { id, before, after }) {
    const [former, wanted] = [before, after] as (Arrangement | null)[];
    if (wanted == null || isSameArrangement(former, wanted)) return;
    await replaceArrangement(tx, id, placed(wanted));
  },
});

function isSameArrangement(one: Arrangement | null | undefined, other: Arrangement): boolean {
  return (
    isDeepStrictEqual(one?.monitors ?? [], other.monitors) &&
    isDeepStrictEqual(one?.groups ?? [], other.groups)
  );
}

async function viewMore(rows: readonly StatusPageRow[], { db, deps }: { db: Db; deps: PageDeps }) {
  const ids = rows.map(({ id }) => id);
  const all = await readArrangements(db, ids);
  return rows.map((row) => moreOf(row, arrangementOf(row.id, all), deps));
}

function moreOf(
  row: StatusPageRow,
  { rows, monitors, groups }: ReturnType<typeof arrangementOf>,
  deps: ViewDeps,
) {
  const isVerified = row.domain_verified_at !== null;
  const place = { customDomain: isVerified ? row.custom_domain : null, slug: row.slug };
  return {
    url: addressOf(place, DOCUMENTS.page(row.slug), deps.baseUrl()),
    ...imageUrls(imagesOf(row), place, deps.baseUrl()),
    domain_verified: isVerified,
    domain: viewDomain(row, deps.baseUrl()),
    access: viewAccess(accessOf(row)),
    services: rows.map((one, index) => ({
      monitor_id: one.monitor_id,
      label: one.label,
      display: one.display,
      show_automatic: monitors[index]!.show_automatic,
      monitor_url: urlOf(
        { team_id: row.team_id, url: one.monitor_url, ping_token: one.monitor_ping_token },
        deps,
      ),
      monitor_status: one.monitor_status,
    })),
    groups,
    warnings: [
      ...(rows.length === 0 ? ['This page shows no service: add monitors.'] : []),
      ...(row.custom_domain !== null && !isVerified
        ? [`${row.custom_domain} is not verified yet: set one of the records in domain.records.`]
        : []),
      ...(row.sms_channel_id === null && row.subscribe_by.includes('"sms"')
        ? ['Subscribing by SMS is not offered: choose a channel that sends, in sms_channel_id.']
        : []),
    ],
  };
}

/** Addresses of the images of a page, which change with them: `logo_url` and so on. */
function imageUrls(
  images: PageImages,
  place: { customDomain: string | null; slug: string },
  baseUrl: string,
) {
  const urls = PAGE_IMAGES.map((name) => {
    const image = images[name];
    const url = addressOf(place, DOCUMENTS.image(place.slug, name), baseUrl);
    return [`${name}_url`, image === undefined ? null : `${url}?v=${image.hash.slice(0, 8)}`];
  });
  return Object.fromEntries(urls) as Record<`${PageImageName}_url`, string | null>;
}

/** State of the verification of a custom domain; null without one. */
function viewDomain(row: StatusPageRow, baseUrl: string) {
  if (row.custom_domain === null || row.domain_token === null) return null;
  const host = new URL(baseUrl).hostname;
  const { name, text: value, alias } = proofOf(row.custom_domain, row.domain_token, host);
  return {
    verified_at: isoOrNull(row.domain_verified_at),
    checked_at: isoOrNull(row.domain_checked_at),
    next_check_at: isoOrNull(row.domain_next_at),
    last_error: row.domain_error,
    records: [
      { type: 'TXT', name, value },
      ...(alias === null ? [] : [{ type: 'CNAME', name, value: alias }]),
    ],
    target: host,
  };
}

/** Columns of a domain that has just been set, due for verification at once. */
function domainColumns(name: StatusPageSettings['custom_domain'], now: number) {
  return {
    domain_token: name === null ? null : randomBytes(16).toString('hex'),
    domain_verified_at: null,
    domain_checked_at: null,
    domain_error: null,
    domain_failing_since: name === null ? null : now,
    domain_next_at: name === null ? null : now,
  };
}

async function isSlugTaken(db: Db, slug: string, id: number | null): Promise<boolean> {
  const row = await findRow(db, 'status_page', { slug }, ['id']);
  return row !== undefined && row.id !== id;
}

/** A slug made of the name, or the first one with a number that no page has: `-2`, `-3` and so on. */
async function freeSlug(db: Db, name: string): Promise<string> {
  // With room for a number.
  const wanted = slugOf(name, 'status').slice(0, 56).replace(/-$/, '');
  const rows = await db
    .selectFrom('status_page')
    .select('slug')
    .where((where) => where.or([where('slug', '=', wanted), where('slug', 'like', `${wanted}-%`)]))
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  let free = wanted;
  for (let number = 2; taken.has(free); number++) free = `${wanted}-${number}`;
  return free;
}
