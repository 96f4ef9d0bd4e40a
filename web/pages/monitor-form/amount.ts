/** Duration as people write it: a number, and a unit. */
export interface Amount {
  text: string;
  unit: Unit;
}

export const UNIT_SECONDS = { s: 1, min: 60, h: 3_600, d: 86_400 } as const;
export type Unit = keyof typeof UNIT_SECONDS;
const UNITS: readonly Unit[] = ['d', 'h', 'min', 's'];

/** Writes seconds in the largest unit that needs no fraction; empty for null. */
export function amountOf(seconds: number | null, unit: Unit = 'min'): Amount {
  if (seconds === null) return { text: '', unit };
  const fitting = UNITS.find((one) => seconds !== 0 && seconds % UNIT_SECONDS[one] === 0) ?? 's';
  return { text: String(seconds / UNIT_SECONDS[fitting]), unit: fitting };
}

/** Seconds of an amount; null for none. Text that is no number stays as it is: the API says what is wrong with it. */
export function secondsOf({ text, unit }: Amount): number | string | null {
  const number = numberOf(text);
  return typeof number === 'number' ? number * UNIT_SECONDS[unit] : number;
}

/** Number of a text; null for none, and the text itself where it is no number. */
export function numberOf(text: string): number | string | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}
