/** The thread that evaluates large contents, so that the one that measures times goes on meanwhile. */
import { parentPort } from 'node:worker_threads';
import { evaluateSafely } from './evaluate.ts';
import type { ContentRequest, READY } from './thread.ts';

const port = parentPort!;
port.postMessage('ready' satisfies typeof READY);
port.on('message', (question: ContentRequest) => {
  port.postMessage(evaluateSafely(question));
  // Gives its memory back at once: the garbage collector, which sees small objects only, would let many gather.
  question.body.buffer.transfer(0);
});
