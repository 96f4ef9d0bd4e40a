import { expect } from 'vitest';
import type { ConfigurationDocument } from '../../src/configuration/document.ts';
import type { TestApi } from './api.ts';

/** What the API plans for a document in Alice's team. Fails with its errors when it refuses the document. */
export async function acceptedPlan(api: TestApi, document: ConfigurationDocument) {
  const monitors = document.monitors?.map(
    // The API does not take them yet.
    ({ ping_aliases: _aliases, ...monitor }) => monitor,
  );
  const { status, body } = await api.call(api.alice, 'POST', '/api/v1/configuration/plan', {
    document: { ...document, ...(monitors && { monitors }) },
  });
  expect(status === 200 ? {} : body).toEqual({});
  return body as unknown as { changes: { action: string; section: string; key: string }[] };
}
