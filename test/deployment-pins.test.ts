import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from './support/databases.ts';

const FILES = ['Dockerfile', 'compose.yaml', 'compose.cluster.yaml', 'compose.region.yaml'];

/** A `docker` whose registry has these digits for every image. */
function fakeDocker(folder: string, digits: string): void {
  const file = path.join(folder, 'bin', 'docker');
  writeFileSync(file, `#!/bin/sh\necho "${digits}"\n`);
  chmodSync(file, 0o755);
}

const read = (folder: string) =>
  FILES.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');

test('images of others are pinned by one command, which renews them, and writes nothing that is no digest', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  mkdirSync(path.join(place, 'bin'));
  for (const file of [...FILES, 'pin-images.sh'])
    cpSync(path.join('deploy', file), path.join(place, file));
  const pin = () =>
    execFileSync(path.join(place, 'pin-images.sh'), {
      env: { PATH: `${path.join(place, 'bin')}:${process.env['PATH']}` },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  for (const digit of ['a', 'b']) {
    const digest = `sha256:${digit.repeat(64)}`;
    fakeDocker(place, digest);
    expect(pin().trim().split('\n')).toEqual([
      `caddy:2.10-alpine@${digest}`,
      `debian:bookworm-slim@${digest}`,
      `nats:2.12-alpine@${digest}`,
      `node:24-bookworm-slim@${digest}`,
      `postgres:17-bookworm@${digest}`,
    ]);
    const pinned = read(place);
    expect(pinned).toContain(`FROM node:24-bookworm-slim@${digest} AS packages\n`);
    expect(pinned).toContain(`image: postgres:17-bookworm@${digest}\n`);
    expect(pinned.replaceAll(`@${digest}`, '')).toBe(read('deploy'));
  }
  const before = read(place);
  fakeDocker(place, 'unauthorized');
  expect(pin).toThrow();
  expect(read(place)).toBe(before);
});
