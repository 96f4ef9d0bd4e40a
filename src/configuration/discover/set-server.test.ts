import { describe, expect, test } from 'vitest';
import type { ConfigurationDocument } from '../document.ts';
import { appliedBy, type SetServer } from './set-server.ts';

interface Owned {
  set: string;
  section: string;
  key: string;
}

/** A server with one team, which remembers who owns what. */
function startServer(owned: Owned[] = []) {
  const bodies: object[] = [];
  let refusal: Error | null = null;
  const server: SetServer = {
    items: async () => ({ total: owned.length, data: owned }),
    export: async (name) => ({
      document: {
        name,
        groups: [{ key: 'shop', name: 'Shop' }],
        monitors: [
          { key: 'own', url: 'https://own.example.com' },
          { key: 'free', url: 'https://free.example.com' },
        ],
      },
    }),
    async apply(body) {
      bodies.push(body);
      if (refusal !== null) throw refusal;
      const { document } = body as { document: ConfigurationDocument };
      const others = owned.filter(({ set }) => set !== document.name);
      const own = (document.monitors ?? []).map(({ key }) => ({
        set: document.name,
        section: 'monitors',
        key,
      }));
      owned.splice(0, owned.length, ...others, ...own);
      return { changes: [{}] };
    },
  };
  const open = () => appliedBy(server, { name: 'docker', maxDeletions: 7, deletesHistory: false });
  return { open, bodies, owned, refuse: (error: Error | null) => void (refusal = error) };
}

const setOf = (...keys: string[]): ConfigurationDocument => ({
  name: 'docker',
  groups: [],
  monitors: keys.map((key) => ({ key })),
});
const owns = (set: string, key: string, section = 'monitors') => ({ set, section, key });

describe('a set at a server', () => {
  test('is known by what it owns, and not by what no set owns', async () => {
    const { open } = startServer([owns('docker', 'own'), owns('files', 'free')]);
    expect(await open().known()).toEqual({
      name: 'docker',
      groups: [],
      monitors: [{ key: 'own', url: 'https://own.example.com' }],
    });
    expect(
      await startServer([owns('files', 'own')])
        .open()
        .known(),
    ).toBeNull();
  });

  test('is applied with its limits', async () => {
    const { open, bodies } = startServer();
    expect(await open().apply(setOf('a'))).toEqual({ changes: 1, errors: {} });
    expect(bodies).toEqual([
      { document: setOf('a'), prune: true, max_deletions: 7, delete_history: false },
    ]);
  });

  test('answers with what is refused, and throws all else', async () => {
    const { open, refuse } = startServer();
    const errors = { 'monitors.0.url': ['must be a URL.'] };
    refuse(Object.assign(new Error('refused'), { errors }));
    expect(await open().apply(setOf('a'))).toEqual({ changes: 0, errors });
    refuse(Object.assign(new Error('another plan is due'), { errors: {} }));
    await expect(open().apply(setOf('a'))).rejects.toThrow('another plan is due');
  });

  test('that another process writes from another source is left alone', async () => {
    const { open, bodies } = startServer();
    const [one, other] = [open(), open()];
    await Promise.all([one.known(), other.known()]);
    await one.apply(setOf('a'));
    await expect(other.apply(setOf('b'))).rejects.toThrow(
      'Another process applies the set docker, too: it has monitors a, which this one did not make.',
    );
    expect(bodies).toHaveLength(1);
  });

  test('may be written by two that find the same', async () => {
    const { open } = startServer();
    const [one, other] = [open(), open()];
    await one.apply(setOf('a'));
    await other.apply(setOf('a', 'b'));
    await one.apply(setOf('a', 'b', 'c'));
    await other.apply(setOf('a', 'b', 'c'));
    expect((await one.apply(setOf('a'))).changes).toBe(1);
  });

  test('is its own also where an answer was lost', async () => {
    const { open, owned, refuse } = startServer();
    const one = open();
    await one.known();
    refuse(new Error('the connection was cut'));
    await expect(one.apply(setOf('a'))).rejects.toThrow('cut');
    owned.push(owns('docker', 'a'));
    refuse(null);
    expect((await one.apply(setOf('b'))).changes).toBe(1);
  });
});
