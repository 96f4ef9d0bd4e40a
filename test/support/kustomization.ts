import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** Object of Kubernetes, as far as tests read it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: unknown;
}

interface Kustomization {
  resources?: string[];
  patches?: { path: string; target: { kind: string; name: string } }[];
  configMapGenerator?: { name: string; files?: string[]; literals?: string[]; behavior?: string }[];
  images?: { name: string }[];
  replicas?: { name: string }[];
}

export interface Kustomized {
  objects: KubernetesObject[];
  /** Literals and file names by the name of the config map. */
  configMaps: Map<string, { literals: Record<string, string>; files: string[] }>;
  /** Kustomizations that it is made of, outermost first. */
  parts: { folder: string; kustomization: Kustomization }[];
  /** What it refers to and is not there, and files that nothing refers to. */
  problems: string[];
}

/** Reads a kustomization with all it refers to. Patches and transformations are not applied. */
export function readKustomization(folder: string): Kustomized {
  const path = join(folder, 'kustomization.yaml');
  const kustomization = parse(readFileSync(path, 'utf8')) as Kustomization;
  const { resources = [], patches = [], configMapGenerator = [] } = kustomization;
  const all: Kustomized = {
    objects: [],
    configMaps: new Map(),
    parts: [{ folder, kustomization }],
    problems: [],
  };
  for (const name of resources) {
    const resource = join(folder, name);
    if (!existsSync(resource)) all.problems.push(`${resource} is missing`);
    else if (statSync(resource).isDirectory()) addBase(all, readKustomization(resource));
    else all.objects.push(...readObjects(resource));
  }
  const generated = configMapGenerator.flatMap(({ files = [] }) => files);
  const named = new Set([...resources, ...patches.map((patch) => patch.path), ...generated]);
  for (const name of named)
    if (!existsSync(join(folder, name))) all.problems.push(`${join(folder, name)} is missing`);
  for (const name of readdirSync(folder))
    if (name !== 'kustomization.yaml' && !named.has(name))
      all.problems.push(`${join(folder, name)} is not used`);
  for (const { name, literals = [], files = [] } of configMapGenerator) {
    const own = Object.fromEntries(literals.map((one) => splitOnce(one)));
    const former = all.configMaps.get(name);
    all.configMaps.set(name, {
      literals: { ...former?.literals, ...own },
      files: [...(former?.files ?? []), ...files],
    });
  }
  return all;
}

function addBase(all: Kustomized, base: Kustomized): void {
  all.objects.push(...base.objects);
  for (const [name, content] of base.configMaps) all.configMaps.set(name, content);
  all.parts.push(...base.parts);
  all.problems.push(...base.problems);
}

function splitOnce(literal: string): [string, string] {
  const at = literal.indexOf('=');
  return [literal.slice(0, at), literal.slice(at + 1)];
}

function readObjects(path: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map(
    (document) => document.toJS() as KubernetesObject,
  );
}
