import { InvalidInput, type Problem, problemOf, RateLimited } from '../resources/common/errors.ts';

/** A refusal that a model can act on. */
export interface ToolRefusal {
  code: string;
  /** What happened and what to do. */
  message: string;
  /** Sentences by argument, nested ones with dotted names. */
  fields?: Record<string, string[]>;
  /** Seconds after which the same call may work. */
  retry_after_seconds?: number;
}

const MAX_FIELDS = 20;

/** The refusal that an error stands for; null for an internal error. */
export function refusalOf(error: unknown): ToolRefusal | null {
  const problem = problemOf(error);
  if (problem === null) return null;
  return {
    code: problem.code,
    message: hintedMessage(problem),
    ...(problem instanceof InvalidInput && {
      fields: Object.fromEntries(Object.entries(problem.errors).slice(0, MAX_FIELDS)),
    }),
    ...(problem instanceof RateLimited && { retry_after_seconds: problem.retryAfter }),
  };
}

/** Text of a refusal: every argument with what is wrong on a line of its own. */
export function refusalText({ message, fields, retry_after_seconds: wait }: ToolRefusal): string {
  const lines = Object.values(fields ?? {}).flat();
  const body = lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : message;
  const hint = wait === undefined ? '' : `\nWait ${wait} seconds, then repeat the call.`;
  return `Nothing was changed.\n${body}${hint}`;
}

function hintedMessage({ code, message }: Problem): string {
  return code === 'not_found' ? `${message} A tool that lists has the ids there are.` : message;
}
