import examples from './examples.json';

export type Tool = 'crontab' | 'curl' | 'systemd' | 'github' | 'kubernetes' | 'node' | 'python';

export const TOOLS: readonly Tool[] = [
  'crontab',
  'curl',
  'systemd',
  'github',
  'kubernetes',
  'node',
  'python',
];

/** Facts of a monitor that its snippets have. */
export interface SnippetFacts {
  pingUrl: string;
  /** Cron expression of the job; null where it has none. */
  expression: string | null;
}

const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null';
/** Time of the examples, which is replaced by that of the job. */
const EXAMPLE_TIME = '30 2 * * *';
const EXAMPLE_URL = 'https://tocsin.example.com/ping/TOKEN';

/** What to write where a job runs, so that it pings. The longer ones are the files of `examples/`, which the tests run. */
export function snippetOf(tool: Tool, facts: SnippetFacts): string {
  const { pingUrl } = facts;
  switch (tool) {
    case 'crontab':
      return crontab(facts);
    case 'curl':
      return curl(pingUrl);
    case 'systemd':
      return examples['backup.service'].replace('https://…/ping/TOKEN', pingUrl);
    case 'github':
      return withTime(examples['github-actions.yaml'], facts);
    case 'kubernetes':
      return withTime(examples['kubernetes.yaml'], facts).replace(EXAMPLE_URL, pingUrl);
    case 'node':
      return `// PING_URL=${pingUrl}\n${examples['pings.mjs']}`;
    case 'python':
      return `# PING_URL=${pingUrl}\n${examples['pings.py']}`;
  }
}

/** Cron expression of a job that runs at this interval, in seconds; null where cron has none. */
export function cronOfInterval(interval: number | null): string | null {
  if (interval === null || interval % 60 !== 0) return null;
  const minutes = interval / 60;
  if (minutes === 1) return '* * * * *';
  if (minutes < 60 && 60 % minutes === 0) return `*/${minutes} * * * *`;
  const hours = minutes / 60;
  if (hours === 1) return '0 * * * *';
  if (hours < 24 && 24 % hours === 0) return `0 */${hours} * * *`;
  return hours === 24 ? EXAMPLE_TIME : null;
}

function withTime(text: string, { expression }: SnippetFacts): string {
  return text.replace(EXAMPLE_TIME, expression ?? EXAMPLE_TIME);
}

/** A `%` is a new line in a crontab unless it has a backslash. */
function crontab({ pingUrl, expression }: SnippetFacts): string {
  const time = expression ?? EXAMPLE_TIME;
  return [
    `PING_URL=${pingUrl}`,
    '',
    '# Pings if the job succeeded. A job that fails, hangs or never starts is missed after its grace period.',
    `${time} /usr/local/bin/backup && ${CURL} "$PING_URL"`,
    '',
    '# Or: pings with the exit code. A failed job opens an incident at once.',
    `# ${time} /usr/local/bin/backup; ${CURL} "$PING_URL/$?"`,
  ].join('\n');
}

function curl(pingUrl: string): string {
  return [
    '# The run succeeded.',
    `${CURL} ${pingUrl}`,
    '',
    '# A run starts; its end then has a duration.',
    `${CURL} ${pingUrl}/start`,
    '',
    '# The run failed; --data-raw sends the end of its output along.',
    `${CURL} --data-raw "$output" ${pingUrl}/fail`,
    '',
    '# The run ended with this exit code.',
    `${CURL} ${pingUrl}/$?`,
  ].join('\n');
}
