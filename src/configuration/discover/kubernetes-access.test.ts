import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { clusterEndpoint, kubeconfigEndpoint, readKubeconfig } from './kubernetes-access.ts';

const FILE = '/home/ops/.kube/config';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A kubeconfig as `kubectl config view --raw` prints it. */
function kubeconfig({ cluster = {}, user = {}, ...more }: Record<string, object> = {}) {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'production',
    preferences: {},
    contexts: [
      { name: 'staging', context: { cluster: 'other', user: 'other' } },
      { name: 'production', context: { cluster: 'main', user: 'ops', namespace: 'shop' } },
    ],
    clusters: [
      {
        name: 'main',
        cluster: {
          server: 'https://10.0.0.1:6443',
          'certificate-authority-data': base64('CA'),
          ...cluster,
        },
      },
    ],
    users: [{ name: 'ops', user }],
    ...more,
  });
}

/** Files by path; all others are missing. */
const reading = (files: Record<string, string>) => async (file: string) => {
  if (files[file] === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  return files[file];
};

async function connectionOf(text: string, files: Record<string, string> = {}) {
  const endpoint = kubeconfigEndpoint(FILE, reading({ ...files, [FILE]: text }));
  return { name: endpoint.name, ...(await endpoint.connection()) };
}

describe('a kubeconfig', () => {
  test('gives the cluster and the certificates of its current context', async () => {
    const user = {
      'client-certificate-data': base64('CERT'),
      'client-key-data': base64('KEY'),
    };
    expect(await connectionOf(kubeconfig({ user }))).toEqual({
      name: `Kubernetes by ${FILE}`,
      isTls: true,
      prefix: '',
      options: {
        host: '10.0.0.1',
        port: 6443,
        rejectUnauthorized: true,
        ca: 'CA',
        cert: 'CERT',
        key: 'KEY',
      },
      headers: {},
    });
  });

  test('names files beside it, which are read for each connection', async () => {
    const files = { '/home/ops/.kube/token': 'first\n', '/etc/ca.pem': 'CA 2' };
    const text = kubeconfig({
      cluster: {
        'certificate-authority-data': undefined,
        'certificate-authority': '/etc/ca.pem',
      } as object,
      user: { tokenFile: 'token' },
    });
    const endpoint = kubeconfigEndpoint(FILE, reading(Object.assign(files, { [FILE]: text })));
    expect(await endpoint.connection()).toMatchObject({
      options: { ca: 'CA 2' },
      headers: { authorization: 'Bearer first' },
    });
    files['/home/ops/.kube/token'] = 'second';
    expect((await endpoint.connection()).headers).toEqual({ authorization: 'Bearer second' });
  });

  test('may have a token, a path, a name for TLS and no check of certificates', async () => {
    const cluster = {
      server: 'https://[2001:db8::1]/k8s/clusters/c-abc12/',
      'tls-server-name': 'kubernetes',
      'insecure-skip-tls-verify': true,
    };
    expect(await connectionOf(kubeconfig({ cluster, user: { token: 'abc' } }))).toMatchObject({
      prefix: '/k8s/clusters/c-abc12',
      options: {
        host: '2001:db8::1',
        port: 443,
        servername: 'kubernetes',
        rejectUnauthorized: false,
      },
      headers: { authorization: 'Bearer abc' },
    });
  });

  test.each([
    [
      'a program to sign in',
      kubeconfig({ user: { exec: { command: 'aws' } } }),
      'the user ops signs in by "exec", which would run a program: use a client certificate, or the token of a service account.',
    ],
    [
      'an auth provider',
      kubeconfig({ user: { 'auth-provider': { name: 'gcp' } } }),
      'the user ops signs in by "auth-provider"',
    ],
    [
      'a password',
      kubeconfig({ user: { username: 'a', password: 'b' } }),
      'the user ops has a password, which Kubernetes no longer takes: use a token.',
    ],
    [
      'a proxy',
      kubeconfig({ cluster: { 'proxy-url': 'http://proxy' } }),
      'the cluster main has a proxy-url, which is not supported.',
    ],
    [
      'no server',
      kubeconfig({ cluster: { server: '10.0.0.1' } }),
      'the cluster main has no server such as https://10.0.0.1:6443.',
    ],
    [
      'no current context',
      kubeconfig({ 'current-context': '' as unknown as object }),
      'it has no current-context: choose one with `kubectl config use-context`.',
    ],
    [
      'a context of nothing',
      kubeconfig({ 'current-context': 'test' as unknown as object }),
      'it has no context "test".',
    ],
    ['a cluster of nothing', kubeconfig({ clusters: [] }), 'it has no cluster "main".'],
    ['a user of nothing', kubeconfig({ users: [] }), 'it has no user "ops".'],
    ['no YAML', 'a: [', 'it is no YAML'],
    [
      'a bomb',
      `a: &a [${'x,'.repeat(9)}]\n${Array.from({ length: 9 }, (_, n) => `b${n}: &b${n} [${`*${n === 0 ? 'a' : `b${n - 1}`},`.repeat(9)}]`).join('\n')}`,
      'it is no YAML',
    ],
    ['nothing', '', 'it has no current-context'],
    ['a list', '[]', 'it has no current-context'],
  ])('with %s is refused', (_what, text, message) => {
    expect(() => readKubeconfig(text, FILE)).toThrow(`KUBECONFIG ${FILE}: ${message}`);
  });

  test('that is missing is an error', async () => {
    await expect(kubeconfigEndpoint(FILE, reading({})).connection()).rejects.toThrow(
      `${FILE} of KUBECONFIG can't be read (ENOENT).`,
    );
  });
});

test('a pod asks with the token and the CA of its service account', async () => {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
  const files = { [`${folder}/token`]: 'abc\n', [`${folder}/ca.crt`]: 'CA' };
  const access = { host: '10.96.0.1', port: 443 };
  expect(await clusterEndpoint(access, reading(files)).connection()).toEqual({
    isTls: true,
    options: { host: '10.96.0.1', port: 443, ca: 'CA' },
    headers: { authorization: 'Bearer abc' },
  });
  await expect(clusterEndpoint(access, reading({})).connection()).rejects.toThrow(
    `${folder}/ca.crt of the service account can't be read (ENOENT).`,
  );
});
