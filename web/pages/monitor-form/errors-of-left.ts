/** Messages by the API's fields. */
export type Errors = Record<string, string[]>;

/** Errors of fields that were left, and of what is inside of them. */
export function errorsOfLeft(errors: Errors, left: ReadonlySet<string>): Errors {
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) =>
      [...left].some((name) => field === name || field.startsWith(`${name}.`)),
    ),
  );
}
