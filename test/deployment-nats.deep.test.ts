import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect, wsconnect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshDirectory } from './support/directories.ts';
import { turnOfTheEventLoop } from './support/event-loop.ts';
import { DEPLOYED_REGIONS, layNatsCluster, type NatsCluster } from './support/nats-cluster.ts';
import { onNats, type StartNats } from './support/nats.ts';

/** Subjects of each kind that the program uses, and one that it does not. */
const SUBJECTS = [
  ...DEPLOYED_REGIONS.flatMap((region) => [
    `tocsin.check.${region}.key`,
    `tocsin.check.${region}.key.probe`,
    `tocsin.presence.${region}.key`,
  ]),
  'tocsin.answer.node.batch',
  'other',
];

/** Beginnings of the subjects that a user may publish to, and subscribe to. */
interface Rights {
  publish: string[];
  subscribe: string[];
}

const SERVER: Rights = {
  publish: ['tocsin.check.'],
  subscribe: ['tocsin.presence.', 'tocsin.answer.'],
};
const probe = (region: string): Rights => ({
  publish: [`tocsin.presence.${region}.`, 'tocsin.answer.'],
  subscribe: [`tocsin.check.${region}.`],
});

let cluster: NatsCluster;
const cleanups: (() => Promise<void>)[] = [];

beforeEach(async () => {
  const { place, remove } = await freshDirectory();
  cleanups.push(remove);
  cluster = await layNatsCluster(place);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function client(url: string, user?: string): Promise<NatsConnection> {
  const options = user === undefined ? {} : { user, pass: cluster.password(user) };
  const opened = await (url.startsWith('ws:') ? wsconnect : connect)({
    servers: url,
    reconnectTimeWait: 20,
    maxReconnectAttempts: -1,
    ...options,
  });
  cleanups.push(() => opened.close());
  return opened;
}

/** What a client was refused, in the order of the subjects. */
async function refusals(nats: NatsConnection): Promise<Rights> {
  const refused: Rights = { publish: [], subscribe: [] };
  void (async () => {
    for await (const status of nats.status()) {
      const [, subject] =
        (status.type === 'error' && /Publish to "(.*)"/.exec(status.error.message)) || [];
      if (subject !== undefined) refused.publish.push(subject);
    }
  })();
  for (const subject of SUBJECTS) {
    nats.publish(subject);
    nats.subscribe(subject, {
      callback: (error) => {
        if (error !== null) refused.subscribe.push(subject);
      },
    });
  }
  // A server complains before it answers the next ping.
  await nats.flush();
  await turnOfTheEventLoop();
  return refused;
}

function refusalsOf({ publish, subscribe }: Rights): Rights {
  return { publish: subjectsBeside(publish), subscribe: subjectsBeside(subscribe) };
}

function subjectsBeside(allowed: readonly string[]): string[] {
  return SUBJECTS.filter((subject) => !allowed.some((beginning) => subject.startsWith(beginning)));
}

/** A probe that answers its checks with its name. */
async function startProbe(url: string, region: string): Promise<void> {
  const nats = await client(url, region);
  nats.subscribe(`tocsin.check.${region}.key`, {
    queue: 'probes',
    callback: (_error, message) => nats.publish(message.reply!, `${region} answers`),
  });
  await nats.flush();
}

/** Asks until there is an answer: what a leaf node wants arrives at the hub a moment later. */
async function ask(server: NatsConnection, region: string): Promise<string> {
  for (let batch = 1; ; batch++) {
    const reply = `tocsin.answer.node.${batch}`;
    const answers = server.subscribe(reply, { max: 1 });
    server.publish(`tocsin.check.${region}.key`, '', { reply });
    for await (const answer of answers) if (answer.headers?.code !== 503) return answer.string();
  }
}

async function leafAccounts(): Promise<string[]> {
  const answer = await fetch(`${cluster.hub.http}/leafz`);
  const { leafs } = (await answer.json()) as { leafs?: { account: string }[] };
  return (leafs ?? []).map(({ account }) => account);
}

onNats((start) => {
  describe('the hub', () => {
    test.each([
      ['server', SERVER],
      ...DEPLOYED_REGIONS.map((region) => [region, probe(region)] as const),
    ] as const)('lets %s do what it needs, and nothing else', async (user, rights) => {
      const { url } = await start({ config: cluster.hub.config });
      expect(await refusals(await client(url, user))).toEqual(refusalsOf(rights));
    });

    test('knows nobody without a password, or with a wrong one', async () => {
      const { url } = await start({ config: cluster.hub.config });
      await expect(connect({ servers: url })).rejects.toThrow('Authorization Violation');
      const wrong = connect({ servers: url, user: 'nbg', pass: cluster.password('ash') });
      await expect(wrong).rejects.toThrow('Authorization Violation');
    });

    test('takes probes by WebSocket, with the same rules', async () => {
      const { url } = await start({ config: cluster.hub.config });
      expect(await refusals(await client(cluster.hub.websocket, 'nbg'))).toEqual(
        refusalsOf(probe('nbg')),
      );
      await startProbe(cluster.hub.websocket, 'pdx');
      expect(await ask(await client(url, 'server'), 'pdx')).toBe('pdx answers');
    });

    test('is healthy for those who ask', async () => {
      await start({ config: cluster.hub.config });
      expect((await fetch(`${cluster.hub.http}/healthz`)).status).toBe(200);
    });
  });

  describe('the leaf node', () => {
    test('lets its region do what it needs, and nothing else', async () => {
      await start({ config: cluster.hub.config });
      const { url } = await start({ config: cluster.leaf.config });
      expect(await refusals(await client(url, 'sin'))).toEqual(refusalsOf(probe('sin')));
      const other = connect({ servers: url, user: 'nbg', pass: cluster.password('nbg') });
      await expect(other).rejects.toThrow('Authorization Violation');
      const server = connect({ servers: url, user: 'server', pass: cluster.password('server') });
      await expect(server).rejects.toThrow('Authorization Violation');
    });

    test('passes on checks and answers, also when the hub was killed and is back', async () => {
      const hub = await start({ config: cluster.hub.config });
      const leaf = await start({ config: cluster.leaf.config });
      const server = await client(hub.url, 'server');
      await startProbe(leaf.url, 'sin');
      await startProbe(hub.url, 'nbg');
      expect(await ask(server, 'sin')).toBe('sin answers');
      expect(await ask(server, 'nbg')).toBe('nbg answers');

      const statuses = server.status()[Symbol.asyncIterator]();
      await hub.stop('SIGKILL');
      await start({ config: cluster.hub.config, port: hub.port });
      let type: string | undefined;
      while (type !== 'reconnect') type = ((await statuses.next()).value as { type: string }).type;
      expect(await ask(server, 'sin')).toBe('sin answers');
      expect(await ask(server, 'nbg')).toBe('nbg answers');
    });
  });

  describe('a leaf node that was taken over', () => {
    test('reads no checks of other regions, and speaks for none', async () => {
      const hub = await start({ config: cluster.hub.config });
      const rogue = await startRogue(start, `sin:${cluster.password('sin')}@`);
      const server = await client(hub.url, 'server');
      const taken = await client(rogue.url);
      await startProbe(hub.url, 'nbg');

      const read: string[] = [];
      taken.subscribe('>', { callback: (_error, { subject }) => void read.push(subject) });
      await startProbeOf(taken, 'sin');
      expect(await ask(server, 'nbg')).toBe('nbg answers');
      // The order is kept: what came before this was delivered by then, or never is.
      expect(await ask(server, 'sin')).toBe('taken');
      expect(new Set(read.filter((subject) => !subject.startsWith('tocsin.answer.')))).toEqual(
        new Set(['tocsin.check.sin.key']),
      );

      const heard: string[] = [];
      server.subscribe('tocsin.presence.>', {
        callback: (_e, { subject }) => void heard.push(subject),
      });
      await server.flush();
      // The leaf node learns of these subscriptions a moment later.
      while (!heard.includes('tocsin.presence.sin.key')) {
        taken.publish('tocsin.presence.nbg.key');
        taken.publish('tocsin.presence.sin.key');
        await taken.flush();
        await server.flush();
      }
      expect(new Set(heard)).toEqual(new Set(['tocsin.presence.sin.key']));
    });

    test('gets nothing without user, although it has a certificate', async () => {
      await start({ config: cluster.hub.config });
      await startRogue(start, '');
      await expect.poll(leafAccounts).toEqual(['NOTHING']);
    });

    test.each([
      ['with a wrong password', 'sin:wrong@', true, 'authentication error'],
      ['without a certificate', 'sin:PASSWORD@', false, "client didn't provide a certificate"],
    ])('does not get in %s', async (_what, user, certificate, logged) => {
      const hub = await start({ config: cluster.hub.config });
      await startRogue(start, user.replace('PASSWORD', cluster.password('sin')), certificate);
      await expect.poll(() => hub.log()).toContain(logged);
      expect(await leafAccounts()).toEqual([]);
    });
  });
});

async function startProbeOf(nats: NatsConnection, region: string): Promise<void> {
  nats.subscribe(`tocsin.check.${region}.key`, {
    queue: 'probes',
    callback: (_error, message) => nats.publish(message.reply!, 'taken'),
  });
  await nats.flush();
}

/** Starts a leaf node without any rule of its own. */
async function startRogue(start: StartNats, user: string, hasCertificate = true) {
  const config = join(dirname(cluster.leaf.config), 'rogue.conf');
  const certificate = hasCertificate ? ', cert_file: "leaf.pem", key_file: "leaf.key"' : '';
  const remote = `url: "tls://${user}${cluster.hubAddress}", tls: { ca_file: "ca.pem"${certificate} }`;
  writeFileSync(config, `leafnodes: { reconnect: 1, remotes: [{ ${remote} }] }`);
  return start({ config });
}
