/** Which methods each known path has, for the answer to a wrong one. */
export interface PathTable {
  /** @param pattern such as `/monitors/:id`. */
  add(method: string | readonly string[], pattern: string): void;
  /**
   * The methods of a path as it was sent, in the order they were added; none when no pattern fits. Of several patterns
   * that fit, the one counts whose words come first: `/users/invitations` is not a `/users/:id`.
   */
  methodsOf(path: string): string[];
  /** Whether a path that fits this pattern is another pattern's, as `methodsOf` has it. */
  isOfAnother(pattern: string, path: string): boolean;
}

interface Entry {
  pattern: string;
  form: RegExp;
  methods: Set<string>;
}

export function createPathTable(): PathTable {
  const table = new Map<string, Entry>();
  /** By pattern: those that go before it. Nearly all have none. */
  const rivals = new Map<string, Entry[]>();

  function rivalsOf(pattern: string): Entry[] {
    const known = rivals.get(pattern);
    if (known !== undefined) return known;
    const found = [...table.values()].filter((other) => goesBefore(other.pattern, pattern));
    rivals.set(pattern, found);
    return found;
  }

  return {
    add(method, pattern) {
      const entry = table.get(pattern) ?? { pattern, form: formOf(pattern), methods: new Set() };
      for (const name of [method].flat()) entry.methods.add(name);
      table.set(pattern, entry);
      rivals.clear();
    },
    methodsOf(path) {
      const fitting = [...table.values()].filter(({ form }) => form.test(path));
      const first = fitting.find(
        ({ pattern }) => !fitting.some((other) => goesBefore(other.pattern, pattern)),
      );
      return [...(first?.methods ?? [])];
    },
    isOfAnother: (pattern, path) => rivalsOf(pattern).some(({ form }) => form.test(path)),
  };
}

const partsOf = (pattern: string) => pattern.split('/').filter((part) => part !== '');

/** Where two patterns first differ, a word goes before a parameter; two words fit no path together. */
function goesBefore(one: string, other: string): boolean {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  if (ours.length !== theirs.length) return false;
  const index = ours.findIndex((part, at) => part !== theirs[at]);
  return index !== -1 && !ours[index]!.startsWith(':') && theirs[index]!.startsWith(':');
}

function formOf(pattern: string): RegExp {
  const forms = partsOf(pattern).map((part) =>
    part.startsWith(':') ? '/[^/]+' : `/${part.replace(/[.+*?^$()|[\]{}\\]/g, '\\$&')}`,
  );
  return new RegExp(`^${forms.join('')}/?$`);
}
