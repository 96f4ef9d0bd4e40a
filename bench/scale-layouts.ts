import { REGIONS } from './preload.ts';

/** What a process of a layout is for; `whole` has all roles. */
export type Kind = 'whole' | 'api' | 'scheduler' | 'worker' | 'probe';

export interface LayoutProcess {
  kind: Kind;
  count: number;
  /** Of a probe; each process of the entry has all of them. */
  regions?: readonly string[];
}

export interface Layout {
  /** What is different about it. */
  about: string;
  processes: readonly LayoutProcess[];
}

const ONE_OF_EACH: readonly LayoutProcess[] = [
  { kind: 'api', count: 1 },
  { kind: 'scheduler', count: 1 },
  { kind: 'worker', count: 1 },
];

/** Sets of processes that `npm run bench -- scale` measures. A new one is one more entry. */
export const LAYOUTS = {
  whole: { about: 'one process of all roles', processes: [{ kind: 'whole', count: 1 }] },
  'whole-2': { about: 'two of them', processes: [{ kind: 'whole', count: 2 }] },
  'whole-4': { about: 'four of them', processes: [{ kind: 'whole', count: 4 }] },
  roles: {
    about: 'one process of each role, over NATS',
    processes: [...ONE_OF_EACH, { kind: 'probe', count: 1, regions: REGIONS }],
  },
  'schedulers-2': {
    about: 'the same with a second scheduler',
    processes: [
      { kind: 'api', count: 1 },
      { kind: 'scheduler', count: 2 },
      { kind: 'worker', count: 1 },
      { kind: 'probe', count: 1, regions: REGIONS },
    ],
  },
  regions: {
    about: 'one of each, and a probe for each of four regions',
    processes: [
      ...ONE_OF_EACH,
      ...REGIONS.map((region): LayoutProcess => ({ kind: 'probe', count: 1, regions: [region] })),
    ],
  },
} as const satisfies Record<string, Layout>;

export type LayoutName = keyof typeof LAYOUTS;

/** Those that are named, or those measured by default. @throws for a name that is none. */
export function chosenLayouts(text: string | null): LayoutName[] {
  if (text === null) return ['whole', 'whole-2', 'roles', 'schedulers-2', 'regions'];
  return text.split(',').map((name) => {
    if (!isLayout(name))
      throw new Error(`No layout named ${name}; there are ${Object.keys(LAYOUTS).join(', ')}.`);
    return name;
  });
}

const isLayout = (name: string): name is LayoutName => Object.hasOwn(LAYOUTS, name);

/** Number of processes by kind. */
export function countsOf({ processes }: Layout): Partial<Record<Kind, number>> {
  const counts: Partial<Record<Kind, number>> = {};
  for (const { kind, count } of processes) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}
