/** Worker thread: renders the reference page, which would block the main thread for a while. */
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenApiDocument } from './openapi.ts';
import { renderReference } from './render.ts';

export interface RenderTask {
  document: string;
  root: '' | '../';
  /** Path of the style sheets below the root of the installation. */
  assets: string;
}

const { document, root, assets } = workerData as RenderTask;
const page = renderReference(JSON.parse(document) as OpenApiDocument, { root, assets });
parentPort?.postMessage(Buffer.from(page));
