/** Generates the dashboard's client of the API, `web/client`, from openapi.json. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import ts from 'typescript';

/** Generated beside the operations and their types, to send calls in all ways that there are. The dashboard has its own. */
const SENDING = /^(client|core)\/|^client\.gen\.ts$/;
/** Imports of that, and what the dashboard imports in its place. */
const IMPORTS = /(?<=from ['"])\.\/client(\/index|\.gen)\.ts(?=['"])/g;
const OWN = '../app/client.ts';
/** Paths whose answers are streams, which no call reads. */
const STREAMS = ['/events'];

/**
 * Generates the files of the client.
 *
 * @param document text of openapi.json.
 * @returns the texts by path below `web/client`; without comments, which repeat the reference.
 */
export async function clientFiles(document: string): Promise<Map<string, string>> {
  const input = JSON.parse(document) as { paths: Record<string, unknown> };
  for (const stream of STREAMS) delete input.paths[stream];
  const folder = await mkdtemp(path.join(tmpdir(), 'tocsin-client-'));
  try {
    await createClient({
      input,
      output: { path: folder, module: { extension: '.ts' }, entryFile: false },
      plugins: [
        '@hey-api/client-fetch',
        '@hey-api/typescript',
        { name: '@hey-api/sdk', auth: false },
      ],
      logs: { level: 'silent', file: false },
    });
    const names = globSync('**/*.ts', { cwd: folder }).filter((name) => !SENDING.test(name));
    const texts = names.toSorted().map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return [name, withoutComments(name, text.replaceAll(IMPORTS, OWN))] as const;
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
