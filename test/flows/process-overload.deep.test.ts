import { expect, test, vi } from 'vitest';
import { createMonitors, monitorOf, PATIENTLY, untilAll, useServices } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 180_000 });

const services = useServices();

/** Allows sixteen checks at once. */
const OPEN_FILES = 200;
const HUNG = 20;

/** `npm run bench -- blackholes` shows the same with 2,000 hung targets. */
test('outages are seen although hung checks take all slots, and the probe says that it is overloaded [25.28, 25.29]', async () => {
  const [hung, closed, well] = await Promise.all([startTarget(), startTarget(), startTarget()]);
  for (const target of [hung, closed, well]) services.use(target);
  await Promise.all([hung.hang(), closed.refuse()]);
  const service = await services.startLimited(OPEN_FILES, {
    DATA_DIR: await services.folder(),
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  });
  const stdout = () => service.stdout;
  expect(stdout()).toContain(
    `"open_files":${OPEN_FILES},"checks_at_once":16,"msg":"The limit of open files is low."`,
  );
  expect((await service.get('/readyz')).body).toMatchObject({ probe_overload: null });

  const request_timeout = 3;
  const hanging = await createMonitors(service, HUNG, (index) => ({
    url: hung.url(`/${index}`),
    request_timeout,
  }));
  const refusing = await createMonitors(service, 2, () => ({
    monitor_type: 'port',
    url: '127.0.0.1',
    port: closed.port,
    request_timeout,
  }));
  const healthy = await createMonitors(service, 5, (index) => ({
    url: well.url(`/${index}`),
    request_timeout,
  }));

  await expect
    .poll(async () => (await service.get('/readyz')).body['probe_overload'], PATIENTLY)
    .toMatchObject({ reason: expect.stringContaining('as 16 checks run in one probe process') });
  expect(await service.metric('tocsin_probe_overloaded')).toBe(1);
  expect(await service.metric('tocsin_probe_slots')).toBe(16);
  await untilAll(service, [...hanging, ...refusing], 'offline');
  await untilAll(service, healthy, 'online');
  for (const id of healthy) expect((await monitorOf(service, id)).incidents).toEqual([]);
  const lines = stdout().split('The probe is overloaded.').length - 1;
  expect(lines).toBe(1);
  expect(await service.metric('tocsin_checks_late_total')).toBeGreaterThan(0);
  await service.stop();
});
