import { openSecretKey } from '../identity/secret-key.ts';
import { deriveRegionKey, probeKeyText } from '../lib/region-keys.ts';
import { CommandError, type LocalCommand } from './command.ts';

export const probeKey: LocalCommand = {
  name: 'probe key',
  usage: 'REGION',
  summary: 'Print the PROBE_KEY of a region, for probes on other machines.',
  details: [
    'The key belongs to SECRET_KEY and to the region. It opens the checks of that region and no others,',
    'and lets its owner answer them: keep it as secret as a password. When SECRET_KEY is rotated, print',
    'it again; a probe takes both, joined by a comma, meanwhile.',
  ],
  positionals: { least: 1, most: 1 },
  options: {},
  async run({ dataDir, secretKeys, regions, randomBytes }, { positionals }, output) {
    const region = positionals[0]!;
    if (!regions.includes(region)) {
      throw new CommandError(`There is no region "${region}": REGIONS has ${regions.join(', ')}.`);
    }
    const secretKey = secretKeys[0] ?? (await openSecretKey(dataDir, randomBytes));
    await output.out(`${probeKeyText(deriveRegionKey(secretKey, region))}\n`);
  },
};
