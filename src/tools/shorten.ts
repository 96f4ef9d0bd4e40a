/** A list under its name; with `…_total`, the number of all, when some are left out. */
export type Cut<Name extends string, Item> = { [Key in Name]: Item[] } & {
  [Key in `${Name}_total`]?: number;
};

/**
 * The first entries of a list inside an answer, with the number of all beside them when some are left out.
 *
 * @param limit entries at most.
 */
export function cut<Name extends string, Item>(
  name: Name,
  list: readonly Item[],
  limit: number,
): Cut<Name, Item> {
  const isCut = list.length > limit;
  return {
    [name]: list.slice(0, limit),
    ...(isCut && { [`${name}_total`]: list.length }),
  } as Cut<Name, Item>;
}

/** An object without what is null: settings that don't apply say nothing. */
export function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<Values>;
}

type Present<Values> = { [Key in keyof Values]?: NonNullable<Values[Key]> };
