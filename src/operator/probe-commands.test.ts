import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { deriveRegionKey, parseProbeKey } from '../lib/region-keys.ts';
import { openSecretKey } from '../identity/secret-key.ts';
import { CommandError, type LocalContext } from './command.ts';
import { printProbeKey } from './probe-commands.ts';

async function run(
  region: string,
  more: Partial<LocalContext> & { options?: Record<string, boolean>; notes?: string[] } = {},
): Promise<string> {
  const { place, remove } = await freshDirectory();
  try {
    let text = '';
    const context: LocalContext = {
      dataDir: place,
      databaseUrl: null,
      secretKeys: [],
      allowMissingKeys: false,
      regions: [
        { code: 'nbg', keyVersion: 1 },
        { code: 'sin', keyVersion: 2 },
      ],
      clock: createFakeClock(),
      randomBytes,
      ...more,
    };
    const given = { positionals: [region], options: more.options ?? {}, password: null };
    const output = {
      out: async (part: string) => void (text += part),
      note: async (line: string) => void more.notes?.push(line),
    };
    await printProbeKey(context, given, output);
    return text;
  } finally {
    await remove();
  }
}

test('it prints the key of a region by the newest SECRET_KEY', async () => {
  const printed = await run('nbg', { secretKeys: ['the new secret key', 'the old secret key'] });
  expect(printed).toMatch(/^nbg\.\S+\n$/);
  expect(parseProbeKey(printed.trim())).toEqual(deriveRegionKey('the new secret key', 'nbg'));
});

test('without SECRET_KEY it is that of the key in the data folder', async () => {
  const { place, remove } = await freshDirectory();
  const generated = await openSecretKey(place, randomBytes);
  const printed = await run('sin', { dataDir: place });
  expect(parseProbeKey(printed.trim())).toEqual(deriveRegionKey(generated, 'sin', 2));
  await remove();
});

test('a region that the installation does not have is refused', async () => {
  await expect(run('moon')).rejects.toThrow(
    new CommandError('There is no region "moon": the installation has nbg, sin.'),
  );
});

test.each([
  // The version of another region stays withdrawn.
  ['nbg', 2, 'nbg=2,sin=2'],
  ['sin', 3, 'sin=3'],
])(
  '--new prints the next key of %s, and how the present one is withdrawn',
  async (region, next, setting) => {
    const notes: string[] = [];
    const secretKeys = ['the secret key of a test'];
    const printed = await run(region, { secretKeys, options: { new: true }, notes });
    expect(parseProbeKey(printed.trim())).toEqual(deriveRegionKey(secretKeys[0]!, region, next));
    expect(notes).toEqual([expect.stringContaining(`REGION_KEY_VERSIONS=${setting} `)]);
  },
);
