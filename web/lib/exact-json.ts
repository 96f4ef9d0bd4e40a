/** What the typings lack (ECMAScript proposal "JSON.parse source text access"). */
declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context?: Source) => unknown,
    ): unknown;
    rawJSON(text: string): ExactNumber;
  }
}

/** Browsers without the proposal pass none: they round such numbers. */
type Source = { source?: string };

/** A number as it was written, which `JSON.stringify` writes alike: JavaScript would round 9007199254740993. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Parses an answer of the API, in which numbers named `value` may be of any length. */
export function parseAnswer(text: string): unknown {
  if (!text.includes('"value"')) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) =>
    key === 'value' ? exact(value, context) : value,
  );
}

/** Parses JSON whose numbers keep all of their digits. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value, context) => exact(value, context));
}

function exact(value: unknown, context?: Source): unknown {
  const source = typeof value === 'number' ? context?.source : undefined;
  return source === undefined || String(value) === source ? value : JSON.rawJSON(source);
}
