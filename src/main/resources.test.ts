import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eachDatabase, freshDirectory } from '../../test/support/databases.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { updateRows } from '../../test/support/rows.ts';
import { findMissingKeys, createKeyRing } from '../identity/key-ring.ts';
import { silentLog } from '../lib/log.ts';
import { createSecretBox, keyIdOf } from '../lib/secret-box.ts';
import type { Database } from '../store/database/contract.ts';
import { missingKeysText, requireStoredKeys } from './resources.ts';

const [OLD, NEW] = ['the key of last year', 'the key of this year'];
const OLD_ID = keyIdOf(OLD);

const keepSecret = (database: Database, key: string) =>
  createMonitor(database, 1, {
    auth_password: createSecretBox([key]).of('monitor', 1).seal('secret', 'auth_password'),
  });

const start = (database: Database, keys: string[], more: object = {}) => {
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  const settings = { dataDir: '/nowhere', secretKeys: keys, allowMissingKeys: false, ...more };
  return requireStoredKeys(settings, { database, keys, log }).then(() => warnings);
};

eachDatabase((_name, open) => {
  test('a start without a key that stored secrets need says which, and for what [39.36]', async () => {
    const database = await open();
    await start(database, [OLD]);
    await keepSecret(database, OLD);
    await keepSecret(database, OLD);
    await expect(start(database, [NEW])).rejects.toThrow(
      `stored secrets need a key that is not there: key ${OLD_ID} (2 passwords of monitors). ` +
        'Add the missing key to SECRET_KEY, after a comma. If the key is lost, set ALLOW_MISSING_KEYS=true',
    );
    expect(await start(database, [NEW, OLD])).toEqual([]);
    expect(await start(database, [NEW], { allowMissingKeys: true })).toEqual([
      { key: OLD_ID, values: 2 },
    ]);
  });

  test('the start reads no encrypted column while it has all listed keys', async () => {
    const database = await open();
    await start(database, [OLD]);
    const unread = {
      ...database,
      get scan(): never {
        throw new Error('The tables were read.');
      },
    };
    expect(await findMissingKeys(unread, createKeyRing([OLD]), 1)).toEqual([]);
    expect(await findMissingKeys(unread, createKeyRing([NEW, OLD]), 1)).toEqual([]);
    await expect(findMissingKeys(unread, createKeyRing([NEW]), 1)).rejects.toThrow('were read');
  });

  test('a key that no value needs any more may go, whether or not it was rotated', async () => {
    const database = await open();
    await start(database, [OLD]);
    await keepSecret(database, OLD);
    await start(database, [NEW, OLD]);
    await updateRows(database, 'monitor', { auth_password: null });
    expect(await start(database, [NEW])).toEqual([]);
    expect(await start(database, [NEW])).toEqual([]);
  });
});

test('a generated key that SECRET_KEY replaced is named by its file', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  await writeFile(path.join(place, 'secret-key'), `${OLD}\n`);
  const values = [{ what: 'ping URLs', count: 3 }];
  const use = { id: OLD_ID, position: -1, values, total: 3 };
  const text = (id: string | null) =>
    missingKeysText([use], id, { dataDir: place, secretKeys: [NEW] });
  expect(text(OLD_ID)).toContain(`Key ${OLD_ID} is the generated one in ${place}/secret-key`);
  expect(text('deadbeef')).toContain('Add the missing key to SECRET_KEY, after a comma.');
});
