import { parentPort } from 'node:worker_threads';
import type { ReportFacts } from '../model.ts';
import { drawReport } from './document.ts';
import type { Logo } from './printer.ts';

/** Request to this thread. */
export interface PrintRequest {
  facts: ReportFacts;
  logo: Logo | null;
}

/** Its answer. */
export type PrintAnswer = { bytes: Uint8Array<ArrayBuffer> } | { error: string };

/** Program of the thread that draws PDF files, which take tens of milliseconds that checks and pings must not wait. */
parentPort!.on('message', ({ facts, logo }: PrintRequest) => {
  drawReport(facts, logo).then(
    (bytes) => parentPort!.postMessage({ bytes } satisfies PrintAnswer, [bytes.buffer]),
    (error: unknown) => parentPort!.postMessage({ error: (error as Error).stack ?? String(error) }),
  );
});
