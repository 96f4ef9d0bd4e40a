import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ADMIN_TOKEN, useServices } from '../support/service.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const EXPECTED = fileURLToPath(new URL('mcp-expected-failures.yaml', import.meta.url));
/** Scenarios of the suite that concern Tocsin, and must pass. */
const CONCERNING = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

const services = useServices();

/** A proxy that adds the token, since the suite can't send one. */
async function startProxy(target: () => string) {
  const forward = (asked: IncomingMessage, response: ServerResponse) => {
    const headers = { ...asked.headers, authorization: `Bearer ${ADMIN_TOKEN}` };
    const passed = request(
      new URL(asked.url!, target()),
      { method: asked.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    asked.pipe(passed);
  };
  const server = createServer(forward);
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function runSuite(url: string, folder: string) {
  const args = [SUITE, 'server', '--url', url, '--expected-failures', EXPECTED];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

it('the official conformance suite passes but for what is listed with its reason [50.23]', async () => {
  let target = '';
  const proxy = services.use(await startProxy(() => target));
  // One of its scenarios sends the origin of the address that it calls.
  const service = await services.start({ DATA_DIR: await services.folder(), BASE_URL: proxy.url });
  target = service.url;
  const { code, output } = await runSuite(`${proxy.url}/mcp`, await services.folder());
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  expect(code, summary).toBe(0);
  for (const scenario of CONCERNING) {
    expect(output).toMatch(new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`));
  }
});
