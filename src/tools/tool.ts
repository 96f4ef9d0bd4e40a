import type { Shown, View } from './shown.ts';

interface ToolBase {
  /** In snake_case, such as `list_monitors`. */
  name: string;
  /**
   * Name of its operation (resources/nouns.ts), from which permission, role, budget and input follow. By default that of the
   * tool: `listGroups` for `list_groups`.
   */
  operation: string;
  /** A few words; by default the summary of the operation. */
  title?: string;
  /**
   * Sentences for the model: what it answers, when to use it, in which units. A tool without them is not listed, since a
   * family or another tool does the same, and answers calls of its name all the same.
   */
  description?: string;
  /** What is said of arguments in place of what the reference says, by their names. */
  says?: Readonly<Record<string, string>>;
  /** True where another listed tool describes the same fields of the body. */
  isTerse?: true;
  /** Arguments that stand in the path of the operation, by the name of the path's parameter. */
  path?: Readonly<Record<string, PathArgument>>;
  /** Query parameters that can't be given, beside those of paging. */
  hiddenQuery?: readonly string[];
  /** Fields of the body that can't be given. */
  hiddenFields?: readonly string[];
  /** Values of fields that can't be given, by the name of the field: what they do has a tool of its own. */
  hiddenValues?: Readonly<Record<string, readonly string[]>>;
  /** Fields of the body that must be given, where the operation's schema doesn't say so. */
  required?: readonly string[];
  /** Fields of a new thing for which null means something else than leaving them out. */
  nullable?: readonly string[];
  /** Whether the argument `detail` is accepted. */
  hasDetail?: true;
  /** True when nothing that was there is changed or ended by it; by default for reads and for what needs `create`. */
  isAdditive?: true;
  /** True when the tool asks systems outside of Tocsin, or tells people outside of the team. */
  isOpenWorld?: true;
  /** True when a repetition changes nothing more; by default for reads, PUT and DELETE. */
  isIdempotent?: boolean;
}

/** An argument that names something by its id or by a word. */
export interface PathArgument {
  argument: string;
  description?: string;
  /** A whole number by default. */
  type?: 'integer' | 'string';
}

/** What makes the content of an answer. */
type Shows = Pick<Shown<never, unknown>, 'view'>;

/** A tool that answers one thing. */
export interface ViewTool extends ToolBase {
  kind: 'view';
  content: Shows;
  /** A sentence that sums the content up. */
  summary(content: never): string;
}

/** A tool that lists things, page by page. */
export interface ListTool extends ToolBase {
  kind: 'list';
  /** Name of the list in the content, by default what the tool lists: `groups` for `list_groups`. */
  items: string;
  item: Shows;
}

/** A tool whose work can't be undone: it shows first what would be gone, and asks. */
export interface FinalTool extends ToolBase {
  kind: 'final';
  /** A tool that reads what would be gone; it takes the same arguments. */
  shows: string;
  /** Completes "This would …", such as `delete the monitor with its whole history`. */
  effect: string;
  /** What was made; nothing by default. */
  done?: Shows;
  /** Field of what is shown that says in which state things are: a confirmation is valid, and the work done, in this one alone. */
  fingerprint?: string;
}

/** Tools of one purpose that are listed as one. Each also answers calls of its own name. */
export interface Family {
  name: string;
  title: string;
  description: string;
  /** Argument that chooses the tool. */
  by: string;
  /** Names of the tools, by the value of that argument. */
  tools: Readonly<Record<string, string>>;
  /** True when the ids in the paths of its tools are one argument, `id`. */
  hasId?: true;
}

export type Tool = ViewTool | ListTool | FinalTool;

/** A tool as it is declared, without what follows from its name. */
type Declared<Of extends Tool, Derived extends keyof Of = never> = Omit<
  Of,
  'kind' | 'operation' | Derived
> &
  Partial<Pick<Of, 'operation' | Derived>>;

const operationOf = (tool: string) =>
  tool.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Declares a tool that answers one thing. */
export function viewTool<Made>(
  tool: Omit<Declared<ViewTool>, 'content' | 'summary'> & {
    content: { view(answer: never, view: View): Made };
    summary(content: Made): string;
  },
): ViewTool {
  return { operation: operationOf(tool.name), ...tool, kind: 'view' } as ViewTool;
}

/** Declares a tool that lists things. */
export function listTool(tool: Declared<ListTool, 'items'>): ListTool {
  const items = tool.name.replace('list_', '');
  return { operation: operationOf(tool.name), items, ...tool, kind: 'list' };
}

/** Declares a tool whose work can't be undone. */
export function finalTool(tool: Declared<FinalTool>): FinalTool {
  return { operation: operationOf(tool.name), ...tool, kind: 'final' };
}

/** Path of operations on one thing. */
export function byId<Argument extends string>(argument: Argument) {
  return { id: { argument } };
}
