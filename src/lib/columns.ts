import { parseExactJson } from './exact-json.ts';
import type { SecretBox } from './secret-box.ts';

/** The content of a database column. */
export type Stored = string | number | null;

/** Opens a sealed text. Returns undefined where no key fits. */
export type Open = (sealed: string) => string | undefined;

/** Conversion between values of one kind and their column. A codec never sees null: null is stored as null. */
export interface Codec {
  toColumn(value: never, box: Pick<SecretBox, 'seal'>): Stored;
  /** Returns undefined where a sealed column can't be opened. */
  fromColumn(column: never, open: Open): unknown;
}

/** Text and numbers, as they are. */
export const plain: Codec = {
  toColumn: (value: string | number) => value,
  fromColumn: (column: Stored) => column,
};

/** A boolean as 0 or 1. */
export const flag: Codec = {
  toColumn: (value: boolean) => Number(value),
  fromColumn: (column: number) => column === 1,
};

/** A list or an object as JSON. */
export const json: Codec = {
  toColumn: (value: object) => JSON.stringify(value),
  fromColumn: (column: string): unknown => JSON.parse(column),
};

/** An object with numbers that come back as they were written. */
export const exactJson: Codec = {
  ...json,
  fromColumn: (column: string): unknown => parseExactJson(column),
};

/** A secret text. */
export const sealed: Codec = {
  toColumn: (value: string, box) => box.seal(value),
  fromColumn: (column: string, open) => open(column),
};

/** A secret list or object. */
export const sealedJson: Codec = {
  toColumn: (value: object, box) => box.seal(JSON.stringify(value)),
  fromColumn(column: string, open): unknown {
    const text = open(column);
    return text === undefined ? undefined : JSON.parse(text);
  },
};

export function writeColumn(codec: Codec, value: unknown, box: Pick<SecretBox, 'seal'>): Stored {
  return value === null || value === undefined ? null : codec.toColumn(value as never, box);
}

export function readColumn(codec: Codec, column: Stored, open: Open): unknown {
  return column === null ? null : codec.fromColumn(column as never, open);
}

/** Opens what a key fits, and leaves the rest: a row is shown even when its secrets can't be read. */
export function openIfPossible(box: Pick<SecretBox, 'open'>): Open {
  return (text) => {
    try {
      return box.open(text);
    } catch {
      return undefined;
    }
  };
}
