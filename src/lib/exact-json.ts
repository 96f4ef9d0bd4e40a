/** What the typings lack (ECMAScript proposal "JSON.parse source text access"). */
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** A number as it was written, which a number of JavaScript does not keep: 9007199254740993, 1.0, 1e400. */
export interface ExactNumber {
  readonly rawJSON: string;
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value);
}

/**
 * Parses JSON and keeps numbers named `value` as they were written, so that `JSON.stringify` writes them alike. Other
 * numbers are settings of ours, for which a number of JavaScript is enough.
 */
export function parseExactJson(text: string): unknown {
  return text.includes('"value"') ? JSON.parse(text, keepSpelling) : JSON.parse(text);
}

/** Browsers without the proposal pass no source. */
function keepSpelling(key: string, value: unknown, context?: { source?: string }): unknown {
  const source = key === 'value' && typeof value === 'number' ? context?.source : undefined;
  return source === undefined || String(value) === source ? value : JSON.rawJSON(source);
}
