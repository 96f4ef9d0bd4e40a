import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { randomSets } from '../../../test/support/random-sets.ts';
import type { ConfigurationDocument, Section } from '../../configuration/document.ts';
import type { ExportedSet } from './export.ts';
import type { Plan } from './plan.ts';
import { isTree } from './secrets.ts';

/** `TEAMS=10000 npx vitest run …` for more of them. */
const TEAMS = Number(process.env['TEAMS'] ?? 40);
/** Deletes all that a set has. */
const EMPTIED = { prune: true, max_deletions: 1_000, delete_history: true };
/** Teams on one pair of installations. */
const ON_ONE = 40;

async function open() {
  const api = await openApi(await openInMemory());
  const { slug } = (await api.call(api.alice, 'GET', '/api/v1/')).body['team'] as { slug: string };
  return {
    apply: (document: object, more: object = {}) =>
      api.configuration.apply(slug, { document, ...more }, null) as Promise<Plan>,
    plan: (document: object) => api.configuration.plan(slug, { document }) as Promise<Plan>,
    export: () => api.configuration.export(slug, 'all') as Promise<ExportedSet>,
  } satisfies Record<string, unknown> & { api?: TestApi };
}

/** An export with the secrets of the set that it was made of. */
function withSecrets({ document, secrets }: ExportedSet, source: ConfigurationDocument): object {
  const copy = structuredClone(document);
  for (const { section, key, field } of secrets) {
    const find = (from: ConfigurationDocument) =>
      from[section as Section]!.find((one) => one.key === key)!;
    const path = field.split('.');
    const last = path.pop()!;
    const at = (item: unknown) =>
      path.reduce((part, name) => (part as Record<string, unknown>)[name], item) as Record<
        string,
        unknown
      >;
    const value = at(find(source))[last];
    (at(find(copy))[last] as Record<string, unknown>)['value'] = isTree(value)
      ? value['value']
      : value;
  }
  return copy;
}

it('gives the same team from its export, and plans nothing more [61.12]', async () => {
  let pair = [await open(), await open()] as const;
  let count = 0;
  const property = fc.asyncProperty(randomSets, async (set) => {
    if (count++ % ON_ONE === ON_ONE - 1) pair = [await open(), await open()];
    const [one, other] = pair;
    for (const api of pair) await api.apply({ name: 'all' }, EMPTIED);
    await one.apply(set);
    expect((await one.plan(set)).changes).toEqual([]);
    const exported = await one.export();
    expect((await one.plan(exported.document)).changes).toEqual([]);
    const whole = withSecrets(exported, set);
    await other.apply(whole);
    expect((await other.plan(whole)).changes).toEqual([]);
    expect((await other.export()).document).toEqual(exported.document);
  });
  await fc.assert(property, {
    numRuns: TEAMS,
    interruptAfterTimeLimit: 3_600_000,
    markInterruptAsFailure: true,
  });
}, 3_600_000);
