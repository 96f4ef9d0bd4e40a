import type { DriftedThing, Plan, PlannedChange } from '../../resources/configuration/plan.ts';

export interface PrintOptions {
  /** Every field, and what is left alone. */
  isDetailed: boolean;
  hasColors: boolean;
}

/** Colors of terminals (SGR). */
const COLORS = { green: 32, yellow: 33, red: 31, cyan: 36 } as const;

const MARKS = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  adopt: ['=', 'cyan'],
  delete: ['-', 'red'],
  retire: ['-', 'yellow'],
} as const satisfies Record<PlannedChange['action'], readonly [string, keyof typeof COLORS]>;

/** Longest value that is shown without `--detailed`, in characters. */
const MAX_VALUE_LENGTH = 60;

/** Shows a plan: a line for each thing, what others changed, and a line that sums up. Pure. */
export function planText(plan: Plan, options: PrintOptions): string {
  const lines = plan.changes.flatMap((change) => changeLines(change, options));
  const { kept, left_alone: left, warnings } = plan;
  const drift = driftLines(plan.drift, options);
  const sections = [
    lines,
    drift.length > 0 ? ['Changed by others since it was last applied:', ...drift] : [],
    kept.map(
      (one) =>
        `  ${nameOf(one)} is no longer in the files and stays: see --prune and --delete-history.`,
    ),
    warnings.map((warning) => `Warning: ${shown(warning)}`),
    options.isDetailed
      ? Object.entries(left).map(
          ([section, count]) => `${count} ${section} of no set, or another one, are left alone.`,
        )
      : [],
    [summaryOf(plan)],
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
}

/** Shows what others changed. Pure. */
export function driftText({ drift }: Plan, options: PrintOptions): string {
  const lines = driftLines(drift, options);
  return `${[...lines, lines.length > 0 ? `${drift.length} drifted.` : 'No drift.'].join('\n')}\n`;
}

/** A sentence of what a plan does, or did. */
export function summaryOf({ changes }: Plan, isDone = false): string {
  const count = (action: PlannedChange['action']) =>
    changes.filter((one) => one.action === action).length;
  if (changes.length === 0) return 'Nothing to do.';
  const words: [PlannedChange['action'], string, string][] = [
    ['create', 'to create', 'created'],
    ['update', 'to change', 'changed'],
    ['delete', 'to delete', 'deleted'],
    ['retire', 'to pause and release', 'paused and released'],
    ['adopt', 'to take over', 'taken over'],
  ];
  const parts = words
    .filter(([action], index) => index < 3 || count(action) > 0)
    .map(([action, planned, done]) => `${count(action)} ${isDone ? done : planned}`);
  return `${parts.join(', ')}.`;
}

function changeLines(change: PlannedChange, { isDetailed, hasColors }: PrintOptions): string[] {
  const { action, name, key } = change;
  const [mark, color] = MARKS[action];
  const title = name === '' || name === key ? '' : `  ${shown(JSON.stringify(name))}`;
  const head = `${painted(mark, color, hasColors)} ${nameOf(change)}`;
  if (action === 'retire') {
    return [
      `${head}${title}  is paused and released, as it has a history: --delete-history deletes it`,
    ];
  }
  const isNew = action === 'create';
  const fields = action === 'delete' || (isNew && !isDetailed) ? [] : change.fields;
  const texts = fields.map(({ field, before, after, is_secret: isSecret }) => {
    if (isSecret) return `${shown(field)} ${secretWord(before, after)}`;
    const now = valueText(after, isDetailed);
    return isNew
      ? `${shown(field)} ${now}`
      : `${shown(field)} ${valueText(before, isDetailed)} → ${now}`;
  });
  if (texts.length === 1 && !isDetailed) return [`${head}  ${texts[0]}`];
  return [`${head}${title}`, ...texts.map((text) => `    ${text}`)];
}

function secretWord(before: unknown, after: unknown): string {
  if (before === null) return '(secret) is set';
  return after === null ? '(secret) is removed' : '(secret) changes';
}

function driftLines(drift: readonly DriftedThing[], { isDetailed, hasColors }: PrintOptions) {
  return drift.map((one) => {
    const changes = one.changed_by
      .map(({ actor, at, verb }) => `${shown(verb)} by ${shown(actor)} at ${shown(at)}`)
      .join(', ');
    const fields = one.fields.map(
      ({ field, applied, current }) =>
        `${shown(field)} ${valueText(applied, isDetailed)} → ${valueText(current, isDetailed)}`,
    );
    const change = one.action === 'deleted' ? 'deleted' : fields.join(', ');
    const mark = painted('!', 'yellow', hasColors);
    return `${mark} ${nameOf(one)}  ${change}${changes === '' ? '' : `  (${changes})`}`;
  });
}

function nameOf({ section, key }: { section: string; key: string }): string {
  return `${section} ${shown(key)}`;
}

function painted(text: string, color: keyof typeof COLORS, hasColors: boolean): string {
  return hasColors ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;
}

function valueText(value: unknown, isDetailed: boolean): string {
  if (value === null || value === undefined) return 'none';
  const isPlain = typeof value === 'string' && value !== '' && value.trim() === value;
  const text = shown(isPlain ? value : JSON.stringify(value));
  return isDetailed || text.length <= MAX_VALUE_LENGTH
    ? text
    : `${text.slice(0, MAX_VALUE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text on one line without what steers a terminal or turns the direction of writing: names and values are of others. */
export function shown(text: string): string {
  return text.replace(
    /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
