import { jsonAssertionInput, keywordInput } from '../../monitor-types/content-settings.ts';
import type { AssertionOperator } from '../../model/content.ts';
import type { Notes } from './notes.ts';

export interface Assertion {
  path: string;
  operator: AssertionOperator;
  value?: string | number | boolean | null;
}

export interface Keyword {
  phrase: string;
  mode: 'must_contain' | 'must_not_contain';
  case_sensitive?: boolean;
}

/** The API takes as many. */
const MAX_ENTRIES = 10;

/** What an answer must hold, as the API takes it. */
export class Content {
  readonly #assertions: Assertion[] = [];
  readonly #keywords: Keyword[] = [];

  /** Returns why the API would refuse it, as a predicate; null when it is taken. */
  addAssertion(assertion: Assertion): string | null {
    const [issue] = jsonAssertionInput().safeParse({ assertions: [assertion] }).error?.issues ?? [];
    if (issue !== undefined) return `its ${String(issue.path.at(-1))} ${issue.message}`;
    this.#assertions.push(assertion);
    return null;
  }

  addKeyword(keyword: Keyword): string | null {
    const [issue] = keywordInput().safeParse({ keywords: [keyword] }).error?.issues ?? [];
    if (issue !== undefined) return `its text ${issue.message}`;
    this.#keywords.push(keyword);
    return null;
  }

  fields(notes: Notes) {
    const [assertions, keywords] = [this.#assertions, this.#keywords].map((list) => {
      if (list.length > MAX_ENTRIES)
        notes.change(`Only the first ${MAX_ENTRIES} conditions on its body are imported.`);
      return list.slice(0, MAX_ENTRIES);
    }) as [Assertion[], Keyword[]];
    if (assertions.length > 0 && keywords.length > 0)
      notes.change(
        'The texts that its body must hold are left out: a monitor checks JSON or texts.',
      );
    return {
      json_assertion_settings: assertions.length === 0 ? undefined : { assertions },
      keyword_settings: assertions.length > 0 || keywords.length === 0 ? undefined : { keywords },
    };
  }
}

/** The status codes that a test accepts, as few entries: `2xx`, `200-204`, `404`. */
export function codesThat(test: (code: number) => boolean): (string | number)[] {
  const found: [first: number, last: number][] = [];
  for (let code = 100; code <= 599; code += 1) {
    if (!test(code)) continue;
    const last = found.at(-1);
    // Classes stay apart, as people write them.
    if (last?.[1] === code - 1 && code % 100 !== 0) last[1] = code;
    else found.push([code, code]);
  }
  return found.map(([first, last]) => {
    if (first === last) return first;
    return last - first === 99 ? `${first / 100}xx` : `${first}-${last}`;
  });
}

/** A value of JSON of which a source only has the text: a number, true, false and null are taken for what they look like. */
export function scalarIn(text: string): string | number | boolean | null {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text;
}
