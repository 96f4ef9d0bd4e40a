import { parseExactJson } from './exact-json.ts';
import { SecretUnreadable, type RowSecrets } from './secret-box.ts';

export type Stored = string | number | null;

/** Opens the sealed text of a column of one row. Returns undefined where no key fits. */
export type Open = (sealed: string, column: string) => string | undefined;

export type Seal = (text: string, column: string) => string;

/** Conversion between values of one kind and their column. A codec never sees null: null is stored as null. */
export interface Codec {
  toColumn(value: never, seal: Seal, name: string): Stored;
  fromColumn(column: never, open: Open, name: string): unknown;
}

export const plain: Codec = {
  toColumn: (value: string | number) => value,
  fromColumn: (column: Stored) => column,
};

/** A boolean as 0 or 1. */
export const flag: Codec = {
  toColumn: (value: boolean) => Number(value),
  fromColumn: (column: number) => column === 1,
};

export const json: Codec = {
  toColumn: (value: object) => JSON.stringify(value),
  fromColumn: (column: string): unknown => JSON.parse(column),
};

/** An object with numbers that come back as they were written. */
export const exactJson: Codec = {
  ...json,
  fromColumn: (column: string): unknown => parseExactJson(column),
};

export const sealed: Codec = {
  toColumn: (value: string, seal, name) => seal(value, name),
  fromColumn: (column: string, open, name) => open(column, name),
};

export const sealedJson: Codec = {
  toColumn: (value: object, seal, name) => seal(JSON.stringify(value), name),
  fromColumn(column: string, open, name): unknown {
    const text = open(column, name);
    return text === undefined ? undefined : JSON.parse(text);
  },
};

/** @param name of the column, to which a sealed value is bound. */
export function writeColumn(codec: Codec, value: unknown, seal: Seal, name: string): Stored {
  return value === null || value === undefined ? null : codec.toColumn(value as never, seal, name);
}

export function readColumn(codec: Codec, column: Stored, open: Open, name: string): unknown {
  return column === null ? null : codec.fromColumn(column as never, open, name);
}

/** Opens what a key fits, and leaves the rest: a row is shown even when its secrets can't be read. */
export function openIfPossible(secrets: Pick<RowSecrets, 'open'>): Open {
  return (text, column) => {
    try {
      return secrets.open(text, column);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  };
}
