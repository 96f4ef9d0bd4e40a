import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { InspectionKind, InspectionRequest } from '../../model/inspection.ts';
import type { AnyRequest } from '../../monitor-types/registry.ts';
import type { Inspector, Probe } from '../contract.ts';
import { createDnsInspector } from '../dns/dns.ts';
import { createHttpProbe, type HttpProbeDeps } from '../http/http.ts';
import type { IcmpClient } from '../icmp/icmp-client.ts';
import { createIcmpProbe } from '../icmp/icmp-probe.ts';
import { probePort } from '../port.ts';
import { createDomainInspector } from '../registration/domain.ts';
import { loadRdapServers } from '../registration/rdap.ts';
import { createSslInspector } from '../tls/ssl.ts';

export type Registry = { [Request in AnyRequest as Request['type']]: Probe<Request> };

/** Creates the probe of each type of requests: a new protocol is one file and one line here. */
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

export type Inspectors = {
  [Kind in InspectionKind]: Inspector<Extract<InspectionRequest, { kind: Kind }>>;
};

/** Creates the inspector of each kind. `rdapBootstrapFile` is the path of RDAP_BOOTSTRAP_FILE, null without one. */
export function createInspectors(deps: {
  clock: Clock;
  log: Log;
  rdapBootstrapFile: string | null;
}): Inspectors {
  const rdapServers = loadRdapServers(deps.rdapBootstrapFile, deps.log);
  return {
    ssl: createSslInspector(),
    dns: createDnsInspector(),
    domain: createDomainInspector({ clock: deps.clock, rdapServers }),
  };
}
