import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nkeys } from '@nats-io/transport-node';
import { afterEach, expect, test } from 'vitest';
import { fileWith } from '../../../../test/support/temporary-file.ts';
import { onNats } from '../../../../test/support/nats.ts';
import { systemClock } from '../../../lib/clock.ts';
import { silentLog } from '../../../lib/log.ts';
import { connectBus, type BusConnection, type NatsSettings } from './connection.ts';

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../../test/support/certificates/${name}.pem`, import.meta.url));
const forClients = fileURLToPath(new URL('../../../../test/faults/certificates/', import.meta.url));
const pem = (name: string) => readFileSync(fileOf(name), 'utf8');

/** Configuration of a server with TLS, with further settings of it. */
const tls = (more = '') =>
  fileWith(`tls { cert_file: "${fileOf('good')}", key_file: "${fileOf('server-key')}", ${more} }`);

let connection: BusConnection | null = null;
afterEach(async () => {
  await connection?.close();
  connection = null;
});

async function connectTo(settings: Partial<NatsSettings>, waitMs = 60_000): Promise<BusConnection> {
  connection = await connectBus(
    {
      urls: [],
      credentials: null,
      nkey: null,
      tlsCa: null,
      tlsCert: null,
      tlsKey: null,
      ...settings,
    },
    { name: 'test', clock: systemClock, log: silentLog, waitMs },
  );
  return connection;
}

onNats((start) => {
  test('with the user and password of the URL', async () => {
    const { url } = await start({ args: ['--user', 'me', '--pass', 'p@ss'] });
    await connectTo({ urls: [url.replace('//', '//me:p%40ss@')] });
    expect(connection!.isConnected()).toBe(true);
    const wrong = connectTo({ urls: [url.replace('//', '//me:wrong@')] });
    await expect(wrong).rejects.toThrow(/NATS_URL: no connection to NATS \(.*uthoriz/i);
    await expect(wrong).rejects.not.toThrow(/wrong/);
  });

  test('with an nkey', async () => {
    const user = nkeys.createUser();
    const config = fileWith(`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`);
    const { url } = await start({ config });
    await connectTo({ urls: [url], nkey: new TextDecoder().decode(user.getSeed()) });
    expect(connection!.isConnected()).toBe(true);
    await expect(connectTo({ urls: [url] })).rejects.toThrow(/no connection to NATS/);
  });

  test('over TLS, by the authority that is named', async () => {
    const { url } = await start({ config: tls() });
    const secure = url.replace('nats:', 'tls:');
    await connectTo({ urls: [secure], tlsCa: pem('authority') });
    expect(connection!.nats.info?.tls_required).toBe(true);
    await connection!.close();
    await expect(connectTo({ urls: [secure], tlsCa: pem('self-signed') })).rejects.toThrow(
      /no connection to NATS \(.*certificate/,
    );
  });

  test('with a certificate of its own, where the server wants one', async () => {
    const config = tls(`ca_file: "${forClients}authority.pem", verify: true`);
    const { url } = await start({ config });
    const settings = { urls: [url], tlsCa: pem('authority') };
    const tlsCert = readFileSync(`${forClients}for-clients.pem`, 'utf8');
    const tlsKey = readFileSync(`${forClients}server-key.pem`, 'utf8');
    await connectTo({ ...settings, tlsCert, tlsKey });
    expect(connection!.isConnected()).toBe(true);
    await connection!.close();
    await expect(connectTo(settings, 0)).rejects.toThrow(/no connection to NATS/);
  });

  test('tls:// is never answered in plain text', async () => {
    const { url } = await start();
    await expect(connectTo({ urls: [url.replace('nats:', 'tls:')] })).rejects.toThrow(
      "NATS_URL: no connection to NATS (server does not support 'tls')",
    );
  });

  test('it tells when the connection was lost and when it is back', async () => {
    const first = await start();
    const bus = await connectTo({ urls: [first.url] });
    const changes: boolean[] = [];
    const back = new Promise<void>((resolve) =>
      bus.onChange((isConnected) => {
        changes.push(isConnected);
        if (isConnected) resolve();
      }),
    );
    await first.stop('SIGKILL');
    await start({ port: first.port });
    await back;
    expect(changes).toEqual([false, true]);
    expect(bus.isConnected()).toBe(true);
  });
});
