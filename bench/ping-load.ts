import { inChild } from './child.ts';
import {
  converse,
  measureConversations,
  withoutFailures,
  type Conversation,
  type LoadFigures,
} from './load.ts';
import { pingTokenOf } from './preload-jobs.ts';

/** Pings for jobs 1 to `jobs` in turn, alternately by GET and by POST with a body. */
export interface PingLoad {
  port: number;
  jobs: number;
  connections: number;
  seconds: number;
}

const BODY = 'backup of customers finished, 18342 rows copied, 0 errors\n'.repeat(4).slice(0, 200);

/** `rid` identifies the run, if set. */
function pingText(turn: number, jobs: number, rid?: string): string {
  // The job changes after both methods, or one half of the jobs would never get a body.
  const job = 1 + (Math.floor(turn / 2) % jobs);
  const query = rid === undefined ? '' : `?rid=${rid}`;
  const target = `/ping/${pingTokenOf(job)}${query} HTTP/1.1\r\nhost: bench\r\nuser-agent: curl/8.5.0\r\n`;
  if (turn % 2 === 0) return `GET ${target}\r\n`;
  return `POST ${target}content-type: text/plain\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
}

function measure({ jobs, ...options }: PingLoad): Promise<LoadFigures> {
  let turn = 0;
  return measureConversations(options, () => ({ text: pingText(turn++, jobs) }));
}

/** Continues until the server is gone, and returns the acknowledged runs; each is the `rid` of its ping. */
async function pingUntilCut({ port, jobs, connections }: PingLoad): Promise<number[]> {
  const acknowledged: number[] = [];
  let turn = 0;
  const conversation: Conversation<{ turn: number; text: string }> = {
    next: () => ({ turn, text: pingText(turn, jobs, String(turn++)) }),
    answered(request, { isOk }) {
      if (isOk) acknowledged.push(request.turn);
    },
  };
  await Promise.allSettled(Array.from({ length: connections }, () => converse(port, conversation)));
  return acknowledged;
}

const [, , task, words] = process.argv;
if (task === 'measure' || task === 'until-cut') {
  const options = JSON.parse(words!) as PingLoad;
  const found = task === 'measure' ? await measure(options) : await pingUntilCut(options);
  process.send!(found, () => process.disconnect());
}

/** @throws if the load could not be generated, or a response was not 200. */
export async function loadWithPings(load: PingLoad): Promise<LoadFigures> {
  const { first } = inChild<LoadFigures>(import.meta.url, ['measure', JSON.stringify(load)]);
  return withoutFailures(await first);
}

/** Numbers of the pings that were acknowledged before the server was gone. */
export function pingUntilGone(load: Omit<PingLoad, 'seconds'>): Promise<number[]> {
  return inChild<number[]>(import.meta.url, ['until-cut', JSON.stringify(load)]).first;
}
