import path from 'node:path';
import { parse } from 'yaml';
import type { ApiEndpoint } from './api-client.ts';
import { DiscoveryError } from './discovered.ts';

type ReadFile = (file: string) => Promise<string>;

/** Where Kubernetes puts what a pod needs to ask its API. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The API of the cluster that this process runs in. */
export function clusterEndpoint(
  { host, port }: { host: string; port: number },
  readFile: ReadFile,
): ApiEndpoint {
  const read = async (name: string) =>
    readNamed(path.posix.join(SERVICE_ACCOUNT, name), 'the service account', readFile);
  return {
    name: `Kubernetes at ${host}:${port}`,
    connection: async () => ({
      isTls: true,
      options: { host, port, ca: await read('ca.crt') },
      headers: { authorization: `Bearer ${(await read('token')).trim()}` },
    }),
  };
}

/** Text that is in the kubeconfig, or in a file that it names; null for none. */
export type Material = { text: string } | { file: string } | null;

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Reads the current context of a kubeconfig. Pure. A file that it names is read when it is needed; data is base64.
 *
 * @param file its path, from which relative paths in it start.
 * @throws DiscoveryError for what is missing, wrong or not supported.
 */
export function readKubeconfig(text: string, file: string) {
  const fail = (problem: string): never => {
    throw new DiscoveryError(`KUBECONFIG ${file}: ${problem}`);
  };
  const config = ((): Mapping => {
    try {
      return mapping(parse(text));
    } catch (error) {
      return fail(`it is no YAML (${(error as Error).message.split('\n', 1)[0]})`);
    }
  })();
  const context = config['current-context'];
  if (typeof context !== 'string' || context === '')
    return fail('it has no current-context: choose one with `kubectl config use-context`.');
  const { cluster, user } = named(config, 'contexts', context, 'context', fail);
  const { server, ...clusterFields } = named(config, 'clusters', cluster, 'cluster', fail);
  const userFields = user === undefined ? {} : named(config, 'users', user, 'user', fail);
  for (const way of ['exec', 'auth-provider'])
    if (userFields[way] !== undefined)
      fail(
        `the user ${String(user)} signs in by "${way}", which would run a program: use a client certificate, or the token of a service account.`,
      );
  if (userFields['username'] !== undefined)
    fail(`the user ${String(user)} has a password, which Kubernetes no longer takes: use a token.`);
  if (clusterFields['proxy-url'] !== undefined)
    fail(`the cluster ${String(cluster)} has a proxy-url, which is not supported.`);
  const url = typeof server === 'string' ? URL.parse(server) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    return fail(`the cluster ${String(cluster)} has no server such as https://10.0.0.1:6443.`);
  const material = (from: Mapping, name: string, data = `${name}-data`): Material => {
    const [inline, outside] = [from[data], from[name]];
    if (typeof inline === 'string') return { text: Buffer.from(inline, 'base64').toString('utf8') };
    return typeof outside === 'string' ? { file: path.resolve(path.dirname(file), outside) } : null;
  };
  const { token, 'tls-server-name': serverName } = { ...clusterFields, ...userFields };
  return {
    server: url,
    serverName: typeof serverName === 'string' ? serverName : null,
    isInsecure: clusterFields['insecure-skip-tls-verify'] === true,
    ca: material(clusterFields, 'certificate-authority'),
    cert: material(userFields, 'client-certificate'),
    key: material(userFields, 'client-key'),
    token: typeof token === 'string' ? { text: token } : material(userFields, 'tokenFile'),
  };
}

/** The entry of a list of a kubeconfig, such as `{name: …, cluster: {…}}`. */
function named(
  config: Mapping,
  listName: string,
  name: unknown,
  what: string,
  fail: (problem: string) => never,
): Mapping {
  const list = config[listName];
  const entries = Array.isArray(list) ? list.map(mapping) : [];
  const entry = entries.find((one) => one['name'] === name);
  if (entry === undefined) return fail(`it has no ${what} ${JSON.stringify(name)}.`);
  return mapping(entry[what]);
}

const mapping = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {};

/** The API of the current context of a kubeconfig, which is read for each connection. */
export function kubeconfigEndpoint(file: string, readFile: ReadFile): ApiEndpoint {
  const read = async (material: Material) => {
    if (material === null) return undefined;
    return 'text' in material ? material.text : readNamed(material.file, 'KUBECONFIG', readFile);
  };
  return {
    name: `Kubernetes by ${file}`,
    async connection() {
      const access = readKubeconfig(await readNamed(file, 'KUBECONFIG', readFile), file);
      const { server, serverName, isInsecure } = access;
      const [ca, cert, key, token] = await Promise.all(
        [access.ca, access.cert, access.key, access.token].map(read),
      );
      const isTls = server.protocol === 'https:';
      return {
        isTls,
        prefix: server.pathname.replace(/\/+$/, ''),
        options: {
          host: server.hostname.replace(/^\[(.*)\]$/, '$1'),
          port: Number(server.port) || (isTls ? 443 : 80),
          rejectUnauthorized: !isInsecure,
          ...(serverName === null ? {} : { servername: serverName }),
          ca,
          cert,
          key,
        },
        headers: token === undefined ? {} : { authorization: `Bearer ${token.trim()}` },
      };
    },
  };
}

async function readNamed(file: string, whose: string, readFile: ReadFile): Promise<string> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DiscoveryError(`${file} of ${whose} can't be read (${code}).`);
  }
}
