/** Longer exponents would take long to compute with. */
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,300}))?$/i;

/** A number other than 0: 0.digits times ten to the power of `exponent`. The digits neither begin nor end with 0. */
interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: bigint;
}

export function isDecimal(text: string): boolean {
  return parseDecimal(text) !== null;
}

/** Compares numbers by their digits, without rounding: below 0, 0 or above 0; null unless both are numbers. */
export function compareDecimals(left: string, right: string): number | null {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  if (a === null || b === null) return null;
  if (a === 0 || b === 0 || a.isNegative !== b.isNegative) return signOf(a) - signOf(b);
  return a.isNegative ? compareSizes(b, a) : compareSizes(a, b);
}

function signOf(number: Decimal | 0): number {
  return number === 0 ? 0 : number.isNegative ? -1 : 1;
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}

function parseDecimal(text: string): Decimal | 0 | null {
  const [, sign, whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  const digits = whole + fraction;
  if (digits === '') return null;
  const first = digits.search(/[1-9]/);
  if (first === -1) return 0;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return {
    isNegative: sign === '-',
    digits: digits.slice(first, end),
    exponent: BigInt(power) + BigInt(whole.length - first),
  };
}
