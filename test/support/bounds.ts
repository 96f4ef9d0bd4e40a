type Schema = Record<string, unknown>;

/** Values at the bounds that a JSON Schema gives, and values just beyond them or of another type. */
export function valuesOf(schema: Schema, types: string[]): { sound: unknown[]; wrong: unknown[] } {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema as Record<string, number>;
  if (Array.isArray(schema['enum'])) {
    return { sound: schema['enum'].filter((one) => one !== null), wrong: ['other', 1, true, {}] };
  }
  if (types.includes('integer') || types.includes('number')) {
    const fraction = types.includes('integer') ? [minimum! + 0.5] : [];
    const beyond = [minimum! - 0.5, maximum! + 0.5, ...fraction];
    return { sound: [minimum, maximum], wrong: [...beyond, `${minimum}`, true, [minimum]] };
  }
  if (types.includes('boolean')) return { sound: [true, false], wrong: ['true', 0, {}] };
  if (types.includes('string') && maxLength !== undefined) {
    const sound = ['x'.repeat(minLength!), 'x'.repeat(maxLength)];
    return { sound, wrong: ['x'.repeat(maxLength + 1), '\0x', 1, ['x'], {}] };
  }
  if (types.includes('array') && maxItems !== undefined) {
    const item = schema['items'] as Schema;
    const kinds = (item['anyOf'] as Schema[] | undefined) ?? [item];
    const isCode = kinds.some(({ pattern }) => pattern !== undefined);
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => (isCode ? '200' : `${index}`));
    const other = item['type'] === 'integer' ? ['1'] : [1];
    return { sound: [items(maxItems)], wrong: [items(maxItems + 1), 'x', other, {}] };
  }
  return { sound: [], wrong: [1, true].filter(() => types.includes('string')) };
}
