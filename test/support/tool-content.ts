import { z } from 'zod';
import { OPERATIONS } from '../../src/resources/nouns.ts';
import type { Tool } from '../../src/tools/tool.ts';

const FINAL = z.object({
  is_done: z.boolean(),
  effect: z.string(),
  confirmation: z.string().optional(),
  target: z.looseObject({}).optional(),
});

/** Shape of a tool's content, as its fields are declared. */
export function shapeOf(tool: Tool): z.ZodObject {
  if (tool.kind === 'final') return FINAL;
  if (tool.kind === 'list')
    return z.object({
      total: z.int(),
      [tool.items]: z.array(tool.item.schema),
      next_cursor: z.string().nullable(),
    });
  const { schema } = tool.content;
  const takesBody = OPERATIONS[tool.operation]?.body !== undefined;
  return takesBody ? schema.extend({ ignored: z.array(z.string()).optional() }) : schema;
}
