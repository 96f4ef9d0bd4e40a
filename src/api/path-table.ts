export type PathTable = ReturnType<typeof createPathTable>;

interface Entry {
  pattern: string;
  regExp: RegExp;
  methods: Set<string>;
}

export function createPathTable() {
  const table = new Map<string, Entry>();
  /** By pattern, those that take precedence over it; mostly none. */
  const preceding = new Map<string, Entry[]>();

  function precedingOf(pattern: string): Entry[] {
    const known = preceding.get(pattern);
    if (known !== undefined) return known;
    const found = [...table.values()].filter((other) => takesPrecedence(other.pattern, pattern));
    preceding.set(pattern, found);
    return found;
  }

  return {
    /** @param pattern such as `/monitors/:id`. */
    add(method: string | readonly string[], pattern: string) {
      const entry = table.get(pattern) ?? {
        pattern,
        regExp: regExpOf(pattern),
        methods: new Set(),
      };
      for (const name of [method].flat()) entry.methods.add(name);
      table.set(pattern, entry);
      preceding.clear();
    },
    /**
     * Methods of a path in the order they were added; none when no pattern matches. Literal segments take precedence over
     * parameters: `/users/invitations` is not a `/users/:id`.
     */
    methodsOf(path: string) {
      const matching = [...table.values()].filter(({ regExp: form }) => form.test(path));
      const first = matching.find(
        ({ pattern }) => !matching.some((other) => takesPrecedence(other.pattern, pattern)),
      );
      return [...(first?.methods ?? [])];
    },
    /** True when a path that matches this pattern belongs to another one that takes precedence. */
    belongsToOther: (pattern: string, path: string) =>
      precedingOf(pattern).some(({ regExp: form }) => form.test(path)),
  };
}

const partsOf = (pattern: string) => pattern.split('/').filter((part) => part !== '');

/** Where two patterns first differ, a literal takes precedence over a parameter; two literals never match one path. */
function takesPrecedence(one: string, other: string): boolean {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  if (ours.length !== theirs.length) return false;
  const index = ours.findIndex((part, at) => part !== theirs[at]);
  return index !== -1 && !ours[index]!.startsWith(':') && theirs[index]!.startsWith(':');
}

function regExpOf(pattern: string): RegExp {
  const forms = partsOf(pattern).map((part) =>
    part.startsWith(':') ? '/[^/]+' : `/${part.replace(/[.+*?^$()|[\]{}\\]/g, '\\$&')}`,
  );
  return new RegExp(`^${forms.join('')}/?$`);
}
