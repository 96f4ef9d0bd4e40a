import type { Log } from '../lib/log.ts';
import type { ServeTools } from './server.ts';
import { createToolbox, type ToolboxDeps } from './toolbox.ts';

export type { ServeTools };

/** Creates the tool server. The packages of its protocol are loaded with the first request, since few installations use it. */
export function createTools(deps: ToolboxDeps & { version: string; log: Log }): ServeTools {
  let started: Promise<ServeTools> | null = null;

  async function start(): Promise<ServeTools> {
    const { createToolServer } = await import('./server.ts');
    return createToolServer({ ...deps, toolbox: createToolbox(deps) });
  }

  return async (request, options) => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return (await started)(request, options);
  };
}
