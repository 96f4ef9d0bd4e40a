import { runningTests } from './test-titles.ts';

export interface Contract {
  /** Text by number, such as `2.3`, in the order of the page; null for a withdrawn statement. */
  statements: Map<string, string | null>;
  /** Number of sections, numbered from 1. */
  sections: number;
  faults: string[];
}

/** A citation of a statement (`2.3`) or a section (`2`). */
export interface Citation {
  /** Path from the root of the project, and line. */
  place: string;
  number: string;
}

const SECTION = /^## (\d+)\. \S/;
const STATEMENT = /^- \*\*(\d+\.\d+)\*\* (.+)$/;

/** Reads `docs/contract.md`: sections and statements are numbered from 1 without gaps, in this order. */
export function readContract(markdown: string): Contract {
  const statements = new Map<string, string | null>();
  const faults: string[] = [];
  let sections = 0;
  let last = 0;
  for (const [index, text] of markdown.split('\n').entries()) {
    const fault = (what: string) => void faults.push(`docs/contract.md:${index + 1}: ${what}`);
    if (text.startsWith('#') && !text.startsWith('# ')) {
      sections++;
      last = 0;
      if (SECTION.exec(text)?.[1] !== String(sections))
        fault(`section ${sections} is expected here`);
    } else if (text.startsWith('- ')) {
      const [, number, words] = STATEMENT.exec(text) ?? [];
      const expected = `${sections}.${++last}`;
      if (number !== expected) fault(`statement ${expected} is expected here`);
      if (number !== undefined) statements.set(number, words === 'withdrawn' ? null : words!);
    }
  }
  return { statements, sections, faults };
}

/** Whitespace, which in a comment may go on in the next line. */
const GAP = String.raw`\s+(?:(?:\*|//|>)\s+)?`;
const NUMBER = String.raw`\d+\.\d+`;
const list = (item: string) => `(${item}(?:,?${GAP}(?:(?:and|to)${GAP})?${item})*)`;
const CITED = [
  new RegExp(String.raw`\bcontract${GAP}${list(NUMBER)}`, 'gi'),
  new RegExp(String.raw`\bcontract,${GAP}sections?${GAP}${list(String.raw`\d+\b(?!\.\d)`)}`, 'gi'),
];

/** Citations in comments and pages: `contract 2.3`, `contract 2.3, 2.4`, `contract 2.3 to 2.6`, `contract, section 2`. */
export function citationsInText(path: string, text: string): Citation[] {
  return CITED.flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap(({ index, 1: numbers }) => {
      const line = text.slice(0, index).split('\n').length;
      return (numbers!.match(/[\d.]+/g) ?? []).map((number) => ({
        place: `${path}:${line}`,
        number,
      }));
    }),
  );
}

const IN_TITLE = / \[(\d+\.\d+(?:, \d+\.\d+)*)\]$/;

/** Citations of tests that run: `[2.3]` or `[2.3, 2.4]` at the end of their title, or of that of a group around them. */
export function citationsInTests(path: string, source: string): Citation[] {
  return runningTests(source).flatMap(({ title, groups, line }) =>
    [...groups, title].flatMap((text) =>
      (IN_TITLE.exec(text)?.[1]?.split(', ') ?? []).map((number) => ({
        place: `${path}:${line}`,
        number,
      })),
    ),
  );
}

/** Faults of citations, one sentence each. */
export function citationFaults(contract: Contract, citations: Citation[]): string[] {
  return citations.flatMap(({ place, number }) => {
    const text = contract.statements.get(number);
    const isSection = !number.includes('.') && Number(number) <= contract.sections;
    if (isSection || typeof text === 'string') return [];
    return [`${place}: contract ${number} ${text === null ? 'is withdrawn' : 'does not exist'}`];
  });
}

/** The numbers of statements that no test cites. */
export function untested(contract: Contract, ofTests: Citation[]): string[] {
  const cited = new Set(ofTests.map(({ number }) => number));
  return Array.from(contract.statements)
    .filter(([number, text]) => text !== null && !cited.has(number))
    .map(([number]) => number);
}
