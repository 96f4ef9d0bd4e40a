/** The values that are not empty, without spaces around them. */
export function filled<Name extends string>(
  values: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const entries = Object.entries<string>(values).map(
    ([name, text]) => [name, text.trim()] as const,
  );
  return Object.fromEntries(entries.filter(([, text]) => text !== '')) as Partial<
    Record<Name, string>
  >;
}
