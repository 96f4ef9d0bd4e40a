/** Worker thread: compresses the script of the reference page, which is embedded in a package. */
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const app = Fastify();
await app.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
if (statusCode !== 200) throw new Error(`The package answered ${statusCode} for its script.`);
parentPort?.postMessage(gzipSync(rawPayload));
