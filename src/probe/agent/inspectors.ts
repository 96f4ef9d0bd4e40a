import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { InspectionKind, InspectionRequest } from '../../model/inspection.ts';
import type { Inspector } from '../contract.ts';
import { createDnsInspector } from '../dns/dns.ts';
import { createDomainInspector } from '../registration/domain.ts';
import { loadRdapServers } from '../registration/rdap-servers.ts';
import { createSslInspector } from '../tls/ssl.ts';

export type Inspectors = {
  [Kind in InspectionKind]: Inspector<Extract<InspectionRequest, { kind: Kind }>>;
};

/** One inspector for each kind. `rdapBootstrapFile` is the path of RDAP_BOOTSTRAP_FILE, null when there is none. */
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
