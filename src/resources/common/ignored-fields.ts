/** Fields that were read, by the body or query that they were read from: schemas or lists of names. */
const read = new WeakMap<object, { has(name: string): boolean }[]>();

/** Records that these fields of a body or query were read. */
export function markRead(input: object, names: Iterable<string>): void {
  addReader(input, new Set(names));
}

/** Records that the fields of a schema were read. Takes the shape itself, since a list is read often. */
export function markShapeRead(input: object, shape: object): void {
  addReader(input, { has: (name) => Object.hasOwn(shape, name) });
}

function addReader(input: object, reader: { has(name: string): boolean }): void {
  const others = read.get(input);
  if (others === undefined) read.set(input, [reader]);
  else others.push(reader);
}

/** True if any field of the body or query was read. */
export function wasRead(input: object): boolean {
  return read.has(input);
}

/** Nested names that were ignored, by the body that they are in. */
const nested = new WeakMap<object, string[]>();

/** Records that these nested fields of a body were ignored. @param names dotted, such as `monitors.0.name`. */
export function markNestedIgnored(input: object, names: readonly string[]): void {
  nested.set(input, [...names]);
}

/** Fields of a body or query that nothing has read, in the order of the request; none if it is no object. */
export function unreadNames(input: unknown): string[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const readers = read.get(input) ?? [];
  const unread = Object.keys(input).filter((name) => !readers.some((reader) => reader.has(name)));
  return [...unread, ...(nested.get(input) ?? [])];
}
