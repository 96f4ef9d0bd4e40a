import type { Discovered } from './discovered.ts';

/** Docker or Kubernetes, whose containers or objects are monitored. All its promises reject with DiscoveryError. */
export interface Source {
  /** For people, such as `Docker at /var/run/docker.sock`. */
  name: string;
  list(signal: AbortSignal): Promise<Discovered>;
  /** Lists everything, and follows what happens from then on until the signal is aborted. */
  connect(onEvent: () => void, signal: AbortSignal): Promise<SourceConnection>;
}

export interface SourceConnection {
  /** What the source had when the connection was made. */
  discovered: Discovered;
  /** What it has now, after an event. */
  current(): Promise<Discovered>;
  /** Resolves when the source must be listed anew, and rejects when the connection breaks. */
  ended: Promise<void>;
}
