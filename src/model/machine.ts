/** Whether a part of the probe's own network works, as far as the machine knows. */
export type PartState = 'works' | 'broken' | 'unknown';

/**
 * State of the probe machine's own network, determined without traffic to third parties. Decides when there are too few
 * targets to compare (docs/probe-health.md).
 */
export interface MachineReport {
  /** Whether there is a default route over an interface with a link, by address family. */
  ipv4: PartState;
  ipv6: PartState;
  /** `broken`: its hardware address is unknown, or the kernel can't reach it. */
  gateway: PartState;
  /** `works`: a configured name server replied, whatever the answer. */
  resolver: PartState;
  /** Addresses of the gateway and the name servers, for display; null without any. */
  gatewayAddress: string | null;
  resolverAddress: string | null;
}

export interface MachineRequest {
  kind: 'machine';
  timeoutMs: number;
}
