/** ISO 8601 in UTC with milliseconds and `Z` (completions, section 1), from epoch milliseconds. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
