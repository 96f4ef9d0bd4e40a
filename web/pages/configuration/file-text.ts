/** A document as a file has it: secrets as `{env: NAME}`, where the API has `{from: 'env NAME'}`. */
export function fileText(document: object): string {
  return JSON.stringify(
    document,
    (_, value: unknown) => {
      const { from, ...more } = Object(value) as { from?: unknown };
      const isSecret = typeof from === 'string' && from.startsWith('env ');
      return isSecret && Object.keys(more).length === 0 ? { env: from.slice(4) } : value;
    },
    2,
  );
}
