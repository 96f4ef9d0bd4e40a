import { InvalidInput, type Problem, problemOf, RateLimited } from '../resources/common/errors.ts';
import { fromTeam } from './target-text.ts';

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
/** Characters of a sentence: some quote what was sent. */
const MAX_SENTENCE = 400;
/** Bytes of all sentences about arguments, which an answer holds twice. */
const MAX_FIELD_BYTES = 6_000;
const MAX_NAME = 80;

/** The refusal that an error stands for; null for an internal error. */
export function refusalOf(error: unknown): ToolRefusal | null {
  const problem = problemOf(error);
  if (problem === null) return null;
  return {
    code: problem.code,
    message: hintedMessage(problem),
    ...(problem instanceof InvalidInput && {
      fields: shortFields(problem.errors),
    }),
    ...(problem instanceof RateLimited && { retry_after_seconds: problem.retryAfter }),
  };
}

/** As many errors as fit, the first ones first. */
function shortFields(errors: InvalidInput['errors']): Record<string, string[]> {
  let left = MAX_FIELD_BYTES;
  const kept = Object.entries(errors)
    .slice(0, MAX_FIELDS)
    .map(([name, sentences]): [string, string[]] => [
      fromTeam(name, MAX_NAME),
      sentences
        .map((sentence) => fromTeam(sentence, MAX_SENTENCE))
        .filter((sentence) => (left -= Buffer.byteLength(JSON.stringify(sentence))) >= 0),
    ]);
  return Object.fromEntries(kept.filter(([, sentences]) => sentences.length > 0));
}

/** Text of a refusal: every argument with what is wrong on a line of its own. */
export function refusalText({ message, fields, retry_after_seconds: wait }: ToolRefusal): string {
  const lines = Object.values(fields ?? {}).flat();
  const body = lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : message;
  const hint = wait === undefined ? '' : `\nWait ${wait} seconds, then repeat the call.`;
  return `Nothing was changed.\n${body}${hint}`;
}

function hintedMessage({ code, message }: Problem): string {
  const short = fromTeam(message, MAX_SENTENCE);
  return code === 'not_found' ? `${short} A tool that lists has the ids there are.` : short;
}
