import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { SECTIONS } from '../../configuration/document.ts';
import { readConfiguration } from '../../configuration/files.ts';
import { placed, type ConfigurationError } from '../../configuration/places.ts';
import { listed } from '../../lib/text.ts';
import type { Plan } from '../../resources/configuration/plan.ts';
import {
  CommandError,
  EXIT,
  textOption,
  type CommandInput,
  type ConfigurationCommand,
  type ConfigurationContext,
  type Output,
} from '../command.ts';
import { driftText, planText, shown, summaryOf } from './print.ts';
import { openServer, Refusal, type ConfigurationServer } from './server.ts';

/** Refused items that are named. */
const MAX_NAMED = 20;

/** A set that is compared with a server. */
interface Run {
  server: ConfigurationServer;
  body: object;
  plan: Plan;
}

export const planFiles: ConfigurationCommand['run'] = (context, given, output) =>
  withPlan(context, given, output, async ({ plan }) => {
    await printPlan(plan, context, given, output);
    return plan.changes.length > 0 ? EXIT.differs : EXIT.done;
  });

export const driftOfFiles: ConfigurationCommand['run'] = (context, given, output) =>
  withPlan(context, given, output, async ({ plan }) => {
    const { drift } = plan;
    const text = isJson(given)
      ? `${JSON.stringify({ drift }, null, 2)}\n`
      : driftText(plan, optionsOf(context, given));
    await output.out(text);
    return drift.length > 0 ? EXIT.differs : EXIT.done;
  });

export const applyFiles: ConfigurationCommand['run'] = (context, given, output) => {
  const isAgreed = given.options['yes'] === true;
  if (!isAgreed && (!context.isInteractive || isJson(given))) {
    throw new CommandError('Nobody can be asked here: look at "plan" first, and add --yes.');
  }
  return withPlan(context, given, output, async ({ server, body, plan }) => {
    const json = isJson(given);
    if (!json) await printPlan(plan, context, given, output);
    if (plan.changes.length === 0) {
      if (json) await printPlan(plan, context, given, output);
      return EXIT.done;
    }
    if (!isAgreed && !/^y(?:es)?$/i.test((await context.ask('Apply this? [y/N] ')).trim())) {
      await output.note('Nothing was changed.');
      return EXIT.refused;
    }
    const done = (await server.apply(body, plan.fingerprint)) as Plan;
    if (json) await printPlan(done, context, given, output);
    else await output.out(`Applied: ${summaryOf(done, true)}\n`);
    return EXIT.done;
  });
};

/** Reads the files, asks for the plan, and goes on with it; prints what is wrong by its places. */
async function withPlan(
  context: ConfigurationContext,
  given: CommandInput,
  output: Output,
  goOn: (run: Run) => Promise<number>,
): Promise<number> {
  const isPruning = given.options['prune'] === true;
  const maxDeletions = countOption(given, 'max-deletions');
  const loaded = await read(context, given);
  if ('errors' in loaded) return refuse(loaded.errors, given, output);
  const server = await openServer(context, given);
  const body = {
    document: loaded.document,
    prune: isPruning || loaded.prune,
    max_deletions: maxDeletions ?? loaded.maxDeletions,
    delete_history: given.options['delete-history'] === true,
  };
  try {
    return await goOn({ server, body, plan: (await server.plan(body)) as Plan });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.isOutdated) {
      throw new CommandError(
        'The team was changed since this plan was made, and nothing was applied. Plan again.',
      );
    }
    const { errors, others, items } = placed(error.errors, loaded);
    if (errors.length + others.length === 0) throw error;
    for (const message of others) await output.note(shown(message));
    const code = await refuse(errors, given, output);
    if (items.length > 0) await output.note(shown(wayOn(items)));
    return code;
  }
}

function wayOn(items: readonly string[]): string {
  return `Nothing was changed. Correct what is refused, or remove it from the files and go on without it: ${listed(items, MAX_NAMED)}.`;
}

export const checkFiles: ConfigurationCommand['run'] = async (context, given, output) => {
  const loaded = await read(context, given);
  if ('errors' in loaded) return refuse(loaded.errors, given, output);
  const { document, references } = loaded;
  const [{ unknownFields }, { COLLECTIONS }] = await Promise.all([
    import('../../resources/configuration/field-names.ts'),
    import('../../resources/nouns.ts'),
  ]);
  const { errors } = placed(unknownFields(document, COLLECTIONS), loaded);
  if (errors.length > 0) return refuse(errors, given, output);
  const missing = references.filter(({ secret }) => secret.value === undefined);
  for (const name of new Set(missing.map(({ secret }) => secret.from)))
    await output.note(`There is no value for ${shown(name)}.`);
  if (isJson(given)) {
    // What is checked goes to logs: the values of secrets do not.
    for (const { secret } of references) delete secret.value;
    await output.out(`${JSON.stringify(document, null, 2)}\n`);
    return EXIT.done;
  }
  const counts = SECTIONS.filter((section) => document[section] !== undefined).map(
    (section) => `${section} (${document[section]!.length})`,
  );
  await output.out(`The set ${document.name} can be read: ${counts.join(', ') || 'nothing'}.\n`);
  return EXIT.done;
};

async function read({ environment }: ConfigurationContext, given: CommandInput) {
  return readConfiguration(given.positionals, {
    environment: { ...environment, ...(await readEnvironment(given)) },
    allowsOutsideFiles: given.options['outside-files'] === true,
  });
}

async function refuse(
  errors: readonly ConfigurationError[],
  given: CommandInput,
  output: Output,
): Promise<number> {
  if (isJson(given)) await output.out(`${JSON.stringify({ errors }, null, 2)}\n`);
  for (const { file, line, column, message } of errors) {
    await output.note(`${shown(file)}:${line}:${column}: ${shown(message)}`);
  }
  return EXIT.refused;
}

async function printPlan(
  plan: Plan,
  context: ConfigurationContext,
  given: CommandInput,
  output: Output,
) {
  await output.out(
    isJson(given)
      ? `${JSON.stringify(plan, null, 2)}\n`
      : planText(plan, optionsOf(context, given)),
  );
}

function isJson({ options }: CommandInput): boolean {
  return options['json'] === true;
}

function optionsOf({ hasColors }: ConfigurationContext, { options }: CommandInput) {
  return { hasColors, isDetailed: options['detailed'] === true };
}

function countOption(given: CommandInput, name: string): number | null {
  const text = textOption(given, name);
  if (text === null) return null;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new CommandError(`--${name} must be a whole number.`);
}

/** Variables of `--env-file`. @throws CommandError */
async function readEnvironment(given: CommandInput): Promise<Record<string, string | undefined>> {
  const file = textOption(given, 'env-file');
  if (file === null) return {};
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`--env-file ${file} can't be read (${error.code}).`);
  });
  return parseEnv(text);
}
