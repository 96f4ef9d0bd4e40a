/**
 * Writes a value as an indented outline, which models read well and which is shorter than JSON. Texts stand in quotes when
 * they could be taken for something else, so that no text can look like a further line.
 */
export function outline(value: unknown, depth = 0): string {
  return linesOf(value, depth).join('\n');
}

/** Texts that need no quotes: words without line breaks, quotes, colons and brackets. */
const PLAIN = /^[\p{L}\p{N}_#/.+*%$€@?=&;,~()' -][\p{L}\p{N}_#/.+*%$€@?=&;,~()':-]*$/u;

function linesOf(value: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) return value.flatMap((one) => itemLines(one, indent, depth));
  if (typeof value !== 'object' || value === null) return [indent + scalar(value)];
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .flatMap(([name, one]) => {
      if (isSimple(one)) return [`${indent}${name}: ${simple(one)}`];
      return [`${indent}${name}:`, ...linesOf(one, depth + 1)];
    });
}

function itemLines(item: unknown, indent: string, depth: number): string[] {
  if (isSimple(item)) return [`${indent}- ${simple(item)}`];
  const [first = '', ...others] = linesOf(item, depth + 1);
  return [`${indent}- ${first.trimStart()}`, ...others];
}

/** True for what stands on the line of its name: scalars, empty things and lists of scalars. */
function isSimple(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object' || one === null);
  return Object.keys(value).length === 0;
}

function simple(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(scalar).join(', ')}]`;
  return typeof value === 'object' && value !== null ? 'none' : scalar(value);
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return value !== '' && value.trim() === value && PLAIN.test(value)
    ? value
    : JSON.stringify(value);
}
