import type { Asker } from './world.ts';

/** A question that a person asks an assistant, and the calls by which a good assistant answers it. */
export interface Question {
  /** In the words of a person. */
  asks: string;
  who: Asker;
  /** In their order, at most four. */
  calls: readonly Call[];
  /**
   * The calls that answered it when 48 tools were listed, where they were others; null where no tool did. Their names are
   * still answered.
   */
  before?: readonly Pick<Call, 'tool' | 'args'>[] | null;
}

/** A call of a tool, and what its answer must hold. */
export interface Call {
  tool: string;
  /** Values may be references to earlier answers. */
  args?: Record<string, unknown>;
  /**
   * Facts that the content must have: an object has at least these keys, a list has an entry for each of these, in any
   * order; a pattern matches a text, a function judges a value.
   */
  answers?: unknown;
  /** Texts that must be in the text of the answer. */
  says?: readonly string[];
  /** Texts that must not be in it. */
  hides?: readonly string[];
  /** The call is refused with this code, and with errors of exactly these arguments. */
  refused?: { code: string; fields?: readonly string[] };
}

/** A step into a value: a key, a position, or the entry of a list that has these values. */
export type Step = string | number | Readonly<Record<string, unknown>>;

/** A value of an earlier answer to the same question. */
export class Reference {
  readonly call: number;
  readonly path: readonly Step[];

  constructor(call: number, path: readonly Step[]) {
    this.call = call;
    this.path = path;
  }
}

/** A value in the content that an earlier call answered. @param call its position, from 0. */
export const from = (call: number, ...path: Step[]) => new Reference(call, path);

/** The calls of a tool on the first monitor that a search finds. */
export const onFound = (q: string, tool: string, args: Call['args'] = {}) => [
  { tool: 'list_monitors', args: { q } },
  { tool, args: { monitor_id: from(0, 'monitors', 0, 'id'), ...args } },
];
