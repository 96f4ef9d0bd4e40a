import { parentPort, workerData } from 'node:worker_threads';
import { endStartOfThread } from '../../lib/start-memory.ts';
import { SqliteConnection } from './sqlite-driver.ts';
import { CHECKPOINT } from './write-ahead-log.ts';
import type { ScanResponse, ScanRequest } from './scan-thread-driver.ts';

/**
 * Program of the reader thread, which runs scans, searches and exports outside the main thread, and copies the
 * write-ahead log into the file.
 */
const path = workerData as string;
const reader = new SqliteConnection({
  path,
  readOnly: true,
  busyTimeoutMs: 5_000,
  cacheKib: 8_192,
});
let copier: SqliteConnection | null = null;

/** Connection that may write to the file, with the smallest cache, as copies don't use it. */
function openCopier(): SqliteConnection {
  return new SqliteConnection({ path, readOnly: false, busyTimeoutMs: 5_000, cacheKib: 64 });
}

endStartOfThread();

const port = parentPort!;
port.on('message', ({ sql, parameters }: ScanRequest) => port.postMessage(answer(sql, parameters)));

function answer(sql: string, parameters: ScanRequest['parameters']): ScanResponse {
  try {
    const connection = sql === CHECKPOINT ? (copier ??= openCopier()) : reader;
    return { rows: connection.run(sql, parameters).rows };
  } catch (error) {
    const { message, errcode, code } = error as Error & { errcode?: number; code?: string };
    return { failed: { message, errcode, code } };
  }
}
