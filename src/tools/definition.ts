import { OPERATIONS } from '../resources/nouns.ts';
import type { JsonSchema } from '../lib/json-schema.ts';
import type { InputSchema, ReadyTool } from './input.ts';
import type { Family } from './tool.ts';

/** A tool as clients list it. */
export interface Definition {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object' } & JsonSchema;
  annotations: Record<string, boolean>;
}

/** Definition of a tool; null for one that is not listed. */
export function definitionOf(ready: ReadyTool): Definition | null {
  const { tool, input } = ready;
  const { name, description } = tool;
  if (description === undefined) return null;
  return {
    name,
    title: tool.title ?? OPERATIONS[tool.operation]!.summary,
    description,
    inputSchema: input.schema,
    annotations: hintsOf(ready),
  };
}

/** Definition of a family of those of its tools that the caller may use, by the value that chooses them; null without any. */
export function definitionOfFamily(
  { name, title, description, by, hasId }: Family,
  members: readonly (readonly [string, ReadyTool])[],
): Definition | null {
  if (members.length === 0) return null;
  const schemas = members.map(([, ready]) => withId(ready, hasId === true));
  const required = schemas.map(({ required: names = [] }) => names);
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.assign(
        { [by]: { type: 'string', enum: members.map(([value]) => value) } },
        ...schemas.map(({ properties }) => properties).toReversed(),
      ),
      required: [by, ...required[0]!.filter((one) => required.every((all) => all.includes(one)))],
    },
    annotations: hintsOf(...members.map(([, ready]) => ready)),
  };
}

function withId({ tool, input }: ReadyTool, hasId: boolean): Omit<InputSchema, 'type'> {
  const { properties, required = [] } = input.schema;
  const argument = tool.path?.['id']?.argument;
  if (!hasId || argument === undefined) return input.schema;
  const { [argument]: id, ...others } = properties;
  return {
    properties: { id: id!, ...others },
    required: required.map((one) => (one === argument ? 'id' : one)),
  };
}

/** How careful a client should be with one of these tools. */
function hintsOf(...tools: readonly ReadyTool[]): Record<string, boolean> {
  const isRead = tools.every(({ route }) => route.method === 'GET');
  const isIdempotent = tools.every(
    ({ tool, route }) => tool.isIdempotent ?? route.method !== 'POST',
  );
  return {
    readOnlyHint: isRead,
    // False only for what adds, as the protocol defines it.
    destructiveHint:
      !isRead &&
      tools.some(({ tool, route }) => route.needs !== 'create' && tool.isAdditive !== true),
    ...(isIdempotent && !isRead && { idempotentHint: true }),
    openWorldHint: tools.some(({ tool }) => tool.isOpenWorld === true),
  };
}
