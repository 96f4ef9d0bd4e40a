import type { Selectable, SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import type { Caller, Role } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { oneOf } from '../../lib/schemas.ts';
import { openIfPossible } from '../../lib/columns.ts';
import type { RowSecrets } from '../../lib/secret-box.ts';
import { WRITTEN } from '../../model/audit.ts';
import type { Database, Db, Schema, Tx } from '../../store/database/contract.ts';
import { engineOf, type Engine } from '../../store/database/dialect.ts';
import { isUniqueViolation } from '../../store/database/errors.ts';
import { countRows, insertRow, updateRow } from '../../store/database/rows.ts';
import {
  readPage,
  teamRows,
  type SelectRows,
  type TeamTable,
} from '../../store/database/team-rows.ts';
import { recordChange } from '../common/change.ts';
import { CHANGING } from './changing.ts';
import { notFound } from './errors.ts';
import {
  answerShape,
  applyInput,
  changedNames,
  changeSchema,
  columnsOf,
  fixedNames,
  inputReader,
  keepFixed,
  keepSecrets,
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
import { noun, type Call, type Tag } from './operation.ts';
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
export interface Scope<Deps = CollectionDeps, Early = unknown> {
  tx: Tx;
  caller: Caller;
  now: number;
  deps: Deps;
  /** What was done before it. */
  early: Early;
}

type Rows<Name extends TeamTable, Row> = SelectQueryBuilder<Schema, Name, Row>;

/** How a list is divided into pages. */
interface Pages<Name extends TeamTable, Row, Query> {
  /** Parameters beside those of pages. */
  query: Query;
  /** Words of `sort`, which are columns; the first is the order without a `sort` unless `order` is a function. */
  sorts: readonly [string, ...string[]];
  /** Columns of words that are named otherwise. */
  columns?: Readonly<Record<string, string>>;
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

/** When rows are viewed, and whose they are. */
interface Viewing {
  db: Db;
  teamId: number;
  now: number;
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
  Early,
> {
  /** In sentences, such as `alert route`. */
  noun: string;
  /** By default with an s. */
  plural?: string;
  tag: Tag;
  /** Such as `/groups`. */
  path: Path;
  table: Name;
  /** What is done with one beside creating, changing and deleting it, in the audit log. */
  verbs?: readonly string[];
  /** What one is, for the reference. */
  meaning: string;
  fields: Table;
  /** Columns by which the list is sorted, or what sorts it. */
  order:
    | readonly (keyof Selectable<Schema[Name]> & string)[]
    | ((rows: Rows<Name, Row>, direction: 'asc' | 'desc') => Rows<Name, Row>);
  /** A list in pages, with a `sort`; by default it is whole. */
  pages?: Pages<Name, Row, Query>;
  /** Most that a team can have; `check` says it where it is left out. */
  most?: number;
  /** Of which rows a team can have only so many, and what the refusal says of them; by default all. */
  counted?: { of(rows: Rows<Name, Row>): Rows<Name, Row>; says: string };
  /** Whether a deleted one stays with its `deleted_at`, and is found no more. */
  keepsDeleted?: true;
  /** Least role that reads and writes; by default viewers read, and editors write. */
  role?: Role;
  /** Least role that writes, where it differs. */
  writer?: Role;
  /** Whether a PUT replaces all fields; by default it changes those that it has. */
  replaces?: true;
  /** Sentences for the reference; an array begins with the summary. */
  says?: Partial<Record<Texts, string | readonly [summary: string, description?: string]>>;
  /** A request that creates one, in the reference. */
  example: RequestOf<Table>;
  /** One that changes it. */
  change?: ChangeOf<Table>;
  /** Encryption of its sealed columns. */
  secrets?(deps: Deps, teamId: number): RowSecrets;
  /** What answers have beside the fields. */
  more?: {
    shape: More;
    example: z.output<z.ZodObject<More>> & Partial<ShownSettings<Table>>;
    /** Those that change by themselves, as `CHANGING` has them. */
    byItself?: readonly string[];
    /** What of the example differs after the change. */
    changed?: object;
    /** For rows in their order. What has the name of a field replaces it. */
    view(rows: readonly Row[], at: Viewing & { deps: Deps }): object[] | Promise<object[]>;
    /** The same in exports, which have the fields alone where it is left out. */
    exported?(rows: readonly Row[], at: Viewing & { deps: Deps }): object[] | Promise<object[]>;
  };
  /** Selects the rows, with columns of further tables. */
  select?: SelectRows<Row>;
  /** Reads the settings of rows that are kept apart, in their order; `changed` writes them. */
  apart?(db: Db, rows: readonly Row[]): Promise<Partial<SettingsOf<Table>>[]>;
  /** Does what takes long and needs no transaction, before it begins. */
  early?(call: Call, deps: Deps): Promise<Early>;
  /** Changes the body of a request, before its fields are read. */
  prepare?(body: unknown, stored: SettingsOf<Table> | null): unknown;
  /** Changes what a request asks for, before it is laid over the stored settings. */
  given?(
    scope: Scope<Deps, Early>,
    wanted: Omit<Wanted<SettingsOf<Table>, Row>, 'settings'>,
  ): Promise<FieldInput<SettingsOf<Table>>>;
  /** Rules beyond those of single fields; reports what is wrong. */
  check?(scope: Scope<Deps>, wanted: Wanted<SettingsOf<Table>, Row>): Promise<void>;
  /** Columns that follow from the settings. May write what the row depends on, and is locked before it. */
  columns?(
    scope: Scope<Deps>,
    change: { before: SettingsOf<Table> | null; after: SettingsOf<Table>; row: Row | null },
  ): object | Promise<object>;
  /** Deletes what is locked before the row. */
  leave?(scope: Scope<Deps>, row: Row): Promise<void>;
  /** Whether a change locks the row as well as the team, since others lock the row alone. */
  locks?: true;
  /** Does what follows from a change, in its transaction. A new one has nothing before, a deleted one nothing after. */
  changed?(
    scope: Scope<Deps>,
    change: { id: number; before: SettingsOf<Table> | null; after: SettingsOf<Table> | null },
  ): Promise<void>;
  /** Settings in the audit log; by default as answers show them. @param before of what is after a change. */
  audited?(settings: SettingsOf<Table>, before?: SettingsOf<Table>): object;
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
  Early = undefined,
>(of: Collection<Table, Name, Row, More, Path, Deps, Query, Early>) {
  type Settings = SettingsOf<Table>;
  type Answer = { id: number } & ShownSettings<Table> &
    z.output<z.ZodObject<More>> & { created_at: string; updated_at: string };

  type List = Query extends undefined ? { total: number; data: Answer[] } : Page<Answer>;

  const { noun: one, plural = `${one}s`, table, role, path } = of;
  const fields = of.fields as unknown as Fields<Settings>;
  const kind = underscored(one);
  const targetOf = ({ id, name }: { id: number; name: string }) => ({ type: kind, id, name });
  const rows = teamRows<Name, Row>(table, { select: of.select, keepsDeleted: of.keepsDeleted });
  const readNew = inputReader(fields);
  const fixed = fixedNames(fields).map((name) => [name, z.unknown().optional()]);
  const readChange = inputReader(fields, Object.fromEntries(fixed) as z.ZodRawShape);
  const stored = (row: Row, secrets?: RowSecrets) =>
    settingsOf<Settings>(fields, row as never, secrets && openIfPossible(secrets));
  const secretsOf = ({ caller, deps }: Scope<Deps>) => of.secrets?.(deps, caller.team.id);
  const wholes = async (scope: Scope<Deps>, found: readonly Row[]): Promise<Settings[]> => {
    const secrets = secretsOf(scope);
    const more = (await of.apart?.(scope.tx, found)) ?? [];
    return found.map((row, index) => ({ ...stored(row, secrets), ...more[index] }));
  };
  const whole = async (scope: Scope<Deps>, row: Row) => (await wholes(scope, [row]))[0]!;
  const shown = (settings: Settings) => viewSettings(fields, settings);

  async function find(db: Db, caller: Caller, id: number, how: 'find' | 'lock' = 'find') {
    const row = await rows[how](db, caller.team.id, id);
    if (row === undefined) throw notFound(one);
    return row;
  }

  async function views(db: Db, caller: Caller, found: readonly Row[], deps: Deps) {
    const at = { db, teamId: caller.team.id, now: deps.clock.now(), deps };
    const more = (await of.more?.view(found, at)) ?? [];
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

  async function viewOne(db: Db, caller: Caller, id: number, deps: Deps) {
    const [answer] = await views(db, caller, [await find(db, caller, id)], deps);
    return answer!;
  }

  /** All rows of a team as the list has them without a `sort`. */
  const all = (db: Db, teamId: number): Promise<readonly Row[]> =>
    typeof of.order === 'function'
      ? of
          .order(rows.ofTeam(db, teamId), 'desc')
          .orderBy(`${table}.id` as never, 'desc')
          .execute()
      : rows.list(db, teamId, of.order);

  /** The settings that a request asks for. Throws InvalidInput with all that is wrong. */
  async function settle(
    scope: Scope<Deps, Early>,
    body: unknown,
    { row, stored: formerly }: { row: Row | null; stored: Settings | null },
    findings: Findings,
  ): Promise<Settings> {
    const known = { id: row?.id ?? null, row, stored: formerly, findings };
    const before = of.replaces ? null : known.stored;
    const prepared = of.prepare?.(body, known.stored) ?? body;
    const readInput = row === null ? readNew : readChange;
    const read = readInput(prepared, findings) as FieldInput<Settings>;
    if (known.stored !== null) keepFixed(fields, known.stored, read, findings);
    keepSecrets(fields, known.stored, read, findings);
    requireFields(fields, read, before === null, findings);
    const input = (await of.given?.(scope, { ...known, input: read })) ?? read;
    const settings = applyInput(fields, before, input);
    if (row === null) await checkLimit(scope, findings);
    await of.check?.(scope, { ...known, settings, input });
    findings.throwIfAny();
    return settings;
  }

  async function checkLimit({ tx, caller }: Scope<Deps>, findings: Findings) {
    const { most, counted } = of;
    const ofTeam = rows.ofTeam(tx, caller.team.id);
    if (most === undefined || (await countRows(counted?.of(ofTeam) ?? ofTeam)) < most) return;
    const says = counted?.says ?? ': delete one that is no longer used';
    findings.add(underscored(plural), `must not be more than ${most} in a team${says}`);
  }

  function create(deps: Deps) {
    const { database, clock } = deps;
    const writeTo = teamWriter(database, of.writer ?? role ?? 'editor');

    async function write<Value>(
      caller: Caller,
      permission: 'create' | 'update' | 'delete',
      work: (scope: Scope<Deps, Early>) => Promise<Value>,
      early = undefined as Early,
    ): Promise<Value> {
      const attempt = () =>
        writeTo(caller, permission, (tx) => work({ tx, caller, now: clock.now(), deps, early }));
      // Another team may take what is unique in the installation after it was found free.
      return attempt().catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        return attempt();
      });
    }

    async function record(
      scope: Scope<Deps>,
      change: { id: number; verb: string; before: Settings | null; after: Settings | null },
    ) {
      const { tx, caller, now } = scope;
      const { id, verb, before, after } = change;
      await of.changed?.(scope, change);
      const { name } = (after ?? before) as unknown as { name: string };
      const audited = of.audited ?? shown;
      const sides = {
        ...(before !== null && { before: audited(before) }),
        ...(after !== null && { after: audited(after, before ?? undefined) }),
      };
      await recordChange(tx, caller, { verb, target: targetOf({ id, name }), ...sides }, now);
    }

    /** Adds one that a request asks for. @param findings what is known to be wrong with the request. */
    async function add(
      scope: Scope<Deps, Early>,
      body: unknown,
      { verb = 'created', findings = new Findings() } = {},
    ) {
      const { tx, caller, now } = scope;
      const after = await settle(scope, body, { row: null, stored: null }, findings);
      const times = { team_id: caller.team.id, created_at: now, updated_at: now };
      const more = await of.columns?.(scope, { before: null, after, row: null });
      const own = columnsOf<Settings, object>(fields, after, secretsOf(scope)?.seal);
      const columns = { ...own, ...more, ...times };
      const id = await insertRow(tx, table as never, columns as never);
      await record(scope, { id, verb, before: null, after });
      return show(scope, id);
    }

    const show = ({ tx, caller }: Scope<Deps>, id: number) => viewOne(tx, caller, id, deps);

    return {
      write,
      add,
      /**
       * What a request asks for, of one of the team or of a new one, without writing it. Throws InvalidInput with all that is
       * wrong. @param scope.tx may be a connection that only reads.
       */
      async tried(scope: Scope<Deps, Early>, body: unknown, id: number | null) {
        const row = id === null ? null : await find(scope.tx, scope.caller, id);
        const before = row === null ? null : await whole(scope, row);
        const settings = await settle(scope, body, { row, stored: before }, new Findings());
        return { row, settings };
      },
      show,

      async list({ caller, query, address }: Call) {
        const { read } = database;
        if (of.pages === undefined) {
          const found = await all(read, caller.team.id);
          return { total: found.length, data: await views(read, caller, found, deps) };
        }
        const wanted = readQuery(pageQuery!, query) as PageQuery<string>;
        const { sorts, columns } = of.pages;
        const paging = pagingOf(wanted, sorts[0]);
        const ofTeam = rows.ofTeam(read, caller.team.id);
        const matching = of.pages.filter?.(ofTeam, wanted as never, engineOf(read)) ?? ofTeam;
        const found =
          wanted.sort === undefined && typeof of.order === 'function'
            ? await readPage(of.order(matching, paging.direction), table, [], paging)
            : await readPage(matching, table, [columns?.[paging.sort] ?? paging.sort], paging);
        const data = await views(read, caller, found.rows, deps);
        return pageOf(data, found.total, paging, address);
      },

      get: ({ caller, id }: Call) => viewOne(database.read, caller, id, deps),

      async create(call: Call) {
        const early = await of.early?.(call, deps);
        return write(call.caller, 'create', (scope) => add(scope, call.body), early);
      },

      async update(call: Call) {
        const { caller, id, body } = call;
        if (of.early !== undefined) await find(database.read, caller, id);
        const early = await of.early?.(call, deps);
        const change = async (scope: Scope<Deps, Early>) => {
          const { tx, now } = scope;
          const row = await find(tx, caller, id, of.locks && 'lock');
          const before = await whole(scope, row);
          const after = await settle(scope, body, { row, stored: before }, new Findings());
          const changed = changedNames(before, after);
          if (changed.length > 0) {
            const more = await of.columns?.(scope, { before, after, row });
            // Others may change further columns meanwhile.
            const own = columnsOf<Settings, object>(fields, after, secretsOf(scope)?.seal, changed);
            const columns = { ...own, ...more, updated_at: now };
            await updateRow(tx, table as never, id, columns as never);
            await record(scope, { id, verb: 'updated', before, after });
          }
          return show(scope, id);
        };
        return write(caller, 'update', change, early);
      },

      delete: ({ caller, id }: Call) =>
        write(caller, 'delete', async (scope) => {
          const row = await find(scope.tx, caller, id, of.locks && 'lock');
          const before = await whole(scope, row);
          await of.leave?.(scope, row);
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
    .meta({ id: pascal(one), description: of.meaning })
    .register(CHANGING, { fields: of.more?.byItself ?? [] }) as unknown as z.ZodType<Answer>;
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
  const exampleOf = (request: object, more?: object) => ({
    id: 1,
    ...shown(applyInput(fields, null, readNew(request, new Findings()))),
    ...of.more?.example,
    ...more,
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
  });
  const example = exampleOf(of.example);
  const changedTo = exampleOf({ ...(!of.replaces && of.example), ...of.change }, of.more?.changed);
  const a = /^[aeiou]/.test(one) ? 'an' : 'a';
  const say = (verb: Texts, usual: string) => {
    const text = of.says?.[verb];
    const [summary, description] = typeof text === 'object' ? text : [usual, text];
    return { summary, ...(description !== undefined && { description }) };
  };
  const reading = role === undefined ? {} : { role };
  const writing = of.writer === undefined ? reading : { role: of.writer };
  type Its = ReturnType<typeof create>;
  const operations = {
    [`list${pascal(plural)}`]: {
      at: `GET ${path}` as const,
      ...reading,
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
      ...writing,
      ...say('create', `Create ${a} ${one}`),
      body,
      answer,
      example: { body: of.example, answer: example },
      handle: (its: Its, call: Call) => its.create(call),
    },
    [`get${pascal(one)}`]: {
      at: `GET ${path}/:id` as const,
      ...reading,
      ...say('get', `Get ${a} ${one}`),
      answer,
      example: { answer: example },
      handle: (its: Its, call: Call) => its.get(call),
    },
    [`update${pascal(one)}`]: {
      at: `PUT ${path}/:id` as const,
      ...writing,
      ...say('update', `Change ${a} ${one}`),
      body: change,
      answer,
      ...(of.change !== undefined && { example: { body: of.change, answer: changedTo } }),
      handle: (its: Its, call: Call) => its.update(call),
    },
    [`delete${pascal(one)}`]: {
      at: `DELETE ${path}/:id` as const,
      ...writing,
      ...say('delete', `Delete ${a} ${one}`),
      handle: (its: Its, call: Call) => its.delete(call),
    },
  };
  return {
    ...noun(of.tag, create, operations),
    declared: of,
    /** In the audit log, and in the plural in an export. */
    kind,
    verbs: [...WRITTEN, ...(of.verbs ?? [])],
    kinds: underscored(plural),
    fields,
    rows,
    /** Finds one of the caller's team. Throws `not_found` when there is none. */
    find,
    /** One of the caller's team, as answers show it. */
    show: viewOne,
    settingsOf: stored,
    /** What a request that creates one takes. */
    body,
    answer,
    example,
    targetOf,
    /** All of the team with their settings, secrets too, for configuration sets. */
    async things(scope: Scope<Deps>): Promise<{ id: number; settings: Settings }[]> {
      const found = await all(scope.tx, scope.caller.team.id);
      const settings = await wholes(scope, found);
      return found.map((row, index) => ({ id: row.id, settings: settings[index]! }));
    },
    /** Whether a body that names all fields asks for just these settings. False where only its rules can tell. */
    asksFor(request: object, settings: Settings): boolean {
      const findings = new Findings();
      const prepared = of.prepare?.(request, settings) ?? request;
      const input = readNew(prepared, findings) as FieldInput<Settings>;
      const wanted = applyInput(fields, null, input);
      return !findings.isAny && changedNames(settings, wanted).length === 0;
    },
    /** All of a team as an export shows them, secrets masked. @param deps for a view that needs some. */
    async *exported(at: Viewing, deps: Partial<Deps> = {}): AsyncGenerator<Answer> {
      const found = await all(at.db, at.teamId);
      const more = (await of.more?.exported?.(found, { ...at, deps: deps as Deps })) ?? [];
      for (const [index, row] of found.entries())
        yield { ...view(row, more[index]), ...maskSecrets(fields, row) };
    },
  };
}

/** As much of a collection as concerns all of them alike. */
export interface AnyCollection {
  declared: {
    noun: string;
    meaning: string;
    table: string;
    path: string;
    role?: Role;
    writer?: Role;
    example: object;
  };
  create(deps: never): {
    create(call: Call): Promise<{ id: number }>;
    update(call: Call): Promise<object>;
    delete(call: Call): Promise<void>;
  };
  fields: Fields<Record<string, unknown>>;
  things(scope: Scope<never>): Promise<{ id: number; settings: object }[]>;
  asksFor(body: object, settings: object): boolean;
  kind: string;
  kinds: string;
  verbs: readonly string[];
  exported(at: Viewing, deps?: object): AsyncGenerator<object>;
}

const underscored = (words: string) => words.replaceAll(' ', '_');

const pascal = (words: string) =>
  words.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());
