import { readFile } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.ts';
import { dockerEndpoint, dockerSource } from './docker-source.ts';
import { clusterEndpoint, kubeconfigEndpoint } from './kubernetes-access.ts';
import { kubernetesSource } from './kubernetes-source.ts';
import type { Source } from './source.ts';

export const SOURCE_KINDS = ['docker', 'kubernetes'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** How sources are reached: settings of the installation. */
export interface SourceSettings {
  dockerHost: string;
  dockerCertPath: string | null;
  kubeconfig: string | null;
  kubernetesServiceHost: string | null;
  kubernetesServicePort: number;
  /** Minutes between checks where no label and no annotation says otherwise; null for one. */
  defaultCheckInterval: number | null;
}

const read = (file: string) => readFile(file, 'utf8');

/** A source that nothing has been asked of yet. @throws DiscoveryError for an address that can't be used. */
export function openSource(
  kind: SourceKind,
  settings: SourceSettings,
  clock: Pick<Clock, 'monotonic'>,
): Source {
  const { dockerHost: host, dockerCertPath: certPath, kubeconfig } = settings;
  const { kubernetesServiceHost, kubernetesServicePort: port } = settings;
  const defaults = { check_interval: settings.defaultCheckInterval ?? 1 };
  if (kind === 'docker') return dockerSource(dockerEndpoint({ host, certPath }), defaults);
  const endpoint =
    kubeconfig === null
      ? clusterEndpoint({ host: kubernetesServiceHost ?? 'kubernetes.default.svc', port }, read)
      : kubeconfigEndpoint(kubeconfig, read);
  return kubernetesSource(endpoint, clock, defaults);
}
