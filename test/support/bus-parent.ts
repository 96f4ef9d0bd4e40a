/** A process with a probe process, whose id it sends to its parent. It runs until it is killed. */
import { createLocalBus } from '../../src/engine/bus/local.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';

const bus = await createLocalBus({
  regions: ['ash'],
  vantage: 'office',
  version: '1.0.0',
  workers: 1,
  settings: { allowPrivateTargets: 'true', dnsServers: null, rdapBootstrapFile: null },
  environment: process.env,
  clock: systemClock,
  log: silentLog,
  entry: new URL('./misbehaving-child.ts', import.meta.url),
});
process.send!(bus.processes()[0]!.pid);
