import { expect, test } from 'vitest';
import { variablesOfOthers } from './configuration-folder.ts';

test('files of a folder see no settings of Tocsin [39.74]', () => {
  const environment = {
    SHOP_TOKEN: 'a',
    SECRET_KEY: 'b',
    SECRET_KEY_FILE: '/run/secrets/key',
    ADMIN_TOKEN: 'c',
    DATABASE_URL: 'd',
    CONFIG_DIR: '/etc/tocsin',
    PATH: '/bin',
  };
  expect(variablesOfOthers(environment)).toEqual({ SHOP_TOKEN: 'a', PATH: '/bin' });
});
