import { PERMISSIONS } from '../identity/caller.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { SERVED_COMMANDS } from './configuration/served.ts';
import { findCommand, parseCommandLine } from './command-line.ts';
import {
  ASSIGNABLE_ROLES,
  EXPORTED_INCIDENT_DAYS,
  CommandError,
  type DatabaseCommand,
  type LocalCommand,
  type OperatorContext,
  type Output,
} from './command.ts';
import type { CommandEnd, OperatorRequest } from './protocol.ts';

const PASSWORD_WARNING = [
  'A password after --password is visible in the process list and in the shell history;',
  '--password-stdin reads it from standard input instead.',
] as const;

/**
 * Commands that work on the open database, in the server or in the command line's own process. All commands load what they
 * do when they run, so that help and a command that a server runs are there at once.
 */
export const DATABASE_COMMANDS: readonly DatabaseCommand[] = [
  {
    name: 'user create',
    usage:
      'EMAIL [--name NAME] [--password PASSWORD | --password-stdin] [--team SLUG [--role ROLE]]',
    summary: 'Create a person, with a team of their own or in an existing one.',
    details: [
      'Without a password it prints a link to set one. Without --team they own a new team;',
      `with it they join that team as ${ASSIGNABLE_ROLES.join(', ')} (viewer by default).`,
      ...PASSWORD_WARNING,
    ],
    run: async (...given) => (await import('./people-commands.ts')).createUser(...given),
  },
  {
    name: 'user list',
    usage: '[--json]',
    summary: 'List all people with their teams.',
    details: ['Two-factor authentication is "on" or "off"; times are in UTC.'],
    run: async (...given) => (await import('./people-commands.ts')).listUsers(...given),
  },
  {
    name: 'user reset-password',
    usage: 'EMAIL [--password PASSWORD | --password-stdin]',
    summary: 'Print a link for a person to set a new password, or set one.',
    details: [
      'Either way all their sessions and former links end at once. The former password works until the',
      'link is used. Their API tokens stay.',
      ...PASSWORD_WARNING,
    ],
    run: async (...given) => (await import('./people-commands.ts')).resetPassword(...given),
  },
  {
    name: 'user disable-mfa',
    usage: 'EMAIL',
    summary: "Remove a person's authenticator and recovery codes.",
    details: [
      'For people who lost their device. All their sessions end. Passkeys stay; people remove theirs in the',
      'dashboard. A team that requires two-factor authentication asks them to set it up again.',
    ],
    run: async (...given) => (await import('./people-commands.ts')).disableMfa(...given),
  },
  {
    name: 'team list',
    usage: '[--json]',
    summary: 'List all teams with their plans and sizes.',
    details: ['The plan is the effective one, which may be the default of PLANS_FILE.'],
    run: async (...given) => (await import('./people-commands.ts')).listAllTeams(...given),
  },
  {
    name: 'team plan',
    usage: 'SLUG (PLAN | --default)',
    summary: 'Set the plan of a team, or reset it to the default of PLANS_FILE.',
    details: ['What a team has beyond its new plan stays, but nothing can be added.'],
    run: async (...given) => (await import('./people-commands.ts')).setPlan(...given),
  },
  {
    name: 'token create',
    usage: 'EMAIL --name NAME --permissions LIST [--team SLUG] [--expires TIME]',
    summary: 'Create an API token for a person, and print it once.',
    details: [
      `LIST is a comma-separated list of ${PERMISSIONS.join(', ')}; the person's role caps it.`,
      'People in several teams need --team. TIME is ISO 8601, such as 2027-01-31T00:00Z.',
    ],
    required: ['name', 'permissions'],
    run: async (...given) => (await import('./people-commands.ts')).createToken(...given),
  },
  {
    name: 'secrets status',
    usage: '[--json]',
    summary: 'Count the stored secrets by the key of SECRET_KEY that they need.',
    details: ['A key is shown by its id, from which the key itself cannot be derived.'],
    run: async (...given) => (await import('./secret-commands.ts')).secretsStatus(...given),
  },
  {
    name: 'secrets rotate',
    usage: '[--key ID]',
    summary: 'Encrypt all stored secrets with the first key of SECRET_KEY.',
    details: [
      'Set SECRET_KEY=NEW,OLD and restart the server first. The command works while the server runs, and can',
      'be interrupted and run again. It says when the old key can be removed.',
      '--key refuses to run unless the first key has this id. With SECRET_KEY set it is added automatically, so',
      'that a server which still has the former SECRET_KEY is noticed.',
    ],
    run: async (...given) => (await import('./secret-commands.ts')).secretsRotate(...given),
  },
  {
    name: 'setup link',
    usage: '',
    summary: 'Print a new set-up link, while set-up is not complete.',
    details: [
      'The link is valid for 24 hours, and the former one ends. Afterwards use "user reset-password".',
    ],
    run: async (...given) => (await import('./people-commands.ts')).issueSetupLink(...given),
  },
  {
    name: 'export',
    usage: '[FILE] [--force]',
    summary: 'Export all settings as JSON, to FILE or standard output.',
    details: [
      'All that people set, as the API shows it: people, teams, members, monitors, channels, routes, status pages, reports',
      `and the rest, and the incidents of the last ${EXPORTED_INCIDENT_DAYS} days. Never a secret: passwords and tokens are left out,`,
      'secrets of monitors, endpoints, channels and subscribers are masked.',
      'It is not a backup: use "backup" for one. FILE is not overwritten without --force.',
    ],
    run: async (...given) => (await import('./export.ts')).exportSettings(...given),
  },
  {
    name: 'migrate',
    usage: '',
    summary: 'Migrate the database to the version of this program.',
    details: [
      'Starting the server does the same; run it separately before several processes start.',
      'Make a backup first: an older version opens the tables of a newer one only if the migrations just added to them.',
      'The changelog names releases whose migrations do more, and migrate of the older version says whether it can.',
    ],
    run: (context, _given, output) => output.out(`${migrationState(context)}\n`),
  },
];

/** Commands that work on files, in the process of the command line. */
export const LOCAL_COMMANDS: readonly LocalCommand[] = [
  {
    name: 'probe key',
    usage: 'REGION [--new]',
    summary: 'Print the PROBE_KEY of a region, for probes on other machines.',
    details: [
      'The key belongs to SECRET_KEY and to the region. It opens the checks of that region and no others,',
      'and lets its owner answer them: keep it as secret as a password. When SECRET_KEY is rotated, print',
      'it again; a probe takes both, joined by a comma, meanwhile.',
      '--new prints the next version of the key, which replaces one that is lost. The old key is withdrawn',
      'once all servers run with REGION_KEY_VERSIONS as this command says.',
    ],
    run: async (...given) => (await import('./probe-commands.ts')).printProbeKey(...given),
  },
  {
    name: 'backup',
    usage: 'FILE [--force]',
    summary: 'Copy a snapshot of the database to FILE, also while the server runs.',
    details: [
      'The generated secret key is copied to FILE.secret-key: without it the stored secrets of monitors',
      "can't be read. FILE holds people's password hashes: protect it like a password. It is not overwritten",
      'without --force. On Postgres the command prints what to run instead.',
    ],
    run: async (...given) => (await import('./backup.ts')).backup(...given),
  },
  {
    name: 'restore',
    usage: 'FILE',
    summary: 'Replace the database by a backup, while no server runs.',
    details: [
      'FILE is checked first, and must be of this version of Tocsin or an older one. The present database',
      'is kept beside it as tocsin.db.before-restore-TIME, and so is the secret key where FILE.secret-key',
      'replaces it. On Postgres the command prints what to run instead.',
    ],
    run: async (...given) => (await import('./restore.ts')).restore(...given),
  },
  {
    name: 'move',
    usage: '(--to URL | --to-file FILE) [--verify-only]',
    summary: 'Move the installation from SQLite to Postgres, while no server runs.',
    details: [
      'Copies all rows of DATA_DIR into an empty database on Postgres 15 or newer, and compares each of them.',
      'Nothing in DATA_DIR is changed. Interrupted, the same command goes on where it was.',
      'URL is that of DATABASE_URL. The process list shows it with its password: --to-file reads it from a file.',
      '--verify-only compares again after a move, before a server has run on either database.',
    ],
    requiredOne: ['to', 'to-file'],
    run: async (...given) => (await import('./move.ts')).move(...given),
  },
];

/**
 * Runs the command of a request; never rejects.
 *
 * @param onFault receives unexpected errors, to log their stack.
 */
export async function runDatabaseCommand(
  context: OperatorContext,
  { args, password, input }: OperatorRequest,
  output: Output,
  onFault: (error: unknown) => void = () => {},
): Promise<CommandEnd> {
  const commands = [...SERVED_COMMANDS, ...DATABASE_COMMANDS];
  const parsed = parseCommandLine(args, commands);
  const command = findCommand(args, commands);
  if (parsed.kind !== 'run' || command === null) {
    const message = `The running server, Tocsin ${context.version}, does not know this command. Use the command line of that version, or restart the server.`;
    return { end: 'refused', message };
  }
  const given = { ...parsed.given, password: password ?? parsed.given.password, input };
  try {
    await command.run(context, given, output);
    return { end: 'done' };
  } catch (error) {
    if (error instanceof CommandError || isUnavailable(error)) {
      return { end: 'refused', message: error.message };
    }
    onFault(error);
    return { end: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

function migrationState({ migrated, newer, version }: OperatorContext): string {
  if (newer.length > 0) {
    return `Nothing to do: the database is newer than Tocsin ${version}, which works with ${newer.join(', ')}.`;
  }
  return migrated.length === 0
    ? `Nothing to do: the database is at Tocsin ${version}.`
    : `Ran ${migrated.join(', ')}. The database is at Tocsin ${version}.`;
}
