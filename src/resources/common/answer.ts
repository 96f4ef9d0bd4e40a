import type { z } from 'zod';

type Shape = Record<string, z.ZodType>;

/** A field of an answer: its schema, where its value comes from, and a value for the reference. */
type Shown<Source, Context, Schema extends z.ZodType> = readonly [
  schema: Schema,
  of: (source: Source, context: Context) => z.output<Schema>,
  example?: z.output<Schema>,
];

/** The values of fields. */
export type Values<Of extends Shape> = { [Name in keyof Of]: z.output<Of[Name]> };

/**
 * Declares fields of an answer about a `Source`: `shape` is for its schema, `view` makes the values of one, and `example`
 * has those of the reference.
 */
export function shownAs<Source, Context = void>() {
  return <Of extends Shape>(fields: {
    readonly [Name in keyof Of]: Shown<Source, Context, Of[Name]>;
  }) => {
    const names = Object.keys(fields);
    const values = names.map((name) => fields[name]![1]);
    const part = (at: 0 | 2): unknown =>
      Object.fromEntries(names.map((name) => [name, fields[name]![at]]));
    return {
      shape: part(0) as Of,
      example: part(2) as Values<Of>,
      view(source: Source, context: Context): Values<Of> {
        const view: Record<string, unknown> = {};
        // The fastest way there is, as each monitor and each page of a list is made by it.
        for (let at = 0; at < names.length; at += 1)
          view[names[at]!] = values[at]!(source, context);
        return view as Values<Of>;
      },
    };
  };
}
