import { describe, expect, it } from 'vitest';
import { openApi, sharedApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { pathOf } from '../../test/support/owned.ts';
import { callTool, refusalOf, resultOf, sendMessage, toolNames } from '../../test/support/tools.ts';
import { OPERATIONS, ROUTES } from '../resources/nouns.ts';
import { FAMILIES, TOOLS } from './catalog.ts';
import { toolInput } from './input.ts';
import { instructionsFor } from './instructions.ts';

const NAMES = new Set([...TOOLS, ...FAMILIES].map(({ name }) => name));
/** Names that models read. */
const LISTED = new Set([
  ...TOOLS.filter(({ description }) => description !== undefined).map(({ name }) => name),
  ...FAMILIES.map(({ name }) => name),
]);
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
    expect(NAMES.size).toBe(TOOLS.length + FAMILIES.length);
    for (const name of NAMES) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
  });

  it.each(
    [...TOOLS, ...FAMILIES]
      .filter(({ name }) => LISTED.has(name))
      .map((tool) => [tool.name, tool] as const),
  )('%s names only tools that exist, in a few sentences', (name, { description }) => {
    const named = namedIn(description!).filter((word) => !OTHER_WORDS.has(word));
    expect(named.filter((word) => !LISTED.has(word))).toEqual([]);
    expect(named).not.toContain(name);
    expect(description!.length).toBeLessThanOrEqual(300);
    expect(description).toMatch(/[.?]$/);
  });

  it('is what the instructions speak of', () => {
    expect(namedIn(instructionsFor(PRINCIPAL, null)).filter((word) => !LISTED.has(word))).toEqual(
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
    const isForViewers = route.needs === 'read' && (route.role ?? 'viewer') === 'viewer';
    if (LISTED.has(name)) {
      expect((await toolNames(api, api.vera)).includes(name)).toBe(isForViewers);
      expect((await toolNames(api, api.ed)).includes(name)).toBe(route.role !== 'admin');
      expect(await toolNames(api, api.alice)).toContain(name);
    }
    if (!isForViewers)
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
      const { schema } = toolInput(tool, OPERATIONS[tool.operation]!, route);
      const required = schema.required ?? [];
      const body = Object.entries(OPERATIONS[tool.operation]!.example?.body ?? {});
      const needed = Object.fromEntries(body.filter(([field]) => required.includes(field)));
      const others = Object.values(tool.path!).map((one) => [one.argument, 1]);
      const args = { ...needed, ...Object.fromEntries(others), [argument]: Number(id) };
      expect((await refusalOf(api, api.mallory, name, args)).code).toBe('not_found');
    });
});

describe.each(FAMILIES.map((family) => [family.name, family] as const))('%s', (name, family) => {
  it('has those of its tools that the caller may use', async () => {
    const api = await shared();
    for (const who of [api.alice, api.ed, api.vera]) {
      const { tools } = await resultOf<{ tools: Listed[] }>(api, who, { method: 'tools/list' });
      const chosen = tools.find((one) => one.name === name)?.inputSchema.properties;
      for (const [value, member] of Object.entries(family.tools)) {
        const answered = await callTool(api, who, member, { no_such_argument: 1 });
        const { code } = answered.structuredContent['error'] as { code: string };
        const isOffered = chosen?.[family.by]!.enum!.includes(value) ?? false;
        expect([value, isOffered]).toEqual([value, code !== 'forbidden']);
      }
    }
  });

  it('says which values choose', async () => {
    const api = await shared();
    const { fields } = await refusalOf(api, api.alice, name, { [family.by]: 'nothing' });
    expect(fields![family.by]![0]).toContain(Object.keys(family.tools).join(', '));
  });

  it('takes one id', async () => {
    const api = await shared();
    for (const [value, member] of Object.entries(family.tools)) {
      const argument = TOOLS.find((one) => one.name === member)!.path?.['id']?.argument;
      if (!family.hasId || argument === undefined) continue;
      const args = { [family.by]: value, id: 1, [argument]: 2 };
      const { fields } = await refusalOf(api, api.alice, name, args);
      expect(Object.keys(fields!)).toEqual(['id']);
    }
  });

  it('answers as the tool that it chooses', async () => {
    const api = await shared();
    for (const [value, member] of Object.entries(family.tools)) {
      const id = family.hasId && TOOLS.find((one) => one.name === member)!.path!['id']!.argument;
      const called = await callTool(api, api.alice, name, {
        [family.by]: value,
        ...(id && { id: 9_999 }),
      });
      const own = await callTool(api, api.alice, member, id ? { [id]: 9_999 } : {});
      expect(called).toEqual(own);
    }
  });
});

it('has at most 40 kB as an owner of all lists it [50.11]', async () => {
  const api = await shared();
  const { text } = await sendMessage(api, api.alice, { method: 'tools/list' });
  expect(text).toContain('"apply_configuration"');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
});

interface Listed {
  name: string;
  inputSchema: { properties: Record<string, { enum?: string[] }> };
}

const ADDITIVE = [
  'acknowledge_incident',
  'add_incident_update',
  'check_monitor',
  'create_group',
  'create_incident',
  'create_monitor',
  'plan_configuration',
  'redeliver_webhook',
  'schedule_maintenance',
  'send_test',
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
      'redeliver_webhook',
      'send_test',
    ]);
  });
});

interface Hinted {
  name: string;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
}
