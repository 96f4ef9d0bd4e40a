/** Entry point of a probe process, forked by engine/bus/local.ts with its settings as the only argument. */
import { serveParent } from './child-server.ts';
import { endStartOfThread } from '../../lib/start-memory.ts';
import { probeParts, raisePriority } from './parts.ts';
import type { ProbeSettings } from './runner.ts';

export type { FromChild, ToChild } from './child-server.ts';
export type { ProbeAnswer, ProbeRequest, ProbeSettings } from './runner.ts';

const settings = JSON.parse(process.argv[2]!) as ProbeSettings;

endStartOfThread();
raisePriority();
serveParent({
  settings,
  ...probeParts(settings),
});
