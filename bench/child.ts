import { fork, type ForkOptions } from 'node:child_process';
import type { AddressInfo, Server } from 'node:net';

/**
 * Runs a module in a separate process, so that its CPU is not counted.
 *
 * @param words what it finds in `process.argv` from the third place on.
 * @returns the process, and its first message: a rejection if it ends without one.
 */
export function inChild<Message>(module: string, words: string[], options: ForkOptions = {}) {
  const child = fork(new URL(module), words, options);
  const first = new Promise<Message>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message));
    child.once('exit', (code) => reject(new Error(`The process ${words[0]} ended with ${code}.`)));
  });
  return { child, first };
}

/** In such a process: listens on a free port, which is its first message, until its parent ends. */
export function serveParent(server: Server): void {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
    process.send!((server.address() as AddressInfo).port),
  );
  process.on('disconnect', () => process.exit());
}
