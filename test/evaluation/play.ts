import { callTool, type ToolResult } from '../support/tools.ts';
import { INJECTION } from './acme/monitors.ts';
import { differences, resolved } from './judge.ts';
import type { Call, Question } from './question.ts';
import type { World } from './world.ts';

export const MAX_CALLS = 4;
/** Maximum size of the result of a call, in bytes of JSON. */
export const MAX_BYTES = 20_000;

/** How a question went. */
export interface Played {
  question: Question;
  calls: { tool: string; bytes: number; texts: number }[];
  /** Sentences with the call and the difference; none when all was as expected. */
  faults: string[];
}

/** Asks a question through the tool server and judges the answers. It stops at the first call that can't be made. */
export async function play(world: World, question: Question): Promise<Played> {
  const played: Played = { question, calls: [], faults: [] };
  const contents: unknown[] = [];
  if (question.calls.length > MAX_CALLS) played.faults.push(`takes more than ${MAX_CALLS} calls`);
  for (const [index, call] of question.calls.entries()) {
    const fault = (what: string) =>
      void played.faults.push(
        `call ${index + 1}, ${call.tool} ${JSON.stringify(call.args)}: ${what}`,
      );
    try {
      const args = resolved(call.args ?? {}, contents) as object;
      const result = await callTool(world.api, world.tokens[question.who], call.tool, args);
      const bytes = Buffer.byteLength(JSON.stringify(result));
      const texts = Buffer.byteLength(result.content.map(({ text }) => text).join('\n'));
      played.calls.push({ tool: call.tool, bytes, texts });
      contents.push(result.structuredContent);
      for (const what of [...faultsOf(call, result), ...violations(world, result)]) fault(what);
      if (bytes > MAX_BYTES) fault(`answers ${bytes} bytes`);
    } catch (error) {
      fault((error as Error).message);
      return played;
    }
  }
  return played;
}

function faultsOf(call: Call, { isError, content, structuredContent }: ToolResult): string[] {
  const { answers = {}, says = [], hides = [], refused } = call;
  const text = content.map((one) => one.text).join('\n');
  const texts = [
    ...says.filter((one) => !text.includes(one)).map((one) => `does not say "${one}", but ${text}`),
    ...hides.filter((one) => text.includes(one)).map((one) => `says "${one}": ${text}`),
  ];
  if (refused === undefined) {
    if (isError) return [`is refused: ${text}`];
    return [...differences(answers, structuredContent), ...texts];
  }
  if (!isError) return [`is not refused but answers ${text}`];
  const { code, fields = [] } = refused;
  const error = structuredContent['error'] as { code: string; fields?: object };
  const found = Object.keys(error.fields ?? {}).toSorted();
  return [
    ...differences(code, error.code, 'the code'),
    ...differences(fields.toSorted().join(), found.join(), 'the refused arguments'),
    ...texts,
  ];
}

/** What no answer may do: hold a secret, let a target speak unmarked, or say that a known argument is unknown. */
function violations({ secrets }: World, result: ToolResult): string[] {
  const all = JSON.stringify(result);
  const found = secrets.filter((secret) => all.includes(secret));
  return [
    ...found.map((secret) => `contains the secret ${secret}`),
    ...unmarked(result.structuredContent).map((path) => `lets a target speak at ${path}`),
    ...(all.includes('Ignored, since unknown') ? ['ignores an argument'] : []),
  ];
}

/** Paths of texts that a target sent and that are not marked as such. */
function unmarked(value: unknown, path = 'content'): string[] {
  if (typeof value === 'string') {
    return value.includes(INJECTION) && !path.endsWith('.from_target') ? [path] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => unmarked(one, `${path}.${key}`));
}

/** A question with its faults, for people. */
export const report = ({ question, faults }: Played) =>
  [`"${question.asks}" (${question.who})`, ...faults.map((fault) => `- ${fault}`)].join('\n');
