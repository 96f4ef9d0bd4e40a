import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { onNats } from './support/nats.ts';

onNats((start) => {
  test('a message goes from one client to another', async () => {
    const { url } = await start();
    const [one, other] = [await connect({ servers: url }), await connect({ servers: url })];
    const heard = one.subscribe('hello', { max: 1 });
    await one.flush();
    other.publish('hello', 'world');
    for await (const message of heard) expect(message.string()).toBe('world');
    await Promise.all([one.close(), other.close()]);
  });

  test('clients come back to a server that was killed and started again on its port', async () => {
    const first = await start();
    const client = await connect({
      servers: first.url,
      reconnectTimeWait: 10,
      maxReconnectAttempts: -1,
    });
    const statuses = client.status()[Symbol.asyncIterator]();
    await first.stop('SIGKILL');
    await start({ port: first.port });
    let type: string | undefined;
    while (type !== 'reconnect') type = ((await statuses.next()).value as { type: string }).type;
    await client.flush();
    await client.close();
  });

  test('an invalid option shows what the server says', async () => {
    await expect(start({ args: ['--max_traced_msg_len'] })).rejects.toThrow(
      /did not start:[^]*max_traced_msg_len/,
    );
  });
});
