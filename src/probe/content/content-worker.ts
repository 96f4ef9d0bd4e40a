/** Worker thread that evaluates large contents, so that the main thread keeps measuring times. */
import { parentPort } from 'node:worker_threads';
import { evaluateSafely } from './evaluate.ts';
import type { ContentRequest, READY } from './thread.ts';

const port = parentPort!;
port.postMessage('ready' satisfies typeof READY);
port.on('message', (question: ContentRequest) => {
  port.postMessage(evaluateSafely(question));
  // Frees the memory at once: the garbage collector only sees small objects and would let many bodies accumulate.
  question.body.buffer.transfer(0);
});
