import { openSecretKey } from '../identity/secret-key.ts';
import { deriveRegionKey, FIRST_KEY_VERSION, probeKeyText } from '../lib/region-keys.ts';
import { CommandError, type LocalCommand } from './command.ts';

export const printProbeKey: LocalCommand['run'] = async (
  { dataDir, secretKeys, regions, randomBytes },
  { positionals, options },
  output,
) => {
  const name = positionals[0]!;
  const region = regions.find(({ code }) => code === name);
  if (region === undefined) {
    const codes = regions.map(({ code }) => code).join(', ');
    throw new CommandError(`There is no region "${name}": the installation has ${codes}.`);
  }
  const secretKey = secretKeys[0] ?? (await openSecretKey(dataDir, randomBytes));
  const isNew = options['new'] === true;
  const version = region.keyVersion + (isNew ? 1 : 0);
  await output.out(`${probeKeyText(deriveRegionKey(secretKey, name, version))}\n`);
  if (isNew) {
    // With the versions of other regions: without them, withdrawn keys would be valid again.
    const setting = regions
      .map((one) => (one.code === name ? { ...one, keyVersion: version } : one))
      .filter(({ keyVersion }) => keyVersion > FIRST_KEY_VERSION)
      .map(({ code, keyVersion }) => `${code}=${keyVersion}`)
      .join(',');
    await output.note(
      `This key takes effect with REGION_KEY_VERSIONS=${setting} at all servers, which withdraws the present one.`,
    );
  }
};
