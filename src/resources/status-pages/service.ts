import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { PasswordQueue } from '../../identity/password-queue.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import type { Domains } from '../../status-page/domains.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { readArrangements, replaceArrangement } from '../../store/resources/page-services.ts';
import {
  countStatusPages,
  deleteStatusPage,
  findStatusPage,
  listStatusPages,
  lockStatusPage,
  updateStatusPage,
} from '../../store/resources/status-pages.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { Problem } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readQuery } from '../common/input.ts';
import { PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import type { ViewDeps } from '../monitors/view.ts';
import { accessColumns, newPassword } from './access.ts';
import { arrangementOf, placed } from './arrangement.ts';
import { pageAfter, readPageInput, type PageInput } from './input.ts';
import { createLogoService, type ImageJobs } from './logo.ts';
import {
  columnsOfPage,
  domainColumns,
  explainTakenSlug,
  insertWithSlug,
  readStored,
} from './stored.ts';
import { auditedPage, pageFieldsOf, viewStatusPage } from './view.ts';
import type { Call } from '../common/operation.ts';

/** Maximum number of status pages per team. */
export const MAX_STATUS_PAGES = 100;

export const statusPageListQuery = z.object({
  search: text(255).optional().meta({ description: 'Part of a name or slug, in any case.' }),
  sort: oneOf(['title', 'slug', 'created_at', 'updated_at']).optional(),
  ...PAGE_QUERY,
});

export interface StatusPageDeps extends ViewDeps {
  imageJobs: Pick<ImageJobs, 'run'>;
  database: Database;
  clock: Pick<Clock, 'now'>;
  passwords: Pick<PasswordQueue, 'hash'>;
  domains: Pick<Domains, 'verify'>;
}

/** Status pages of a team. Ids of other teams are not found; an invalid body is an InvalidInput. */
export function createStatusPageService(deps: StatusPageDeps) {
  const { database, clock, passwords, domains } = deps;
  const write = teamWriter(database, 'editor');
  const shown = (db: Kysely<Schema>, caller: Caller, id: number) => showPage(db, caller, id, deps);

  /** Reads a body, and hashes its password before a transaction begins. */
  async function prepare(caller: Caller, body: unknown): Promise<PageInput> {
    const findings = new Findings();
    const input = readPageInput(body, findings);
    const password = newPassword(input.access);
    const hash = password === null ? null : await passwords.hash(password, caller.address);
    return { input, hash, findings, baseUrl: deps.baseUrl() };
  }

  return {
    async listStatusPages({ caller, query, address }: Call) {
      const read = readQuery(statusPageListQuery, query);
      const paging = pagingOf(read, 'created_at');
      const { search = null } = read;
      const { rows, total } = await listStatusPages(database.read, caller.team.id, search, paging);
      const all = await readArrangements(
        database.read,
        rows.map((row) => row.id),
      );
      const data = rows.map((row) => viewStatusPage(row, arrangementOf(row.id, all), deps));
      return pageOf(data, total, paging, address);
    },

    async getStatusPage({ caller, id }: Call) {
      return shown(database.read, caller, id);
    },

    async createStatusPage({ caller, body }: Call) {
      const input = await prepare(caller, body);
      return write(caller, 'create', async (tx) => {
        const after = await pageAfter(tx, caller.team.id, null, input);
        if ((await countStatusPages(tx, caller.team.id)) >= MAX_STATUS_PAGES)
          input.findings.add(
            'status_pages',
            `must not be more than ${MAX_STATUS_PAGES} in a team: delete one that is no longer used`,
          );
        input.findings.throwIfAny();
        const now = clock.now();
        const columns = {
          ...columnsOfPage(after.fields),
          ...accessColumns(after.access),
          ...domainColumns(after.fields.custom_domain, now),
        };
        const id = await insertWithSlug(tx, caller.team.id, columns, now);
        await replaceArrangement(tx, id, placed(after.arrangement));
        const row = await mustFind(tx, caller, id);
        const change = auditedPage(pageFieldsOf(row), after.access, after.arrangement);
        const target = auditTarget('status_page', row);
        await audit(tx, caller, { verb: 'created', target, after: change }, now);
        return shown(tx, caller, id);
      });
    },

    async updateStatusPage({ caller, id, body }: Call) {
      await mustFind(database.read, caller, id);
      const input = await prepare(caller, body);
      return write(caller, 'update', async (tx) => {
        const row = await mustLock(tx, caller, id);
        const stored = await readStored(tx, row);
        const after = await pageAfter(tx, caller.team.id, stored, input);
        input.findings.throwIfAny();
        if (isDeepStrictEqual(after, stored.page)) return shown(tx, caller, id);
        const now = clock.now();
        const { page: before } = stored;
        const domain = after.fields.custom_domain;
        await updateStatusPage(
          tx,
          id,
          {
            ...columnsOfPage(after.fields),
            ...(!isDeepStrictEqual(after.access, before.access) && {
              ...accessColumns(after.access),
              access_version: row.access_version + 1,
            }),
            ...(domain !== before.fields.custom_domain && domainColumns(domain, now)),
          },
          now,
        ).catch(explainTakenSlug);
        if (!isDeepStrictEqual(after.arrangement, before.arrangement))
          await replaceArrangement(tx, id, placed(after.arrangement));
        const change = {
          verb: 'updated',
          target: auditTarget('status_page', { id, name: after.fields.name }),
          before: auditedPage(before.fields, before.access, before.arrangement),
          after: auditedPage(after.fields, after.access, after.arrangement),
        };
        await audit(tx, caller, change, now);
        return shown(tx, caller, id);
      });
    },

    deleteStatusPage: ({ caller, id }: Call) =>
      write(caller, 'delete', async (tx) => {
        const row = await mustLock(tx, caller, id);
        const { fields, access, arrangement } = (await readStored(tx, row)).page;
        await deleteStatusPage(tx, id);
        const target = auditTarget('status_page', row);
        const before = auditedPage(fields, access, arrangement);
        await audit(tx, caller, { verb: 'deleted', target, before }, clock.now());
      }),

    /** Looks for the record of the custom domain now; throws a Problem (conflict) without a domain. */
    async verifyStatusPageDomain({ caller, id }: Call) {
      const page = await mustFind(database.read, caller, id);
      if (page.custom_domain === null) throw new Problem('conflict', NO_DOMAIN);
      await domains.verify({ teamId: caller.team.id, id }, async (tx, before) => {
        const { domain_verified_at: at } = await mustFind(tx, caller, id);
        const change = {
          verb: 'domain_checked',
          target: auditTarget('status_page', before),
          before: { domain_verified: before.domain_verified_at !== null },
          after: { domain_verified: at !== null },
        };
        await audit(tx, caller, change, clock.now());
      });
      return shown(database.read, caller, id);
    },

    ...createLogoService(deps, { write, show: shown }),
  };
}

const NO_DOMAIN = 'This page has no custom domain: set custom_domain first.';

const mustFind = finderOf('status page', findStatusPage);
const mustLock = finderOf('status page', lockStatusPage);

async function showPage(
  db: Kysely<Schema>,
  caller: Caller,
  id: number,
  deps: ViewDeps,
): Promise<object> {
  const row = await mustFind(db, caller, id);
  return viewStatusPage(row, arrangementOf(id, await readArrangements(db, [id])), deps);
}
