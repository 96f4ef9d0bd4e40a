/** A field of a filter: its value where the address does not name it, and how the address is read. */
interface Field<Value> {
  empty: Value;
  /** Unknown texts are as if they were missing. */
  read: (text: string) => Value;
  /** In the address, unless it has the name of the field. */
  name?: string;
}

/** Any text. @param isValid what else is as if it were missing */
export const anyText = (isValid = (_text: string) => true): Field<string> => ({
  empty: '',
  read: (given) => (isValid(given) ? given : ''),
});

/** One of these values, or what stands for none of them. */
export const oneOf = <Value extends string, Empty extends string>(
  values: readonly Value[],
  empty: Empty,
): Field<Value | Empty> => ({
  empty,
  read: (given) => values.find((value) => value === given) ?? empty,
});

/** A positive whole number, such as an id. */
export const number = <Empty extends number | null>(empty: Empty): Field<number | Empty> => ({
  empty,
  read: (given) =>
    Number.isSafeInteger(Number(given)) && Number(given) > 0 ? Number(given) : empty,
});

/** A filter that the query of an address holds. Pure. */
export function addressFilter<Filter extends object>(fields: {
  [Name in keyof Filter]: Field<Filter[Name]>;
}) {
  const all = Object.entries<Field<unknown>>(fields);
  const mapped = (valueOf: (field: Field<unknown>, name: string) => unknown) =>
    Object.fromEntries(
      all.map(([key, field]) => [key, valueOf(field, field.name ?? key)]),
    ) as Filter;
  return {
    empty: mapped(({ empty }) => empty),

    read(search: string): Filter {
      const query = new URLSearchParams(search);
      return mapped(({ empty, read }, name) => (query.has(name) ? read(query.get(name)!) : empty));
    },

    /** With its question mark, without what is empty: "" or "?status=open&page=2". */
    write(filter: Filter): string {
      const query = new URLSearchParams();
      for (const [key, { name = key, empty }] of all)
        if (filter[key as keyof Filter] !== empty)
          query.set(name, String(filter[key as keyof Filter]));
      return query.size === 0 ? '' : `?${query}`;
    },
  };
}
