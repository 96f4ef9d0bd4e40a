import { expect } from 'vitest';
import type { ConfigurationDocument } from '../../src/configuration/document.ts';
import type { TestApi } from './api.ts';

/** What the API plans for a document in Alice's team. Fails with its errors when it refuses the document. */
export async function acceptedPlan(api: TestApi, document: ConfigurationDocument) {
  const { status, body } = await api.call(api.alice, 'POST', '/api/v1/configuration/plan', {
    document: filled(document),
  });
  expect(status === 200 ? {} : body).toEqual({});
  return body as unknown as { changes: { action: string; section: string; key: string }[] };
}

/** A value of a document whose unknown secrets have values that their fields take. */
function filled(value: unknown, field = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => filled(one, field));
  if ('from' in value && typeof value.from === 'string' && value.from.startsWith('env '))
    return { value: field.endsWith('url') ? 'https://example.com/7Hq2' : 'x'.repeat(32), ...value };
  const entries = Object.entries(value).map(([name, part]) => [name, filled(part, name)]);
  return Object.fromEntries(entries);
}
