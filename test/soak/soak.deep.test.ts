import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { postgres } from '../support/databases.ts';
import { readOptions } from './options.ts';
import { runSoak } from './run.ts';

/** A busy machine may take this much longer; a monitor that is left out for an interval would still show. */
const SLACK_SECONDS = 15;
/** What a run takes on a slow machine, several times over. */
const WITHIN_MS = 600_000;

test.skipIf('missing' in postgres)(
  'processes that are killed and stopped, and a Postgres that crashes: nothing is missed, nothing comes twice [29.30, 40.5]',
  async () => {
    const words = ['--fleet=pair', '--monitors=12', '--jobs=2', '--intervals=30', '--kills=3'];
    const faults = '--faults=kill,stop,postgres_immediate';
    const options = readOptions([...words, faults, `--slack=${SLACK_SECONDS}`]);
    const { report, passed, folder } = await runSoak(options, () => {});
    const again = `npm run soak -- ${words.join(' ')} ${faults} --seed=${options.seed}`;
    expect(passed, `${report}\nRecords and logs: ${folder}\nAgain: ${again}`).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  },
  WITHIN_MS,
);
