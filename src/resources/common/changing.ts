import { z } from 'zod';

/**
 * Fields that change by themselves, or that only one of the answers about a resource has, by the schema of the resource;
 * `services.monitor_status` is one of the items of a list. They are in the second part of its entity tag, which `If-Match`
 * does not compare (contract 1.33): else no change of a monitor would ever match.
 */
export const CHANGING = z.registry<{ fields: readonly string[] }>();

/** Those of a resource: its own, and by the names of its lists those of their items. */
export interface Changing {
  own: ReadonlySet<string>;
  ofItems: Readonly<Record<string, readonly string[]>>;
}

/** The fields that change by themselves in an answer that is a resource, or in the items of a list of them. */
export function changingIn(answer: z.ZodType | undefined): Changing {
  const items = answer instanceof z.ZodObject ? answer.shape['data'] : undefined;
  const resource = items instanceof z.ZodArray ? (items.element as z.ZodType) : answer;
  const { fields = [] } = (resource && CHANGING.get(resource)) ?? {};
  const ofItems: Record<string, string[]> = {};
  for (const [list, name] of fields.map((field) => field.split('.')))
    if (name !== undefined) (ofItems[list!] ??= []).push(name);
  return { own: new Set(fields.filter((field) => !field.includes('.'))), ofItems };
}
