/** Which methods each known path has, for the answer to a wrong one. */
export interface PathTable {
  /** @param pattern such as `/monitors/:id`. */
  add(method: string | readonly string[], pattern: string): void;
  /** The methods of a path as it was sent, in the order they were added; none when no pattern fits. */
  methodsOf(path: string): string[];
}

export function createPathTable(): PathTable {
  const table = new Map<string, { form: RegExp; methods: Set<string> }>();

  return {
    add(method, pattern) {
      const entry = table.get(pattern) ?? { form: formOf(pattern), methods: new Set<string>() };
      for (const name of [method].flat()) entry.methods.add(name);
      table.set(pattern, entry);
    },
    methodsOf(path) {
      const found = [...table.values()].filter(({ form }) => form.test(path));
      return [...new Set(found.flatMap(({ methods }) => [...methods]))];
    },
  };
}

function formOf(pattern: string): RegExp {
  const parts = pattern.split('/').filter((part) => part !== '');
  const forms = parts.map((part) =>
    part.startsWith(':') ? '/[^/]+' : `/${part.replace(/[.+*?^$()|[\]{}\\]/g, '\\$&')}`,
  );
  return new RegExp(`^${forms.join('')}/?$`);
}
