import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable, SelectQueryBuilder, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller, Role } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf } from '../../lib/schemas.ts';
import { auditTarget, type AuditTarget } from '../../model/audit.ts';
import type { Database } from '../../store/database/contract.ts';
import { engineOf, type Engine } from '../../store/database/dialect.ts';
import { countRows, insertRow, updateRow } from '../../store/database/rows.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  readPage,
  teamRows,
  type SelectRows,
  type TeamTable,
} from '../../store/database/team-rows.ts';
import { audit } from '../audit-log/entry.ts';
import { notFound } from './errors.ts';
import {
  answerShape,
  applyInput,
  changeSchema,
  columnsOf,
  exampleFields,
  inputReader,
  maskSecrets,
  requestSchema,
  requireFields,
  settingsOf,
  viewSettings,
  type ChangeOf,
  type FieldInput,
  type Fields,
  type FieldTable,
  type RequestOf,
  type SettingsOf,
  type ShownSettings,
} from './fields.ts';
import { Findings, readQuery } from './input.ts';
import { noun, type Call, type Operation } from './operation.ts';
import { PAGE_QUERY, pageOf, pagingOf, type Page, type PageQuery } from './page.ts';
import { pageExample, pageSchema } from './page-reference.ts';
import { time } from './reference-schemas.ts';
import { teamWriter } from './team-writes.ts';
import { isoTime } from './time.ts';

export interface CollectionDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
}

/** A change in its transaction, which locks the team. */
export interface Scope<Deps = CollectionDeps> {
  tx: Transaction<Schema>;
  caller: Caller;
  now: number;
  deps: Deps;
}

/** What is read, and when. */
interface Reading {
  db: Kysely<Schema>;
  teamId: number;
  now: number;
}

type Rows<Name extends TeamTable, Row> = SelectQueryBuilder<Schema, Name, Row>;

/** How a list is divided into pages. */
interface Pages<Name extends TeamTable, Row, Query> {
  /** Parameters beside those of pages. */
  query: Query;
  /** Words of `sort`, which are columns; the first is the order without a `sort` unless `order` is a function. */
  sorts: readonly [string, ...string[]];
  filter?(
    rows: Rows<Name, Row>,
    wanted: Query extends z.ZodRawShape ? z.output<z.ZodObject<Query>> : never,
    engine: Engine,
  ): Rows<Name, Row>;
}

/** What a request asks for. */
interface Wanted<Settings, Row> {
  /** Null for a new one. */
  id: number | null;
  settings: Settings;
  /** The fields of the request. */
  input: FieldInput<Settings>;
  /** As it is stored; null for a new one. */
  stored: Settings | null;
  row: Row | null;
  findings: Findings;
}

/** What every row has. */
interface Times {
  id: number;
  created_at: number;
  updated_at: number;
}

type Texts = 'list' | 'create' | 'get' | 'update' | 'delete';

/** A list that a team keeps: what makes one noun different from another. */
export interface Collection<
  Table extends FieldTable,
  Name extends TeamTable,
  Row,
  More extends z.ZodRawShape,
  Path extends `/${string}`,
  Deps extends CollectionDeps,
  Query extends z.ZodRawShape | undefined,
> {
  /** In sentences, such as `alert route`. */
  noun: string;
  /** By default with an s. */
  plural?: string;
  tag: Operation['tag'];
  /** Such as `/groups`. */
  path: Path;
  table: Name;
  /** Kind in the audit log; by default the noun with `_`. */
  target?: AuditTarget['type'];
  /** What one is, for the reference. */
  meaning: string;
  fields: Table;
  /** Columns by which the list is sorted, or what sorts it. */
  order:
    | readonly (keyof Selectable<Schema[Name]> & string)[]
    | ((rows: Rows<Name, Row>, direction: 'asc' | 'desc') => Rows<Name, Row>);
  /** A list in pages, with a `sort`; by default it is whole. */
  pages?: Pages<Name, Row, Query>;
  /** Most that a team can have. */
  most: number;
  /** Of which rows a team can have only so many, and what the refusal says of them; by default all. */
  counted?: { of(rows: Rows<Name, Row>): Rows<Name, Row>; says: string };
  /** Whether a deleted one stays with its `deleted_at`, and is found no more. */
  keepsDeleted?: true;
  /** Least role that reads and writes; by default viewers read, and editors write. */
  role?: Role;
  /** Whether a PUT replaces all fields; by default it changes those that it has. */
  replaces?: true;
  /** Sentences for the reference; an array begins with the summary. */
  says?: Partial<Record<Texts, string | readonly [summary: string, description?: string]>>;
  /** Fields of a request, beside the defaults. */
  example: RequestOf<Table>;
  /** Those of a change, in the reference. */
  change?: ChangeOf<Table>;
  /** What answers have beside the fields. */
  more?: {
    shape: More;
    example: z.output<z.ZodObject<More>>;
    isExported?: true;
    /** For rows in their order. What has the name of a field replaces it. */
    view(rows: readonly Row[], reading: Reading): object[] | Promise<object[]>;
  };
  /** Selects the rows, with columns of further tables. */
  select?: SelectRows<Row>;
  /** Changes the body of a request, before its fields are read. */
  prepare?(body: unknown, stored: SettingsOf<Table> | null): unknown;
  /** Changes what a request asks for, before it is laid over the stored settings. */
  given?(
    scope: Scope<Deps>,
    wanted: Omit<Wanted<SettingsOf<Table>, Row>, 'settings'>,
  ): Promise<FieldInput<SettingsOf<Table>>>;
  /** Rules beyond those of single fields; reports what is wrong. */
  check?(scope: Scope<Deps>, wanted: Wanted<SettingsOf<Table>, Row>): Promise<void>;
  /** Columns that follow from the settings. */
  columns?(
    scope: Scope<Deps>,
    change: { before: SettingsOf<Table> | null; after: SettingsOf<Table>; row: Row | null },
  ): object;
  /** Whether a change locks the row as well as the team, since others lock the row alone. */
  locks?: true;
  /** Does what follows from a change, in its transaction. A new one has nothing before, a deleted one nothing after. */
  changed?(
    scope: Scope<Deps>,
    change: { id: number; before: SettingsOf<Table> | null; after: SettingsOf<Table> | null },
  ): Promise<void>;
}

/** Declares a list that a team keeps: its operations, with their checks, audit and reference. */
export function collection<
  const Table extends FieldTable,
  Name extends TeamTable,
  const Path extends `/${string}`,
  Row extends Times = Times & Selectable<Schema[Name]>,
  More extends z.ZodRawShape = Record<never, never>,
  Deps extends CollectionDeps = CollectionDeps,
  Query extends z.ZodRawShape | undefined = undefined,
>(of: Collection<Table, Name, Row, More, Path, Deps, Query>) {
  type Settings = SettingsOf<Table>;
  type Answer = { id: number } & ShownSettings<Table> &
    z.output<z.ZodObject<More>> & { created_at: string; updated_at: string };

  type List = Query extends undefined ? { total: number; data: Answer[] } : Page<Answer>;

  const { noun: one, plural = `${one}s`, table, role, path } = of;
  const fields = of.fields as unknown as Fields<Settings>;
  const target = of.target ?? (underscored(one) as AuditTarget['type']);
  const rows = teamRows<Name, Row>(table, { select: of.select, keepsDeleted: of.keepsDeleted });
  const readInput = inputReader(fields);
  const stored = (row: Row) => settingsOf<Settings>(fields, row as never);
  const shown = (settings: Settings) => viewSettings(fields, settings);

  async function find(
    db: Kysely<Schema>,
    caller: Caller,
    id: number,
    how: 'find' | 'lock' = 'find',
  ): Promise<Row> {
    const row = await rows[how](db, caller.team.id, id);
    if (row === undefined) throw notFound(one);
    return row;
  }

  async function views(reading: Reading, found: readonly Row[]) {
    const more = (await of.more?.view(found, reading)) ?? [];
    return found.map((row, index) => view(row, more[index]));
  }

  const view = (row: Row, more: object = {}) =>
    ({
      id: row.id,
      ...shown(stored(row)),
      ...more,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    }) as Answer;

  async function viewOne(reading: Reading, id: number): Promise<Answer> {
    const row = await rows.find(reading.db, reading.teamId, id);
    if (row === undefined) throw notFound(one);
    const [answer] = await views(reading, [row]);
    return answer!;
  }

  const readingIn = ({ tx, caller, now }: Scope<Deps>) => ({ db: tx, teamId: caller.team.id, now });

  /** All rows of a team as the list has them without a `sort`. */
  const all = (db: Kysely<Schema>, teamId: number): Promise<readonly Row[]> =>
    typeof of.order === 'function'
      ? of
          .order(rows.ofTeam(db, teamId), 'desc')
          .orderBy(`${table}.id` as never, 'desc')
          .execute()
      : rows.list(db, teamId, of.order);

  /** The settings that a request asks for. Throws InvalidInput with all that is wrong. */
  async function settle(
    scope: Scope<Deps>,
    body: unknown,
    row: Row | null,
    findings: Findings,
  ): Promise<Settings> {
    const { tx, caller } = scope;
    const known = { id: row?.id ?? null, row, stored: row && stored(row), findings };
    const before = of.replaces ? null : known.stored;
    const prepared = of.prepare?.(body, known.stored) ?? body;
    const read = readInput(prepared, findings) as FieldInput<Settings>;
    requireFields(fields, read, before === null, findings);
    const input = (await of.given?.(scope, { ...known, input: read })) ?? read;
    const settings = applyInput(fields, before, input);
    if (row === null) await checkLimit(tx, caller, findings);
    await of.check?.(scope, { ...known, settings, input });
    findings.throwIfAny();
    return settings;
  }

  async function checkLimit(tx: Kysely<Schema>, caller: Caller, findings: Findings) {
    const ofTeam = rows.ofTeam(tx, caller.team.id);
    if ((await countRows(of.counted?.of(ofTeam) ?? ofTeam)) < of.most) return;
    const says = of.counted?.says ?? ': delete one that is no longer used';
    findings.add(underscored(plural), `must not be more than ${of.most} in a team${says}`);
  }

  function create(deps: Deps) {
    const { database, clock } = deps;
    const writeTo = teamWriter(database, role ?? 'editor');
    const write = <Value>(
      caller: Caller,
      permission: 'create' | 'update' | 'delete',
      work: (scope: Scope<Deps>) => Promise<Value>,
    ) => writeTo(caller, permission, (tx) => work({ tx, caller, now: clock.now(), deps }));

    async function record(
      scope: Scope<Deps>,
      change: { id: number; verb: string; before: Settings | null; after: Settings | null },
    ) {
      const { tx, caller, now } = scope;
      const { id, verb, before, after } = change;
      await of.changed?.(scope, change);
      const { name } = (after ?? before) as unknown as { name: string };
      const sides = {
        ...(before !== null && { before: shown(before) }),
        ...(after !== null && { after: shown(after) }),
      };
      await audit(tx, caller, { verb, target: auditTarget(target, { id, name }), ...sides }, now);
    }

    /** Adds one that a request asks for. @param findings what is known to be wrong with the request. */
    async function add(
      scope: Scope<Deps>,
      body: unknown,
      { verb = 'created', findings = new Findings() } = {},
    ) {
      const { tx, caller, now } = scope;
      const after = await settle(scope, body, null, findings);
      const times = { team_id: caller.team.id, created_at: now, updated_at: now };
      const more = of.columns?.(scope, { before: null, after, row: null });
      const columns = { ...columnsOf<Settings, object>(fields, after), ...more, ...times };
      const id = await insertRow(tx, table as never, columns as never);
      await record(scope, { id, verb, before: null, after });
      return show(scope, id);
    }

    const show = (scope: Scope<Deps>, id: number) => viewOne(readingIn(scope), id);

    return {
      write,
      add,
      show,

      async list({ caller, query, address }: Call) {
        const { read: db } = database;
        const reading = { db, teamId: caller.team.id, now: clock.now() };
        if (of.pages === undefined) {
          const found = await all(db, reading.teamId);
          return { total: found.length, data: await views(reading, found) };
        }
        const wanted = readQuery(pageQuery!, query) as PageQuery<string>;
        const paging = pagingOf(wanted, of.pages.sorts[0]);
        const ofTeam = rows.ofTeam(db, reading.teamId);
        const matching = of.pages.filter?.(ofTeam, wanted as never, engineOf(db)) ?? ofTeam;
        const found =
          wanted.sort === undefined && typeof of.order === 'function'
            ? await readPage(of.order(matching, paging.direction), table, [], paging)
            : await readPage(matching, table, [paging.sort], paging);
        return pageOf(await views(reading, found.rows), found.total, paging, address);
      },

      get: ({ caller, id }: Call) =>
        viewOne({ db: database.read, teamId: caller.team.id, now: clock.now() }, id),

      create: ({ caller, body }: Call) => write(caller, 'create', (scope) => add(scope, body)),

      update: ({ caller, id, body }: Call) =>
        write(caller, 'update', async (scope) => {
          const { tx, now } = scope;
          const row = await find(tx, caller, id, of.locks && 'lock');
          const before = stored(row);
          const after = await settle(scope, body, row, new Findings());
          if (!isDeepStrictEqual(before, after)) {
            const more = of.columns?.(scope, { before, after, row });
            const columns = {
              ...columnsOf<Settings, object>(fields, after),
              ...more,
              updated_at: now,
            };
            await updateRow(tx, table as never, id, columns as never);
            await record(scope, { id, verb: 'updated', before, after });
          }
          return show(scope, id);
        }),

      delete: ({ caller, id }: Call) =>
        write(caller, 'delete', async (scope) => {
          const before = stored(await find(scope.tx, caller, id, of.locks && 'lock'));
          await rows.delete(scope.tx, id, scope.now);
          await record(scope, { id, verb: 'deleted', before, after: null });
        }),
    };
  }

  const answer = z
    .object({
      id: z.int(),
      ...answerShape(fields),
      ...of.more?.shape,
      created_at: time,
      updated_at: time,
    })
    .meta({ id: pascal(one), description: of.meaning }) as unknown as z.ZodType<Answer>;
  const pageQuery: z.ZodObject | undefined =
    of.pages &&
    z.object({
      ...(of.pages.query as z.ZodRawShape),
      ...PAGE_QUERY,
      sort: oneOf(of.pages.sorts).optional(),
    });
  const list = (of.pages === undefined
    ? z
        .object({ total: z.int(), data: z.array(answer) })
        .meta({ id: `${pascal(one)}List`, description: `All ${plural} of the team.` })
    : pageSchema(answer, `${pascal(one)}Page`)) as unknown as z.ZodType<List>;
  const body = requestSchema(fields) as unknown as z.ZodType<unknown, RequestOf<Table>>;
  const change = (of.replaces ? body : changeSchema(fields)) as z.ZodType<unknown, ChangeOf<Table>>;
  const exampleOf = (...asked: object[]) => ({
    id: 1,
    ...exampleFields(
      fields,
      readInput(Object.assign({}, ...asked), new Findings()) as Partial<Settings>,
    ),
    ...of.more?.example,
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
  });
  const example = exampleOf(of.example);
  const changedTo = exampleOf(of.replaces ? {} : of.example, of.change ?? {});
  const a = /^[aeiou]/.test(one) ? 'an' : 'a';
  const say = (verb: Texts, usual: string) => {
    const text = of.says?.[verb];
    const [summary, description] = typeof text === 'object' ? text : [usual, text];
    return { summary, ...(description !== undefined && { description }) };
  };
  const access = role === undefined ? {} : { role };
  type Its = ReturnType<typeof create>;
  const operations = {
    [`list${pascal(plural)}`]: {
      at: `GET ${path}` as const,
      ...access,
      ...say('list', `List ${plural}`),
      ...(pageQuery !== undefined && { query: pageQuery }),
      answer: list,
      example: {
        answer: of.pages ? pageExample(path, [example]) : { total: 1, data: [example] },
      },
      handle: (its: Its, call: Call) => its.list(call),
    },
    [`create${pascal(one)}`]: {
      at: `POST ${path}` as const,
      ...access,
      ...say('create', `Create ${a} ${one}`),
      body,
      answer,
      example: { body: of.example, answer: example },
      handle: (its: Its, call: Call) => its.create(call),
    },
    [`get${pascal(one)}`]: {
      at: `GET ${path}/:id` as const,
      ...access,
      ...say('get', `Get ${a} ${one}`),
      answer,
      example: { answer: example },
      handle: (its: Its, call: Call) => its.get(call),
    },
    [`update${pascal(one)}`]: {
      at: `PUT ${path}/:id` as const,
      ...access,
      ...say('update', `Change ${a} ${one}`),
      body: change,
      answer,
      ...(of.change !== undefined && { example: { body: of.change, answer: changedTo } }),
      handle: (its: Its, call: Call) => its.update(call),
    },
    [`delete${pascal(one)}`]: {
      at: `DELETE ${path}/:id` as const,
      ...access,
      ...say('delete', `Delete ${a} ${one}`),
      handle: (its: Its, call: Call) => its.delete(call),
    },
  };
  return {
    ...noun(of.tag, create, operations),
    fields,
    rows,
    /** Finds one of the caller's team. Throws `not_found` when there is none. */
    find,
    settingsOf: stored,
    answer,
    example,
    targetOf: ({ id, name }: { id: number; name: string }) => auditTarget(target, { id, name }),
    /** All of a team as an export shows them, secrets masked. */
    async *exported(db: Kysely<Schema>, teamId: number): AsyncGenerator<object> {
      const found = await all(db, teamId);
      const reading = { db, teamId, now: 0 };
      const more = (of.more?.isExported && (await of.more.view(found, reading))) || [];
      for (const [index, row] of found.entries())
        yield { ...view(row, more[index]), ...maskSecrets(fields, row) };
    },
  };
}

const underscored = (words: string) => words.replaceAll(' ', '_');

const pascal = (words: string) =>
  words.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());
