import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './sqlite-driver.ts';
import type { ScanResponse, ScanRequest } from './scan-thread-driver.ts';

/** Program of the reader thread, which runs scans, searches and exports outside the main thread. */
const connection = new SqliteConnection({
  path: workerData as string,
  readOnly: true,
  busyTimeoutMs: 5_000,
  cacheKib: 8_192,
});

const port = parentPort!;
port.on('message', ({ sql, parameters }: ScanRequest) => port.postMessage(answer(sql, parameters)));

function answer(sql: string, parameters: ScanRequest['parameters']): ScanResponse {
  try {
    return { rows: connection.run(sql, parameters).rows };
  } catch (error) {
    const { message, errcode, code } = error as Error & { errcode?: number; code?: string };
    return { failed: { message, errcode, code } };
  }
}
