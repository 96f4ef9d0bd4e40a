import { describe, expect, it } from 'vitest';
import { openApi, sharedApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { pathOf } from '../../test/support/owned.ts';
import { refusalOf, resultOf, toolNames } from '../../test/support/tools.ts';
import { OPERATIONS, ROUTES } from '../resources/nouns.ts';
import { TOOLS } from './catalog.ts';
import { instructionsFor } from './instructions.ts';

const NAMES = new Set(TOOLS.map(({ name }) => name));
/** Words that look like names of tools: a verb and what it is done to. */
const TOOL_NAME =
  /\b(?:list|get|create|update|delete|add|start|end|schedule|check|pause|resume|change|resolve|acknowledge|preview)_[a-z_]+/g;
/** Those that are arguments or fields. */
const OTHER_WORDS = new Set(['check_interval', 'end_date', 'start_date']);

const namedIn = (text: string) => [...text.matchAll(TOOL_NAME)].map(([found]) => found);

const PRINCIPAL = {
  person: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'UTC' },
  team: null,
  role: null,
  withheld: null,
  permissions: [],
  credential: { kind: 'token', id: 1, name: 'test' },
  address: null,
} as const;

describe('the catalog of tools', () => {
  it('has each name once, as all clients accept it', () => {
    expect(NAMES.size).toBe(TOOLS.length);
    for (const name of NAMES) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    '%s names only tools that exist, in a few sentences',
    (name, { description, path = {} }) => {
      const texts = [description, ...Object.values(path).map((one) => one.description)];
      const named = texts.flatMap(namedIn).filter((word) => !OTHER_WORDS.has(word));
      expect(named.filter((word) => !NAMES.has(word))).toEqual([]);
      expect(named).not.toContain(name);
      expect(description.length).toBeLessThanOrEqual(500);
      expect(description).toMatch(/[.?]$/);
    },
  );

  it('is what the instructions speak of', () => {
    expect(namedIn(instructionsFor(PRINCIPAL, null)).filter((word) => !NAMES.has(word))).toEqual(
      [],
    );
  });

  it('shows before what can not be undone what it concerns, by the same arguments', () => {
    for (const tool of TOOLS) {
      if (tool.kind !== 'final') continue;
      const shown = TOOLS.find(({ name }) => name === tool.shows);
      expect(shown?.kind, tool.name).toBe('view');
      expect(shown?.path, tool.name).toEqual(tool.path);
    }
  });
});

const shared = sharedApi();

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const route = ROUTES.find((one) => one.name === tool.operation)!;

  it('is for viewers where it only reads', async () => {
    const api = await shared();
    const isRead = route.needs === 'read';
    expect((await toolNames(api, api.vera)).includes(name)).toBe(isRead);
    expect(await toolNames(api, api.ed)).toContain(name);
    if (!isRead)
      expect(await refusalOf(api, api.vera, name, { any_id: 1 })).toMatchObject({
        code: 'forbidden',
      });
  });

  it('refuses an argument that it does not have on its field', async () => {
    const api = await shared();
    const refusal = await refusalOf(api, api.alice, name, { unknown_argument: 1 });
    expect(Object.keys(refusal.fields!)).toContain('unknown_argument');
  });

  const { argument } = tool.path?.['id'] ?? {};
  if (argument !== undefined)
    it('finds nothing of another team', async () => {
      const api = await shared();
      const [, id] = /\/(\d+)/.exec(await pathOf(api, route))!;
      const { tools } = await resultOf<{ tools: Listed[] }>(api, api.alice, {
        method: 'tools/list',
      });
      const { required = [] } = tools.find((one) => one.name === name)!.inputSchema;
      const body = Object.entries(OPERATIONS[tool.operation]!.example?.body ?? {});
      const needed = Object.fromEntries(body.filter(([field]) => required.includes(field)));
      const args = { ...needed, [argument]: Number(id) };
      expect((await refusalOf(api, api.mallory, name, args)).code).toBe('not_found');
    });
});

interface Listed {
  name: string;
  inputSchema: { required?: string[] };
}

const ADDITIVE = [
  'acknowledge_incident',
  'add_incident_update',
  'check_monitor',
  'create_group',
  'create_incident',
  'create_monitor',
  'resume_monitor',
  'schedule_maintenance',
  'start_maintenance',
];

describe('hints', () => {
  it('call every tool destructive that does more than read or add', async () => {
    const api = await openApi(await openInMemory());
    const { tools } = await resultOf<{ tools: Hinted[] }>(api, api.alice, { method: 'tools/list' });
    const writes = tools.filter(({ annotations }) => !annotations.readOnlyHint);
    const harmless = writes.filter(({ annotations }) => !annotations.destructiveHint);
    expect(harmless.map(({ name }) => name).toSorted()).toEqual(ADDITIVE);
    expect(writes.length).toBeGreaterThan(ADDITIVE.length);
    const reads = tools.filter(({ annotations }) => annotations.readOnlyHint);
    expect(reads.every(({ annotations }) => !annotations.destructiveHint)).toBe(true);
    expect(reads.map(({ name }) => name)).toContain('list_monitors');
    const open = tools.filter(({ annotations }) => annotations.openWorldHint);
    expect(open.map(({ name }) => name).toSorted()).toEqual([
      'add_incident_update',
      'check_monitor',
      'check_url',
    ]);
  });
});

interface Hinted {
  name: string;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
}
