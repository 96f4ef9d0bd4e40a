/** Generates the dashboard's client of the API, `web/client`, from openapi.json. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import ts from 'typescript';

/** Not used by the dashboard: it would load everything. */
const LEFT_OUT = new Set(['index.ts']);

/**
 * Generates the files of the client.
 *
 * @param document text of openapi.json.
 * @returns the texts by path below `web/client`; without comments, which repeat the reference.
 */
export async function clientFiles(document: string): Promise<Map<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tocsin-client-'));
  try {
    await createClient({
      input: JSON.parse(document) as Record<string, unknown>,
      output: { path: folder, module: { extension: '.ts' }, entryFile: false },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
    const names = globSync('**/*.ts', { cwd: folder }).filter((name) => !LEFT_OUT.has(name));
    const texts = names.toSorted().map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return [name, withoutComments(name, text)] as const;
    });
    return new Map(await Promise.all(texts));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function withoutComments(name: string, text: string): string {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const printed = ts.createPrinter({ removeComments: true }).printFile(file);
  return `// Generated from openapi.json by "npm run generate".\n${printed}`;
}
