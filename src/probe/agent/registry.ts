import type { CheckRequest } from '../../model/check.ts';
import type { Probe } from '../contract.ts';
import { createHttpProbe } from '../http/http.ts';
import type { HttpProbeDeps } from '../http/http.ts';
import type { IcmpClient } from '../icmp/icmp-client.ts';
import { createIcmpProbe } from '../icmp/icmp-probe.ts';
import { probePort } from '../port/port.ts';

export type ProbeType = CheckRequest['type'];

export type Registry = { [Type in ProbeType]: Probe<Extract<CheckRequest, { type: Type }>> };

/** One probe for each type of check: a new protocol is one file and one line here. */
export function createRegistry({
  icmp,
  evaluator,
}: { icmp: IcmpClient } & Pick<HttpProbeDeps, 'evaluator'>): Registry {
  return {
    http: createHttpProbe({ evaluator }),
    ping: createIcmpProbe(icmp),
    port: probePort,
  };
}
