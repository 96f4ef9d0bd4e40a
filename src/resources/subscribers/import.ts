import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { text } from '../../lib/schemas.ts';
import { createTurns } from '../../lib/turns.ts';
import { statusPages } from '../status-pages/status-pages.ts';
import { budgetRefusal } from '../../model/budget-refusal.ts';
import type { PageIdentity } from '../../status-page/facts/model.ts';
import { readPageOutline } from '../../status-page/read-facts.ts';
import { MAX_SUBSCRIBERS } from '../../status-page/subscribers/subscriptions.ts';
import type { Tx } from '../../store/database/contract.ts';
import { BudgetExceeded } from '../../store/people/budgets.ts';
import { subscriberChanges, subscriberRows } from '../../store/resources/subscribers.ts';
import { recordChange } from '../common/change.ts';
import { invalidField, notFound } from '../common/errors.ts';
import { Findings, readBody, required } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { MAX_IMPORTED, parseImport, type ImportedLine } from './csv.ts';
import { addressFault, findPage, type SubscriberDeps } from './subscribers.ts';

const MAX_CSV = 1_000_000;

const importInput = z.object({
  csv: z
    .string({ error: required('is required: a file with a column `address`', 'must be text') })
    .min(1)
    .max(MAX_CSV)
    .meta({
      description: `CSV of at most ${MAX_IMPORTED} lines with the columns \`address\` (or \`email\`) and perhaps \`monitors\`, ids with spaces in between.`,
    }),
  consent: text(500).nullish().meta({
    description:
      'How these people agreed to get mails, for the audit log. With it they are subscribed at once; without it each gets a mail to confirm.',
  }),
  dry_run: z
    .boolean({ error: 'must be true or false' })
    .nullish()
    .meta({ description: 'Only tells what would happen.' }),
});

const imported = z
  .object({
    dry_run: z.boolean(),
    added: z.int().min(0),
    known: z.int().min(0).meta({ description: 'Lines whose address is subscribed already.' }),
    refused: z.int().min(0),
    rows: z.array(
      z.object({
        line: z.int().min(1).meta({ description: 'In the file, the header included.' }),
        outcome: z.enum(['added', 'known', 'refused']),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SubscriberImport', description: 'Result of an import, by line of the file.' });

export const importSubscribers = noun('Status pages', createImportSubscribers, {
  importSubscribers: {
    at: 'POST /status-pages/:id/subscribers/import',
    budget: 'subscriber_import',
    status: 200,
    summary: 'Import subscribers',
    description:
      'Adds people by e-mail from a file. With `consent`, a statement of how they agreed, they are subscribed at once; without it each gets a mail to confirm, at most 100 an hour for a page. With OPEN_SIGNUP `consent` is refused.',
    body: importInput,
    answer: imported,
    example: {
      body: {
        csv: 'address\nbob@acme.example\nnot an address\n',
        consent: 'Moved from our former status page, where they had subscribed.',
      },
      answer: {
        dry_run: false,
        added: 1,
        known: 0,
        refused: 1,
        rows: [
          { line: 2, outcome: 'added', reason: null },
          {
            line: 3,
            outcome: 'refused',
            reason: 'address must be an e-mail address, such as ed@example.com.',
          },
        ],
      },
    },
  },
});

/** What became of a line. */
type ImportedRow = z.output<typeof imported>['rows'][number];

/** A line that can be added. */
interface Candidate {
  line: number;
  address: string;
  hash: string;
  sealed: string;
  monitors: number[];
}

/**
 * Creates the import. People who agreed elsewhere are subscribed at once, with the statement in the audit log; with
 * OPEN_SIGNUP nobody is, since a stranger's team could write to any address. All others get a mail to confirm, as far as
 * its budgets reach.
 */
function createImportSubscribers(deps: SubscriberDeps) {
  const { database, clock, secretBox: box, addressHashes: hashes } = deps;
  const write = teamWriter(database, 'editor');

  async function readInput(body: unknown) {
    const findings = new Findings();
    const input = readBody(importInput, body, findings) as Partial<z.output<typeof importInput>>;
    const { csv, consent = null } = input;
    if (csv == null && !findings.has('csv'))
      findings.add('csv', 'is required: a file with a column `address`');
    if (consent !== null && deps.openSignup)
      findings.add('consent', 'is not accepted here, since anybody can register: leave it out');
    const lines = csv == null ? [] : await parseImport(csv);
    if (typeof lines === 'string') findings.add('csv', lines);
    findings.throwIfAny();
    return { lines: lines as ImportedLine[], consent, isDry: input.dry_run === true };
  }

  /** Sorts lines into those that can be added and those that can't. Sealing takes a while for many. */
  async function sortLines(
    pageId: number,
    lines: readonly ImportedLine[],
    known: ReadonlySet<string>,
    shown: ReadonlySet<number>,
  ): Promise<{ candidates: Candidate[]; rows: ImportedRow[] }> {
    const turn = createTurns();
    const seen = new Set(known);
    const candidates: Candidate[] = [];
    const rows: ImportedRow[] = [];
    for (const { line, kind, address, monitors } of lines) {
      await turn();
      const ids = monitors.split(/[\s|]+/).filter((id) => id !== '');
      const fault = lineFault({ kind, address, ids }, shown);
      const all = fault === null ? hashes.all('email', address) : [];
      if (fault !== null) rows.push({ line, outcome: 'refused', reason: fault });
      else if (all.some((hash) => seen.has(hash)))
        rows.push({ line, outcome: 'known', reason: null });
      else {
        for (const hash of all) seen.add(hash);
        const sealed = box.of('subscriber', pageId).seal(address, 'address');
        const hash = hashes.of('email', address);
        candidates.push({ line, address, hash, sealed, monitors: ids.map(Number) });
      }
    }
    return { candidates, rows };
  }

  function lineFault(
    { kind, address, ids }: { kind: string; address: string; ids: readonly string[] },
    shown: ReadonlySet<number>,
  ): string | null {
    if (kind !== 'email') return 'Only e-mail addresses are imported: add others one by one.';
    const fault = addressFault('email', address, deps);
    if (fault !== null) return `address ${fault}.`;
    return ids.every((id) => shown.has(Number(id)))
      ? null
      : 'monitors must be ids of services of this status page.';
  }

  /**
   * Sends each a mail to confirm, until a budget of the page or the installation is used up, or the page is full. Call it
   * under the lock of the page: then nobody subscribes between the look at an address and its request.
   */
  async function invite(
    tx: Tx,
    caller: Caller,
    page: PageIdentity,
    candidates: readonly Candidate[],
  ): Promise<ImportedRow[]> {
    const rows: ImportedRow[] = [];
    let exhausted: string | null = null;
    for (const { line, address, monitors } of candidates) {
      if (exhausted !== null) {
        rows.push({ line, outcome: 'refused', reason: exhausted });
        continue;
      }
      const all = hashes.all('email', address);
      if ((await subscriberRows(tx).findByAddress(page.id, 'email', all)) !== undefined) {
        rows.push({ line, outcome: 'known', reason: null });
        continue;
      }
      try {
        const requested = await deps.subscriptions.request(tx, page, {
          kind: 'email',
          address,
          monitors,
          createdBy: caller.person.id,
          sender: { personId: caller.person.id, teamId: caller.team.id },
        });
        const isFull = 'fault' in requested;
        if (isFull) exhausted = FULL;
        rows.push({
          line,
          outcome: isFull ? 'refused' : 'added',
          reason: isFull ? FULL : null,
        });
      } catch (error) {
        if (!(error instanceof BudgetExceeded)) throw error;
        // The line was new: without its mail nobody could confirm it.
        const row = await subscriberRows(tx).findByAddress(page.id, 'email', all);
        if (row !== undefined) await subscriberChanges(tx).delete(row);
        const reason = budgetRefusal(error.budget, Math.ceil(error.retryAfterMs / 1_000));
        rows.push({ line, outcome: 'refused', reason });
        if (error.budget.of !== 'recipient') exhausted = reason;
      }
    }
    return rows;
  }

  return async ({ caller, id: pageId, body }: Call) => {
    const { draft } = await findPage(database.read, caller, pageId);
    const { lines, consent, isDry } = await readInput(body);
    if (consent === null && draft === 1)
      throw invalidField(
        'consent',
        'is required while the page is a draft, from which nobody gets a mail to confirm',
      );
    const outline = await readPageOutline(database, pageId);
    if (outline === null) throw notFound('status page');
    const { page, services } = outline;
    const shown = new Set(services.map(({ monitorId }) => monitorId));
    const known = await subscriberRows(database.scan).hashesOfPage(pageId);
    const { candidates, rows } = await sortLines(page.id, lines, known, shown);
    if (consent === null && !deps.mailQueue.isConfigured && !isDry)
      throw invalidField(
        'consent',
        'is required, since this installation sends no mail to confirm',
      );
    if ((await subscriberRows(database.scan).count(pageId)) + candidates.length > MAX_SUBSCRIBERS)
      throw TOO_MANY;
    if (isDry) return answerOf([...rows, ...candidates.map(added)], true);
    return write(caller, 'create', async (tx) => {
      await findPage(tx, caller, pageId);
      const now = clock.now();
      await subscriberChanges(tx).lockPage(pageId);
      const before = await subscriberRows(tx).count(pageId);
      // Invitations are counted one by one.
      if (consent !== null && before + candidates.length > MAX_SUBSCRIBERS) throw TOO_MANY;
      let done = candidates.map(added);
      if (consent === null) done = await invite(tx, caller, page, candidates);
      else
        await subscriberChanges(tx).insertMail(pageId, candidates, {
          createdBy: caller.person.id,
          now,
        });
      const all = [...rows, ...done];
      const after = { imported: (await subscriberRows(tx).count(pageId)) - before, consent };
      const target = statusPages.targetOf({ id: pageId, name: page.name });
      await recordChange(tx, caller, { verb: 'subscribers_imported', target, after }, now);
      return answerOf(all, false);
    });
  };
}

const TOO_MANY = invalidField(
  'csv',
  `must not bring the page above ${MAX_SUBSCRIBERS} subscribers`,
);
const FULL = `A status page has at most ${MAX_SUBSCRIBERS} subscribers.`;

function added({ line }: Candidate): ImportedRow {
  return { line, outcome: 'added', reason: null };
}

function answerOf(rows: readonly ImportedRow[], isDry: boolean): object {
  const count = (outcome: ImportedRow['outcome']) =>
    rows.filter((row) => row.outcome === outcome).length;
  return {
    dry_run: isDry,
    added: count('added'),
    known: count('known'),
    refused: count('refused'),
    rows: rows.toSorted((a, b) => a.line - b.line),
  };
}
