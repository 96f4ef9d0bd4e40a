import {
  CommandError,
  textOption,
  type DatabaseCommand,
  type LocalConfiguration,
} from '../command.ts';

/** Answer of a server to a command about configuration sets: what the API answers, or why not. */
export type Served =
  | { answer: object }
  | { problem: { code: string; message: string; errors: Record<string, string[]> } };

type Work = (
  configuration: LocalConfiguration,
  team: string | null,
  option: (name: string) => string | null,
  input: object,
) => Promise<object>;

/** Says how a server is reached. */
export const NO_SERVER =
  'No server runs on this DATA_DIR. Start it, or name a server with --url and its token with TOCSIN_TOKEN.';

const served = (
  name: string,
  options: DatabaseCommand['options'],
  work: Work,
): DatabaseCommand => ({
  name: `configuration ${name}`,
  usage: '',
  summary: '',
  details: [],
  options: { team: 'text', ...options },
  async run({ configuration }, given, output) {
    if (configuration === null) throw new CommandError(NO_SERVER);
    const option = (of: string) => textOption(given, of);
    const input = typeof given.input === 'object' && given.input !== null ? given.input : {};
    const result = await work(configuration, option('team'), option, input).then(
      (answer): Served => ({ answer }),
      problemOf,
    );
    await output.out(JSON.stringify(result));
  },
});

/** Commands that a running server does for those of `CONFIGURATION_COMMANDS`; nobody types them. */
export const SERVED_COMMANDS: readonly DatabaseCommand[] = [
  served('plan', {}, (configuration, team, _option, body) => configuration.plan(team, body)),
  served('apply', { 'if-match': 'text' }, (configuration, team, option, body) =>
    configuration.apply(team, body, option('if-match')),
  ),
  served('export', { name: 'text' }, (configuration, team, option) =>
    configuration.export(team, option('name')),
  ),
  served('history', {}, (configuration, team, _option, body) =>
    configuration.importDays(team, body),
  ),
  served('items', {}, (configuration, team) => configuration.items(team)),
];

/** A refusal as data. Other errors are faults. */
async function problemOf(error: unknown): Promise<Served> {
  const { InvalidInput, Problem } = await import('../../resources/common/errors.ts');
  if (!(error instanceof Problem)) throw error;
  const errors = error instanceof InvalidInput ? error.errors : {};
  return { problem: { code: error.code, message: error.message, errors } };
}
