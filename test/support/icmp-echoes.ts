/**
 * Sends ICMP echoes to the addresses of `icmp-network.sh` and prints each result as one line of JSON under the given
 * name.
 */
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { echoUntil } from './icmp-promises.ts';
import { createIcmpClient } from '../../src/probe/icmp/icmp-client.ts';

const ADDRESSES = ['127.0.0.1', '::1', '10.77.0.9', 'fd77::9', '10.88.0.1', '10.99.0.1', 'fd99::1'];
const icmp = createIcmpClient({ clock: systemClock, log: silentLog });
const outcomes = await Promise.all([
  ...ADDRESSES.map(async (address) => [
    address,
    (await echoUntil(icmp, address, AbortSignal.timeout(10_000))).kind,
  ]),
  (async () => [
    '10.77.0.8',
    (await echoUntil(icmp, '10.77.0.8', AbortSignal.timeout(300))).kind,
  ])(),
]);
await icmp.close();
console.log(JSON.stringify({ [process.argv[2]!]: Object.fromEntries(outcomes) }));
