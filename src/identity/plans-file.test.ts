import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshDirectory } from '../../test/support/databases.ts';
import { CHECK_TYPES } from '../model/monitor.ts';
import { MONITOR_TYPES } from '../monitor-types/registry.ts';
import { createPlans, openPlans, PlansFileError, FULL_PLAN } from './plans.ts';

const plansOf = (file: object) => createPlans(JSON.stringify(file));
const mistakesIn = (file: unknown) => () => createPlans(JSON.stringify(file));

test('a plan has the features and limits of the file [38.16]', () => {
  const free = {
    api_access: false,
    monitor_types: ['cron', 'http'],
    check_types: ['json', 'ssl', 'ssl'],
    min_check_interval: 2.5,
    max_monitors: 10,
    max_monitors_per_host: 4,
    check_url: false,
  };
  expect(plansOf({ default: 'Free', plans: { Free: free } }).of(null)).toEqual({
    name: 'Free',
    apiAccess: false,
    monitorTypes: ['http', 'cron'],
    checkTypes: ['ssl', 'json'],
    minCheckInterval: 2.5,
    maxMonitors: 10,
    maxMonitorsPerHost: 4,
    checkUrl: false,
  });
});

test('an omitted limit is unlimited, an omitted feature is included [38.1]', () => {
  const nothing = { monitor_types: null, check_types: null, min_check_interval: null };
  const plans = plansOf({ default: 'A', plans: { A: {}, B: { ...nothing, max_monitors: null } } });
  for (const name of ['A', 'B']) expect(plans.of(name)).toEqual({ ...FULL_PLAN, name });
});

test('empty lists include none', () => {
  const { A } = { A: { monitor_types: [], check_types: [], max_monitors: 0 } };
  const plan = plansOf({ default: 'A', plans: { A } }).of(null);
  expect([plan.monitorTypes, plan.checkTypes, plan.maxMonitors]).toEqual([[], [], 0]);
});

test('a team has its plan, or the default without one or with a missing one [38.15]', () => {
  const plans = plansOf({ default: 'Pro', plans: { Free: { max_monitors: 1 }, Pro: {} } });
  expect(plans.names).toEqual(['Free', 'Pro']);
  expect(plans.of('Free').name).toBe('Free');
  for (const name of [null, 'Gold', 'free', 'constructor', '__proto__', '']) {
    expect(plans.of(name).name).toBe('Pro');
  }
});

test('lists every mistake with its path [38.17]', () => {
  const file = {
    default: 'Gold',
    plans: {
      Free: {
        api_access: 'yes',
        monitor_types: ['http', 'telepathy'],
        check_types: 'ssl',
        min_check_interval: 0.4,
        max_monitors: -1,
        max_monitors_per_host: 0,
        check_url: null,
        status_pages: 1,
      },
      Odd: [],
      ' ': {},
    },
    version: 1,
  };
  const message = [
    'plans.Free.api_access must be true or false.',
    `plans.Free.monitor_types.1 must be one of ${MONITOR_TYPES.join(', ')}.`,
    `plans.Free.check_types must be a list, any of ${CHECK_TYPES.join(', ')}.`,
    'plans.Free.min_check_interval must be a number of minutes from 0.5 to 60; without it there is no limit.',
    'plans.Free.max_monitors must be a whole number from 0 on; without it there is no limit.',
    'plans.Free.max_monitors_per_host must be a whole number from 1 on; without it there is no limit.',
    'plans.Free.check_url must be true or false.',
    'plans.Free.status_pages is not a known key: use api_access, monitor_types, check_types, min_check_interval, max_monitors, max_monitors_per_host and check_url.',
    'plans.Odd must be an object such as {"max_monitors": 10}.',
    'version is not a known key: use default and plans.',
    'The plan " " must have a name of 1 to 100 characters that neither begins nor ends with a space.',
    'default is "Gold", but must be one of the plans: "Free", "Odd", " ".',
  ].join(' ');
  expect(mistakesIn(file)).toThrow(new PlansFileError(message));
});

test.for([
  [[], 'The file must be a JSON object such as {"default"'],
  [null, 'The file must be a JSON object'],
  ['Free', 'The file must be a JSON object'],
  [{}, 'default must be the name of a plan. plans must be an object of plans by their names.'],
  [{ default: 1, plans: { A: {} } }, 'default must be the name of a plan.'],
  [{ default: 'A', plans: {} }, 'plans must hold at least one plan.'],
  [{ default: 'A', plans: [] }, 'plans must be an object of plans by their names.'],
  [{ default: 'A', plans: 'A' }, 'plans must be an object of plans by their names.'],
  [{ default: 'a', plans: { A: {} } }, 'default is "a", but must be one of the plans: "A".'],
  [{ default: 'A', plans: { A: { max_monitors: 1.5 } } }, 'plans.A.max_monitors must be a whole'],
  [{ default: 'A', plans: { A: { max_monitors: '5' } } }, 'plans.A.max_monitors must be a whole'],
  [{ default: 'A', plans: { A: { min_check_interval: 61 } } }, 'from 0.5 to 60'],
  [{ default: 'A', plans: { A: { check_types: ['SSL'] } } }, 'plans.A.check_types.0 must be one'],
  [{ default: 'A', plans: { A: null } }, 'plans.A must be an object'],
  [{ default: '__proto__', plans: { A: {} } }, 'default is "__proto__", but must be'],
])('%j is refused', ([file, message]) => {
  expect(mistakesIn(file)).toThrow(PlansFileError);
  expect(mistakesIn(file)).toThrow(message as string);
});

describe('the file', () => {
  test('may start with a byte order mark', async () => {
    const { file, remove } = await fileWith('\uFEFF{"default": "A", "plans": {"A": {}}}\n');
    expect((await openPlans(file)).names).toEqual(['A']);
    await remove();
  });

  test('is named in the error with its mistakes', async () => {
    const { file, remove } = await fileWith('{"default": "A"');
    await expect(openPlans(file)).rejects.toThrow(PlansFileError);
    await expect(openPlans(file)).rejects.toThrow(
      `PLANS_FILE: ${file} can't be used. It is not valid JSON: `,
    );
    await remove();
  });

  test('is named in the error when missing', async () => {
    const { file, remove } = await fileWith('{}');
    await remove();
    await expect(openPlans(file)).rejects.toThrow(
      new PlansFileError(
        `PLANS_FILE names ${file}, but there is no such file. Correct the path, or leave PLANS_FILE unset.`,
      ),
    );
  });

  test('must not be a folder', async () => {
    const { place, remove } = await freshDirectory();
    await expect(openPlans(place)).rejects.toThrow(`PLANS_FILE: ${place} can't be read (`);
    await remove();
  });
});

async function fileWith(text: string) {
  const { place, remove } = await freshDirectory();
  const file = path.join(place, 'plans.json');
  await writeFile(file, text);
  return { file, remove };
}
