import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { WRAPPER } from '../../test/support/snippets.ts';
import { jobWrapper } from './job-wrapper.ts';

test('the wrapper for jobs can be installed from the service [12.38]', async () => {
  const app = Fastify();
  jobWrapper(app);
  const { statusCode, headers, rawPayload } = await app.inject('/tocsin-run');
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/x-shellscript; charset=utf-8');
  expect(rawPayload.equals(readFileSync(WRAPPER))).toBe(true);
});
