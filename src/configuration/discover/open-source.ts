import { readFile } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.ts';
import { dockerEndpoint, dockerSource, type DockerAccess } from './docker-source.ts';
import { clusterEndpoint, kubeconfigEndpoint } from './kubernetes-access.ts';
import { kubernetesSource } from './kubernetes-source.ts';
import type { Source } from './source.ts';

export const SOURCE_KINDS = ['docker', 'kubernetes'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** How sources are reached. */
export interface SourceAccess {
  docker: DockerAccess;
  kubernetes: KubernetesAccess;
}

/** A kubeconfig, or the API of the cluster that this process runs in. */
export type KubernetesAccess = { kubeconfig: string } | { host: string; port: number };

const read = (file: string) => readFile(file, 'utf8');

/** A source that nothing has been asked of yet. @param defaults of fields that no label and no annotation sets. */
export function openSource(
  kind: SourceKind,
  { docker, kubernetes }: SourceAccess,
  clock: Pick<Clock, 'monotonic'>,
  defaults: Readonly<Record<string, unknown>>,
): Source {
  if (kind === 'docker') return dockerSource(dockerEndpoint(docker), defaults);
  const endpoint =
    'kubeconfig' in kubernetes
      ? kubeconfigEndpoint(kubernetes.kubeconfig, read)
      : clusterEndpoint(kubernetes, read);
  return kubernetesSource(endpoint, clock, defaults);
}
