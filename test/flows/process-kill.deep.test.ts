import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { expectSoundHistory } from '../support/sound-history.ts';
import {
  createMonitors,
  incidents,
  lookAt,
  untilAll,
  useServices,
  type Service,
} from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();

test('killed again and again while fifty monitors fail and recover, all stays whole [40.1]', async () => {
  const MONITORS = 50;
  const target = services.use(await startTarget());
  const DATA_DIR = await services.folder();
  let service = await services.start({ DATA_DIR });
  const ids = await createMonitors(service, MONITORS, (index) => ({
    url: target.url(`/${index}`),
  }));
  await untilAll(service, ids, 'online');

  const lookAtAll = (at: Service) => Promise.all(ids.map((id) => lookAt(at, id)));
  const turns = Array.from({ length: 4 }, (_, turn) => ({
    isBroken: turn % 2 === 0,
    killAfterMs: Math.random() * 600,
  }));
  for (const { isBroken, killAfterMs } of turns) {
    await (isBroken ? target.fail() : target.heal());
    const cutOff = lookAtAll(service).catch(() => 'cut off');
    await sleep(systemClock, killAfterMs);
    await service.kill();
    await cutOff;

    service = await services.start({ DATA_DIR });
    const after = `killed after ${Math.round(killAfterMs)} ms`;
    await untilAll(service, ids, isBroken ? 'offline' : 'online', after);
    const open = (await incidents(service)).filter(({ status }) => status === 'open');
    const troubled = open.map((incident) => incident.monitor_id).toSorted((a, b) => a - b);
    expect(troubled, after).toEqual(isBroken ? ids.toSorted((a, b) => a - b) : []);
  }
  await service.stop();

  const database = services.use(await openDatabase({ engine: 'sqlite', directory: DATA_DIR }));
  await expectSoundHistory(database);
  const found = await database.read
    .selectFrom('incident')
    .select(['monitor_id', 'started_at', 'ended_at', 'root_cause'])
    // A round that is out while the target changes may see both: in some regions only it is down.
    .where('type', '=', 'uptime')
    .orderBy('id')
    .execute();
  const outages = Map.groupBy(found, ({ monitor_id: monitorId }) => monitorId);
  // Whole, so that one too many tells what it was.
  expect([...outages.values()].filter((own) => own.length !== turns.length / 2)).toEqual([]);
  expect(outages.size).toBe(MONITORS);
});
