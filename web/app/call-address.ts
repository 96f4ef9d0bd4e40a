/** Where a call of the API goes. */
export interface Address {
  /** Path of the operation, with the names of its parameters in braces. */
  url: string;
  path?: unknown;
  query?: unknown;
}

/** Path and query of a call. Parameters that are undefined or null are left out; a list is sent as one parameter for each value. */
export function addressOf({ url, path, query }: Address): string {
  const values = (path ?? {}) as Record<string, string | number>;
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null) search.append(name, String(one));
    }
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}
