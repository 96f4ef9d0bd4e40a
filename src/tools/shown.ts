import { z } from 'zod';
import { kindOf } from '../lib/schemas.ts';
import { fromTarget, fromTeam, targetText, type TargetText } from './target-text.ts';

/** How an answer is shown. */
export interface View {
  /** Time of the answer in epoch milliseconds. */
  now: number;
  /** False for the compact form, which is the default. */
  detail: boolean;
  /** Maximum length of texts from targets, in characters. It is lowered until an answer fits. */
  textLimit: number;
  /** Maximum number of entries of a list inside an answer or item. It is lowered until an answer fits. */
  itemLimit: number;
  /** What was sent, where the answer does not say it. */
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** What a tool answers: an object whose texts of targets are marked (target-text.ts). */
export type Content = Record<string, unknown>;

/** What a tool shows of an answer: one table of fields, from which the schema of the content and the content follow. */
export interface Shown<Answer, Of> {
  fields: Of;
  schema: z.ZodObject;
  /** What the table does not name is never sent. */
  view(answer: Answer, view: View): ContentOf<Of, Answer>;
}

/**
 * What a field of the content is. `true` shows the answer's field of that name as it is, a text does so and describes it,
 * and a schema takes the place of its own. The functions below make the others.
 */
type Entry<Answer> = true | string | z.ZodType | Field<Answer>;

export type Table<Answer> = Readonly<Record<string, Entry<Answer>>>;

/** How a value is shown that is not null, by its schema in the answer. */
type Way = (own: z.ZodType) => {
  schema: z.ZodType;
  show(value: never, view: View): unknown;
};

const asItIs: Way = (own) => ({ schema: kindOf(own, time), show: (value) => value });

interface Field<Answer, Value = unknown> {
  /** @param answer schema of the whole answer. */
  bind(name: string, answer: z.ZodType): Bound<Answer>;
  way: Way;
  /** Only a type. */
  value?: Value;
}

interface Bound<Answer> {
  /** Properties of the content. */
  shape: Record<string, z.ZodType>;
  show(answer: Answer, view: View): Content;
}

/** The content that a table shows of an answer. */
export type ContentOf<Of, Answer> = {
  -readonly [Name in keyof Of]: Of[Name] extends true | string
    ? Name extends keyof Answer
      ? Answer[Name]
      : unknown
    : Of[Name] extends z.ZodType
      ? z.output<Of[Name]>
      : Of[Name] extends { value?: infer Value }
        ? Value
        : unknown;
};

/** Declares what is shown of the answers that a schema describes. Throws for a field that they do not have. */
export function shown<Answer, const Of extends Table<Answer>>(
  answer: z.ZodType<Answer>,
  fields: Of,
): Shown<Answer, Of> {
  const bound = Object.entries<Entry<Answer>>(fields).map(([name, entry]) =>
    fieldOf(entry).bind(name, answer),
  );
  return {
    fields,
    schema: z.object(Object.assign({}, ...bound.map(({ shape }) => shape))),
    view: (value, view) =>
      Object.assign({}, ...bound.map(({ show }) => show(value, view))) as never,
  };
}

function fieldOf<Answer>(entry: Entry<Answer>): Field<Answer> {
  if (entry === true) return field({}, asItIs);
  if (typeof entry === 'string') return field({ description: entry }, asItIs);
  if (!(entry instanceof z.ZodType)) return entry;
  return {
    way: () => ({ schema: entry, show: (value) => value }),
    bind: (name) => ({
      shape: { [name]: entry },
      show(answer) {
        const value = (answer as Content)[name];
        return value === undefined ? {} : { [name]: value };
      },
    }),
  };
}

/** Where a field comes from, and what is said of it. */
interface From {
  /** Name of the answer's field, by default its own; `monitor.id` for a field of a field. */
  from?: string;
  description?: string;
  /** Whether it is left out while it is null. */
  ifAny?: true;
}

function field<Value>({ from, description, ifAny }: From, way: Way): Field<unknown, Value> {
  return {
    way,
    bind(name, answer) {
      const path = (from ?? name).split('.');
      const { core, isNullable, isOptional } = schemaAt(answer, path);
      const { schema, show } = way(core);
      const orNull = isNullable && !ifAny ? schema.nullable() : schema;
      const said = description === undefined ? orNull : orNull.meta({ description });
      return {
        shape: { [name]: isOptional || ifAny ? said.optional() : said },
        show(value, view) {
          const own = valueAt(value, path);
          if (own === undefined || (own === null && ifAny)) return {};
          return { [name]: own === null ? null : show(own as never, view) };
        },
      };
    },
  };
}

/** The answer's field of another name. */
export function as<Value>(from: string, options: Omit<From, 'from'> = {}) {
  return field<Value>({ ...options, from }, asItIs);
}

/** A value that is made of the answer; undefined leaves it out. */
export function made<Answer, Schema extends z.ZodType>(
  schema: Schema,
  make: (answer: Answer, view: View) => z.input<Schema> | undefined,
): Field<Answer, z.output<Schema>> {
  return {
    way: () => ({ schema, show: make }),
    bind: (name) => ({
      shape: { [name]: schema },
      show(answer, view) {
        const value = make(answer, view);
        return value === undefined ? {} : { [name]: value };
      },
    }),
  };
}

/** A text that a target sent. @param most characters, where the view has more. */
export function target({ most = Infinity, ...from }: From & { most?: number } = {}) {
  return field<TargetText>(from, () => ({
    schema: targetText,
    show: (text: string, { textLimit }) => fromTarget(text, Math.min(textLimit, most)),
  }));
}

/** A text of the team. @param most characters; by default those of the view. */
export function team(most?: number, from: From = {}) {
  return field<string>(from, () => ({
    schema: z.string(),
    show: (text: string, { textLimit }) => fromTeam(text, most ?? textLimit),
  }));
}

/** Fields of an object in the answer. */
export function part<Value>(fields: Table<Value>, from: From = {}) {
  return field<Value>(from, partly(fields));
}

function partly<Answer>(fields: Table<Answer>): Way {
  return (own) => {
    const { schema, view } = shown(own as z.ZodType<Answer>, fields);
    return { schema, show: view };
  };
}

interface ListOptions<Item> extends From {
  /** Items at most; by default those of the view. */
  most?: (view: View) => number;
  order?: (items: readonly Item[]) => readonly Item[];
}

type ItemOf<Item> = true | Table<Item> | Field<Item>;

/** Some items of a list. */
export function list<Item>(
  of: ItemOf<Item>,
  { most = ({ itemLimit }) => itemLimit, order, ...from }: ListOptions<Item> = {},
) {
  return field<readonly Item[]>(from, (own) => {
    const { schema, show } = wayOf(of)((own as z.ZodArray).element as z.ZodType);
    return {
      schema: z.array(schema),
      show: (items: readonly Item[], view) =>
        (order?.(items) ?? items).slice(0, most(view)).map((item) => show(item as never, view)),
    };
  });
}

/** Some items of a list, and beside it the number of all when some are left out. */
export function cut<Item>(of: ItemOf<Item>, options: ListOptions<Item> = {}): typeof items {
  const items = list(of, options);
  return {
    ...items,
    bind(name, answer) {
      const { shape, show } = items.bind(name, answer);
      const total = count(options.from ?? name).bind(`${name}_total`, answer);
      return {
        shape: { ...shape, [`${name}_total`]: z.int().optional() },
        show(value, view) {
          const shownItems = show(value, view);
          const all = total.show(value, view);
          const sent = shownItems[name] as unknown[] | null | undefined;
          const isCut = sent && sent.length !== all[`${name}_total`];
          return isCut ? { ...shownItems, ...all } : shownItems;
        },
      };
    },
  };
}

/** As `cut`, of items that are made of the answer. */
export function cutMade<Answer, Schema extends z.ZodType>(
  item: Schema,
  make: (answer: Answer, view: View) => readonly z.input<Schema>[],
): Field<Answer, unknown[]> {
  const items = made(z.array(item), make as (answer: Answer, view: View) => z.input<Schema>[]);
  return {
    ...items,
    bind: (name) => ({
      shape: { [name]: z.array(item), [`${name}_total`]: z.int().optional() },
      show(answer, view) {
        const all = make(answer, view);
        const total = all.length > view.itemLimit && { [`${name}_total`]: all.length };
        return { [name]: all.slice(0, view.itemLimit), ...total };
      },
    }),
  };
}

/** The length of a list. */
export function count(from: string, description?: string) {
  return field<number>({ from, ...(description !== undefined && { description }) }, () => ({
    schema: z.int(),
    show: ({ length }: readonly unknown[]) => length,
  }));
}

function wayOf<Item>(of: ItemOf<Item>): Way {
  if (of === true) return asItIs;
  return typeof of.way === 'function' ? (of as Field<Item>).way : partly(of as Table<Item>);
}

/** Fields that are shown with detail only. */
export function detailed<const Of extends Table<never>>(fields: Of) {
  return shownIf((_, { detail }) => detail, fields);
}

/** Fields that are shown of some answers only. */
export function shownIf<Answer, const Of extends Table<never>>(
  isShown: (answer: Answer, view: View) => boolean,
  fields: Of,
): { [Name in keyof Of]: Field<unknown> } {
  const entries = Object.entries<Entry<never>>(fields).map(([name, entry]) => {
    const { bind, way } = fieldOf(entry);
    const atTimes: Field<never> = {
      way,
      bind(...args) {
        const { shape, show } = bind(...args);
        const optional = Object.entries(shape).map(([key, schema]) => [key, schema.optional()]);
        return {
          shape: Object.fromEntries(optional),
          show: (answer, view) => (isShown(answer as Answer, view) ? show(answer, view) : {}),
        };
      },
    };
    return [name, atTimes];
  });
  return Object.fromEntries(entries);
}

function valueAt(answer: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (value === null ? null : (value as Content | undefined)?.[name]),
    answer,
  );
}

/** Schema of a field, without null and absence. */
function schemaAt(answer: z.ZodType, path: readonly string[]) {
  let [core, isNullable, isOptional] = [answer, false, false];
  for (const name of path) {
    const next =
      core instanceof z.ZodObject ? (core.shape[name] as z.ZodType | undefined) : undefined;
    if (next === undefined) throw new Error(`The answer has no field ${path.join('.')}.`);
    core = next;
    for (
      ;
      core instanceof z.ZodNullable || core instanceof z.ZodOptional;
      core = core.unwrap() as z.ZodType
    )
      if (core instanceof z.ZodNullable) isNullable = true;
      else isOptional = true;
  }
  return { core, isNullable, isOptional };
}

/** A field that is left out while it is null. */
export const ifAny: Field<unknown> = field({ ifAny: true }, asItIs);

/** Schema of the items of a list. */
export function itemsOf<Item>(answer: z.ZodType<{ data: Item[] }>): z.ZodType<Item> {
  const { data } = (answer as unknown as z.ZodObject<{ data: z.ZodArray<z.ZodType<Item>> }>).shape;
  return data.element;
}

export const time = z.string().meta({ description: 'ISO 8601, UTC.' });
