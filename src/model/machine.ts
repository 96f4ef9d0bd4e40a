/** Whether a part of a probe's own network works, as far as the machine can find out. */
export type PartState = 'works' | 'broken' | 'unknown';

/**
 * What a probe's machine knows about its own way to the network, without any traffic to third parties. Decides where
 * there are too few targets to compare (docs/probe-health.md).
 */
export interface MachineReport {
  /** Whether there is a default route over an interface with a link, by address family. */
  ipv4: PartState;
  ipv6: PartState;
  /** `broken`: no hardware address is known for it, or the kernel can not reach it. */
  gateway: PartState;
  /** `works`: a configured name server sent a reply, whatever it says. */
  resolver: PartState;
  /** Addresses of the gateway and of the name servers, for the reason that people read; null when there are none. */
  gatewayAddress: string | null;
  resolverAddress: string | null;
}

export interface MachineRequest {
  kind: 'machine';
  /** The report is complete within this many milliseconds. */
  timeoutMs: number;
}
