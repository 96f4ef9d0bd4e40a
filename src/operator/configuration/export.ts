import { writeFile } from 'node:fs/promises';
import { writeConfiguration } from '../../configuration/write.ts';
import type { ExportedSet } from '../../resources/configuration/export.ts';
import { EXIT, textOption, type ConfigurationCommand } from '../command.ts';
import { requireNewFile } from '../files.ts';
import { shown } from './print.ts';
import { openServer } from './server.ts';

export const exportSet: ConfigurationCommand['run'] = async (context, given, output) => {
  const [file] = given.positionals;
  if (file !== undefined) await requireNewFile(file, given);
  const server = await openServer(context, given);
  const exported = (await server.export(textOption(given, 'name'))) as ExportedSet;
  const { document, warnings } = exported;
  const { text, secrets } = writeConfiguration(document);
  const written = given.options['json'] === true ? `${JSON.stringify(exported, null, 2)}\n` : text;
  if (file === undefined) await output.out(written);
  else await writeFile(file, written, { flag: given.options['force'] === true ? 'w' : 'wx' });
  for (const warning of warnings) await output.note(`Warning: ${shown(warning)}`);
  if (secrets.length > 0) {
    await output.note(
      `Secrets are left out. Where their variables are not set, what is stored stays: ${secrets.map(({ variable }) => variable).join(', ')}.`,
    );
  }
  if (file !== undefined) await output.out(`Exported to ${file}.\n`);
  return EXIT.done;
};
