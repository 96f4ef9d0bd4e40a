import { channelType } from '../../alerting/channels/index.ts';
import type { Section } from '../../configuration/document.ts';
import type { Caller, Role } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Refers } from '../../monitor-types/field.ts';
import type { Tx } from '../../store/database/contract.ts';
import type { AnyCollection } from '../common/collection.ts';
import { callWithin } from '../common/operation.ts';
import { DEFAULT_SETTINGS } from '../status-pages/fields.ts';
import { isTree, storedSecret } from './secrets.ts';

/** Fields of a thing by their names. Ids of other things are ids, secrets are `StoredSecret`. */
export type Fields = Readonly<Record<string, unknown>>;

/** Something that a team has, as an item of a set would ask for it. */
export interface Thing {
  id: number;
  name: string;
  fields: Fields;
  /** For `asksFor`. */
  stored: object;
  /** True where all that one of its lists names is gone: as an empty list, it may mean everything. */
  namesOnlyGone?: boolean;
}

/** A transaction of a team in which things are read and changed. */
export interface Scope {
  tx: Tx;
  caller: Caller;
  clock: Pick<Clock, 'now'>;
}

/** A list of things of a team that sets can have. */
export interface Kind {
  section: Section;
  /** In the audit log. */
  kind: string;
  /** In sentences, such as `alert channel`. */
  noun: string;
  /** Least roles that read and that change such things. */
  reader: Role;
  writer: Role;
  /** Fields whose ids stand for other things. */
  refers: Readonly<Record<string, Refers>>;
  things(scope: Scope): Promise<Thing[]>;
  /**
   * What a thing and an item must share, beside a name, for the item to take the thing over, such as the target of a monitor;
   * absent where the name says enough.
   */
  identityOf?(fields: Fields): string;
  /** Fields whose values are not known any more, so that no export has them. */
  unexported?: readonly string[];
  /** Names of the fields that an item may have. */
  names(fields: Fields): readonly string[];
  /** All fields of a request: what an item leaves out gets its default. @param thing null for a new one. */
  complete(fields: Fields, thing: Thing | null): Fields;
  /** Whether nothing would change. False also where only a change can tell. */
  asksFor(thing: Thing, fields: Fields, scope: Scope): boolean;
  /** Default of a field of a thing; undefined without one. */
  defaultOf(name: string, fields: Fields): unknown;
  /** Paths of the values that must not stand in a file. */
  secretsIn(fields: Fields): string[][];
  /**
   * Locks what changes of these things and of new ones lock, in the order in which others lock several. For things whose
   * changes lock more than the team.
   */
  lock?(scope: Scope, ids: readonly number[], creates: boolean): Promise<void>;
  /** Creates things, a few hundred at once. @returns the id of each, or why it was refused. */
  create(scope: Scope, wanted: readonly Fields[]): Promise<(number | Error)[]>;
  update(scope: Scope, thing: Thing, fields: Fields): Promise<void>;
  remove(scope: Scope, id: number): Promise<void>;
  /** What is lost with a thing that is deleted, in words; absent where it is nothing but its settings. */
  history?: string;
  /** Stops a thing without deleting it; absent where it can only stay. */
  retire?(scope: Scope, thing: Thing): Promise<void>;
}

/** A call of an operation for an item. */
export const callOf = (caller: Caller, id: number, body: unknown) =>
  callWithin(caller, { path: { id: String(id) }, body });

/** What a noun adds to what its table of fields says. */
interface Shape {
  /** Fields of which parts are secret, or which are sent otherwise than they are kept. */
  shown(settings: Fields): Fields;
  /** Fields of which parts stay as they are when they are left out. */
  complete(fields: Fields): Fields;
  secretsIn(fields: Fields): string[][];
  history?: string;
}

const partsOf = (value: unknown): Fields => (isTree(value) ? value : {});

const SHAPES: Readonly<Partial<Record<string, Shape>>> = {
  alert_channels: {
    shown({ type, settings }) {
      const known = channelType(type as string)?.fields ?? {};
      const shown = Object.entries(partsOf(settings))
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [
          name,
          known[name]?.secret === false ? value : storedSecret(value),
        ]);
      return {
        settings: settings === undefined ? storedSecret(settings) : Object.fromEntries(shown),
      };
    },
    complete: (fields) => ({
      settings: { ...nulls(Object.keys(settingsOfType(fields))), ...partsOf(fields['settings']) },
    }),
    secretsIn: (fields) =>
      Object.entries(settingsOfType(fields))
        .filter(([, { secret }]) => secret)
        .map(([name]) => ['settings', name]),
  },
  status_pages: {
    shown({ access }) {
      const { type, addresses, password } = partsOf(access);
      return {
        access: {
          type,
          addresses,
          ...(password !== null && { password: storedSecret(password) }),
        },
      };
    },
    complete: ({ settings, access }) => ({
      settings:
        settings == null ? null : { ...nulls(Object.keys(DEFAULT_SETTINGS)), ...partsOf(settings) },
      access:
        access == null ? null : { type: null, addresses: null, password: null, ...partsOf(access) },
    }),
    secretsIn: () => [['access', 'password']],
    history: 'subscribers and announcements',
  },
};

const settingsOfType = ({ type }: Fields) => channelType(type as string)?.fields ?? {};

export const nulls = (names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, null]));

/** The kind that a collection declares. */
export function kindOf(collection: AnyCollection, deps: unknown): Kind {
  const { fields: table, declared, kind } = collection;
  const section = collection.kinds as Section;
  const its = collection.create(deps as never);
  const names = Object.keys(table);
  const secrets = names.filter((name) => table[name]!.secret);
  const shape = SHAPES[section];
  const ofScope = (scope: Scope) =>
    ({ ...scope, now: scope.clock.now(), deps, early: undefined }) as never;
  const shownOf = (settings: Fields): Fields => ({
    ...Object.fromEntries(
      names.map((name) => {
        const { secret, show } = table[name]!;
        const value = settings[name];
        if (secret) return [name, storedSecret(value)];
        return [name, show === undefined || value === null ? value : show(value as never)];
      }),
    ),
    ...shape?.shown(settings),
  });
  return {
    section,
    kind,
    noun: declared.noun,
    reader: declared.role ?? 'viewer',
    writer: declared.writer ?? declared.role ?? 'editor',
    refers: Object.fromEntries(
      names.flatMap((name) => {
        const { refers } = table[name]!;
        return refers === undefined ? [] : [[name, refers]];
      }),
    ),
    async things(scope) {
      const found = await collection.things(ofScope(scope));
      return found.map(({ id, settings }) => {
        const { name } = settings as { name: string };
        return { id, name, fields: shownOf(settings as Fields), stored: settings };
      });
    },
    ...(section === 'alert_channels' && { identityOf: ({ type }: Fields) => String(type) }),
    names: () => names,
    complete(fields, thing) {
      const whole = { ...nulls(names), ...fields, ...shape?.complete(fields) };
      // The address of a page stays.
      if (section === 'status_pages' && thing !== null && fields['slug'] == null)
        return { ...whole, slug: thing.fields['slug'] };
      return whole;
    },
    asksFor: (thing, fields) => collection.asksFor(fields, thing.stored),
    defaultOf(name) {
      const { unset = null, show, required } = table[name]!;
      if (required !== undefined) return undefined;
      return show === undefined || unset === null ? unset : show(unset as never);
    },
    secretsIn: shape?.secretsIn ?? (() => secrets.map((name) => [name])),
    async create({ caller }, wanted) {
      const made: (number | Error)[] = [];
      for (const fields of wanted)
        made.push(
          await its.create(callOf(caller, 0, fields)).then(
            ({ id }) => id,
            (error: Error) => error,
          ),
        );
      return made;
    },
    async update({ caller }, { id }, fields) {
      await its.update(callOf(caller, id, fields));
    },
    remove: ({ caller }, id) => its.delete(callOf(caller, id, undefined)),
    ...(shape?.history !== undefined && { history: shape.history }),
  };
}
