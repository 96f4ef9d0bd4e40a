/** Base URLs of RDAP servers, ending in a slash, by domain suffix such as `com`. */
export type RdapServers = ReadonlyMap<string, string>;

const SUFFIX = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/;

/**
 * Parses a registry of RDAP servers in the format of IANA's dns.json (RFC 9224): `services` pairs lists of suffixes
 * with lists of URLs. Skips entries that can't be used; fails if none can.
 */
export function readBootstrap(
  text: string,
): { ok: true; servers: RdapServers } | { ok: false; message: string } {
  let registry: unknown;
  try {
    registry = JSON.parse(text);
  } catch {
    return { ok: false, message: 'is not JSON' };
  }
  const services = (registry as { services?: unknown } | null)?.services;
  if (!Array.isArray(services)) return { ok: false, message: 'has no list "services"' };
  const servers = new Map<string, string>();
  for (const service of services as unknown[]) {
    const [suffixes, urls] = Array.isArray(service) ? (service as unknown[]) : [];
    const baseUrl = bestUrl(texts(urls));
    if (baseUrl === null) continue;
    for (const suffix of texts(suffixes).map((each) => each.toLowerCase().replace(/\.$/, ''))) {
      if (SUFFIX.test(suffix)) servers.set(suffix, baseUrl);
    }
  }
  if (servers.size === 0) return { ok: false, message: 'names no RDAP server' };
  return { ok: true, servers };
}

/**
 * Finds the server with the longest matching suffix of the domain (ASCII; RFC 9224, section 4); null if there is none.
 */
export function findRdapServer(servers: RdapServers, domain: string): string | null {
  const labels = domain.toLowerCase().split('.');
  for (let from = 0; from < labels.length; from++) {
    const baseUrl = servers.get(labels.slice(from).join('.'));
    if (baseUrl !== undefined) return baseUrl;
  }
  return null;
}

/** Picks a URL: order is not significant, https is preferred (RFC 9224, section 3). */
function bestUrl(urls: string[]): string | null {
  const usable = urls.filter(isBaseUrl).map((url) => (url.endsWith('/') ? url : `${url}/`));
  return usable.find((url) => /^https:/i.test(url)) ?? usable[0] ?? null;
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && !/[?#@\s]/.test(text)
  );
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
