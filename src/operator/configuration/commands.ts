import type { ConfigurationCommand } from '../command.ts';

const READ_OPTIONS = { 'env-file': 'text', 'outside-files': 'flag', json: 'flag' } as const;
const READ_DETAILS = [
  'FILES are YAML or JSON, or folders of them: docs/configuration-files.md describes them. {env: NAME} is a',
  'variable of this process, or of --env-file FILE; --outside-files allows {file: PATH} outside of their folder.',
] as const;

/** Beside those in `USAGE`. */
const FILES_OPTIONS = {
  'token-file': 'text',
  'max-deletions': 'text',
  'delete-history': 'flag',
  ...READ_OPTIONS,
  detailed: 'flag',
} as const;
const USAGE = 'FILES… [--prune] [--team SLUG | --url URL]';

const SERVER_DETAILS = [
  'The server of DATA_DIR is asked, which must run: --team names the team if there are several. --url asks',
  'any server, with a token of the team from TOCSIN_TOKEN or --token-file FILE. --json prints the answer of the API.',
] as const;

const FILES_DETAILS = [
  ...READ_DETAILS,
  '--prune deletes what the set owns and is no longer in the files, at most --max-deletions things (5);',
  'what has a history only with --delete-history: monitors are paused instead. --detailed shows every',
  'field, and what is left alone.',
  ...SERVER_DETAILS,
] as const;

/** Commands about configuration files, in the process of the command line. */
export const CONFIGURATION_COMMANDS: readonly ConfigurationCommand[] = [
  {
    name: 'plan',
    usage: USAGE,
    summary: 'Show what configuration files would change, and what others changed.',
    details: [...FILES_DETAILS, 'Exit code 2 says that the plan is not empty.'],
    options: FILES_OPTIONS,
    run: async (...given) => (await import('./plan.ts')).planFiles(...given),
  },
  {
    name: 'apply',
    usage: `${USAGE} [--yes]`,
    summary: 'Make a team what configuration files say, all at once or not at all.',
    details: [
      'Shows the plan and asks first; --yes applies it without a question. What changes in between is refused.',
      ...FILES_DETAILS,
    ],
    options: FILES_OPTIONS,
    run: async (...given) => (await import('./plan.ts')).applyFiles(...given),
  },
  {
    name: 'drift',
    usage: USAGE,
    summary: 'Show what others changed since configuration files were applied.',
    details: [...FILES_DETAILS, 'Exit code 2 says that there is drift.'],
    options: FILES_OPTIONS,
    run: async (...given) => (await import('./plan.ts')).driftOfFiles(...given),
  },
  {
    name: 'check',
    usage: 'FILES… [--json]',
    summary: 'Check whether configuration files can be read, without a server.',
    details: [
      ...READ_DETAILS,
      'Unknown fields are found; what stands in fields is checked by "plan". --json prints the document.',
    ],
    options: READ_OPTIONS,
    run: async (...given) => (await import('./plan.ts')).checkFiles(...given),
  },
  {
    name: 'import',
    usage: 'SERVICE FILE [--out DIR] [--name NAME] [--team SLUG] [--json] [--force]',
    summary: 'Make configuration files of what another service exports.',
    details: [
      'Writes NAME.yaml and, if there are secrets, NAME.secrets.env to DIR (or here), which only you can read: keep',
      'the second one out of version control. Then run "plan NAME.yaml --env-file NAME.secrets.env". Nothing is sent',
      'to a server. Without arguments it lists the services, and what they export. --team names one of several teams',
      'in FILE. --json prints the report, and the uptime of the days before, as JSON.',
    ],
    positionals: { least: 0, most: 2 },
    run: async (...given) => (await import('./import.ts')).importFile(...given),
  },
  {
    name: 'history',
    usage: 'FILE [--team SLUG | --url URL]',
    summary: 'Import days of uptime that another service observed, once their set is applied.',
    details: [
      'FILE is the NAME.history.json that "import" wrote. Days before a monitor was created here are shown as',
      'imported, and count in no figure. It can be repeated.',
      ...SERVER_DETAILS.map((line) => line.replace(' --json prints the answer of the API.', '')),
    ],
    options: { 'token-file': 'text' },
    run: async (...given) => (await import('./history.ts')).importHistory(...given),
  },
  {
    name: 'export set',
    usage: '[FILE] [--name NAME] [--team SLUG | --url URL] [--json] [--force]',
    summary: 'Write what a team has as a configuration file.',
    details: [
      'To FILE or standard output: what the set NAME owns, and what no set owns. Secrets are left out: they are',
      'named as variables, which are listed. FILE is not overwritten without --force.',
      ...SERVER_DETAILS,
    ],
    options: { 'token-file': 'text' },
    run: async (...given) => (await import('./export.ts')).exportSet(...given),
  },
  {
    name: 'discover',
    usage: '(docker | kubernetes) [--name NAME] [--once [--out FILE]] [--team SLUG | --url URL]',
    summary: 'Create monitors of what runs, from labels of Docker or annotations of Kubernetes.',
    details: [
      'Follows the source and applies the set NAME (docker or kubernetes) until it is ended. What is gone is kept,',
      'paused, for --keep-hours (24), and leaves the set then; --delete-history deletes it. No more than',
      '--max-deletions (20) things leave at once. --once prints the set, or writes it to --out FILE, and ends:',
      'FILE is not overwritten without --force. docs/discovery.md has the labels and annotations, and the variables',
      'that say where the source is.',
      ...SERVER_DETAILS.map((line) => line.replace(' --json prints the answer of the API.', '')),
    ],
    positionals: { least: 1, most: 1 },
    options: {
      'token-file': 'text',
      'keep-hours': 'text',
      'max-deletions': 'text',
      'delete-history': 'flag',
      force: 'flag',
    },
    run: async (...given) => (await import('./discover.ts')).discover(...given),
  },
];
