import { z } from 'zod';
import { fromTarget, fromTeam, type TargetText } from './target-text.ts';

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

/** What a tool shows of an answer: one table of fields. */
export interface Shown<Answer, Of> {
  fields: Of;
  /** What the table does not name is never sent. */
  view(answer: Answer, view: View): ContentOf<Of, Answer>;
}

/** What a field of the content is: `true` shows the answer's field of that name as it is. The functions below make the others. */
type Entry<Answer> = true | Field<Answer>;

export type Table<Answer> = Readonly<Record<string, Entry<Answer>>>;

/** How a value is shown that is not null, by its schema in the answer. */
type Way = (own: z.ZodType) => (value: never, view: View) => unknown;

const asItIs: Way = () => (value) => value;

interface Field<Answer, Value = unknown> {
  /** @param answer schema of the whole answer. @returns how the properties of the content are made. */
  bind(name: string, answer: z.ZodType): (answer: Answer, view: View) => Content;
  way: Way;
  /** Only a type. */
  value?: Value;
}

/** The content that a table shows of an answer. */
export type ContentOf<Of, Answer> = {
  -readonly [Name in keyof Of]: Of[Name] extends true
    ? Name extends keyof Answer
      ? Answer[Name]
      : unknown
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
    view: (value, view) => Object.assign({}, ...bound.map((show) => show(value, view))) as never,
  };
}

const fieldOf = <Answer>(entry: Entry<Answer>) => (entry === true ? field({}, asItIs) : entry);

/** Where a field comes from. */
interface From {
  /** Name of the answer's field, by default its own; `monitor.id` for a field of a field. */
  from?: string;
  /** Whether it is left out while it is null. */
  ifAny?: true;
}

function field<Value>({ from, ifAny }: From, way: Way): Field<unknown, Value> {
  return {
    way,
    bind(name, answer) {
      const path = (from ?? name).split('.');
      const show = way(schemaAt(answer, path));
      return (value, view) => {
        const own = valueAt(value, path);
        if (own === undefined || (own === null && ifAny)) return {};
        return { [name]: own === null ? null : show(own as never, view) };
      };
    },
  };
}

/** The answer's field of another name. */
export const as = <Value>(from: string, options: Omit<From, 'from'> = {}) =>
  field<Value>({ ...options, from }, asItIs);

/** A value that is made of the answer; undefined leaves it out. */
export function made<Answer, Value>(
  make: (answer: Answer, view: View) => Value | undefined,
): Field<Answer, Value> {
  return {
    way: () => make,
    bind: (name) => (answer, view) => {
      const value = make(answer, view);
      return value === undefined ? {} : { [name]: value };
    },
  };
}

/** A text that a target sent. @param most characters, where the view has more. */
export function target({ most = Infinity, ...from }: From & { most?: number } = {}) {
  return field<TargetText>(
    from,
    () =>
      (text: string, { textLimit }) =>
        fromTarget(text, Math.min(textLimit, most)),
  );
}

/** A text of the team. @param most characters; by default those of the view. */
export function team(most?: number, from: From = {}) {
  return field<string>(
    from,
    () =>
      (text: string, { textLimit }) =>
        fromTeam(text, most ?? textLimit),
  );
}

/** Fields of an object in the answer. */
export function part<Value>(fields: Table<Value>, from: From = {}) {
  return field<Value>(from, partly(fields));
}

function partly<Answer>(fields: Table<Answer>): Way {
  return (own) => shown(own as z.ZodType<Answer>, fields).view;
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
    const show = wayOf(of)((own as z.ZodArray).element as z.ZodType);
    return (items: readonly Item[], view) =>
      (order?.(items) ?? items).slice(0, most(view)).map((item) => show(item as never, view));
  });
}

/** Some items of a list, and beside it the number of all when some are left out. */
export function cut<Item>(of: ItemOf<Item>, options: ListOptions<Item> = {}): typeof items {
  const items = list(of, options);
  return {
    ...items,
    bind(name, answer) {
      const show = items.bind(name, answer);
      return (value, view) => {
        const content = show(value, view);
        const total = valueAt(value, (options.from ?? name).split('.')) as unknown[] | undefined;
        const sent = content[name] as unknown[] | null | undefined;
        const isCut = sent && sent.length !== total?.length;
        return isCut ? { ...content, [`${name}_total`]: total!.length } : content;
      };
    },
  };
}

/** As `cut`, of items that are made of the answer. */
export function cutMade<Answer, Item>(
  make: (answer: Answer, view: View) => readonly Item[],
): Field<Answer, Item[]> {
  return {
    ...made(make as (answer: Answer, view: View) => Item[]),
    bind: (name) => (answer, view) => {
      const all = make(answer, view);
      const total = all.length > view.itemLimit && { [`${name}_total`]: all.length };
      return { [name]: all.slice(0, view.itemLimit), ...total };
    },
  };
}

/** The length of a list. */
export const count = (from: string) =>
  field<number>(
    { from },
    () =>
      ({ length }: readonly unknown[]) =>
        length,
  );

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
        const show = bind(...args);
        return (answer, view) => (isShown(answer as Answer, view) ? show(answer, view) : {});
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
function schemaAt(answer: z.ZodType, path: readonly string[]): z.ZodType {
  let core = answer;
  for (const name of path) {
    const next =
      core instanceof z.ZodObject ? (core.shape[name] as z.ZodType | undefined) : undefined;
    if (next === undefined) throw new Error(`The answer has no field ${path.join('.')}.`);
    core = next;
    while (core instanceof z.ZodNullable || core instanceof z.ZodOptional)
      core = core.unwrap() as z.ZodType;
  }
  return core;
}

/** A field that is left out while it is null. */
export const ifAny: Field<unknown> = field({ ifAny: true }, asItIs);

/** Schema of the items of a list. */
export function itemsOf<Item>(answer: z.ZodType<{ data: Item[] }>): z.ZodType<Item> {
  const { data } = (answer as unknown as z.ZodObject<{ data: z.ZodArray<z.ZodType<Item>> }>).shape;
  return data.element;
}
