/** Writes generated contents into their files. With --check it writes nothing and fails if a file would change. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ScalingParts } from '../bench/scaling-parts.ts';
import {
  comparisonRows,
  idleRows,
  limitRows,
  measuredRows,
  modelRows,
  probeRows,
  statementRows,
  unitRows,
  type Rows,
} from '../bench/scaling-tables.ts';
import { BRAND, CHART_COLORS } from '../src/lib/brand.ts';
import { METRICS, MONITOR_METRICS, type MetricEntry } from '../src/lib/metric-table.ts';
import { describeSettings } from '../src/config/config.ts';
import { DEFINITIONS } from '../src/monitor-types/registry.ts';
import { ACCESS_HEAD, accessRows } from './access-table.ts';
import { clientImporters, clientLimits, clientMonitorTypes, clientTypes } from './client.ts';
import { linksFrom } from './links.ts';
import { fieldRows, messageTables } from './log-tables.ts';
import { documentText } from './openapi.ts';
import { schemaTypes } from './schema-types.ts';
import { OUTGOING_HEAD, outgoingRows } from './outgoing-table.ts';

interface Generated {
  file: string;
  /** Returns the new text of the file from its current text. */
  produce(present: string): string;
}

/** Files of examples that the page of a push monitor shows. */
const SHOWN_EXAMPLES = [
  'backup.service',
  'github-actions.yaml',
  'kubernetes.yaml',
  'pings.mjs',
  'pings.py',
];

const DOCUMENT = documentText();

const GENERATED: Generated[] = [
  { file: 'README.md', produce: (text) => fill(text, 'configuration', shortTable()) },
  { file: 'docs/configuration.md', produce: (text) => fill(text, 'configuration', fullTable()) },
  {
    file: 'docs/access.md',
    produce: (text) => fill(text, 'access', table(ACCESS_HEAD, accessRows())),
  },
  {
    file: 'docs/security.md',
    produce: (text) => fill(text, 'outgoing', table(OUTGOING_HEAD, outgoingRows())),
  },
  { file: 'docs/logs.md', produce: fillLogs },
  { file: 'docs/metrics.md', produce: fillMetrics },
  { file: 'docs/scaling.md', produce: fillScaling },
  { file: 'docs/heartbeats.md', produce: (text) => fillExamples(text, (name) => !isWebhook(name)) },
  { file: 'docs/webhooks.md', produce: fillWebhooks },
  { file: 'web/pages/monitor/examples.json', produce: exampleTexts },
  { file: 'web/style/tokens.css', produce: (text) => fillCss(text, 'colors', dashboardColors()) },
  { file: 'openapi.json', produce: () => DOCUMENT },
  { file: 'src/store/database/schema.gen.ts', produce: schemaTypes },
  { file: 'src/api/dashboard-pages.gen.ts', produce: dashboardPages },
  { file: 'web/app/api.gen.ts', produce: () => clientTypes(DOCUMENT) },
  { file: 'web/app/fields.gen.ts', produce: () => clientLimits(DOCUMENT) },
  { file: 'web/app/monitor-types.gen.ts', produce: clientMonitorTypes },
  { file: 'web/app/importers.gen.ts', produce: clientImporters },
];

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const { file, produce } of GENERATED) {
  const url = new URL(`../${file}`, import.meta.url);
  const present = readFileSync(url, 'utf8');
  const wanted = produce(present);
  if (wanted === present) continue;
  stale += 1;
  if (isCheck) console.error(`${file} is not what the source generates: run "npm run generate".`);
  else {
    writeFileSync(url, wanted);
    console.log(`${file} written`);
  }
}
process.exitCode = isCheck && stale > 0 ? 1 : 0;

/** Replaces what stands between the markers `<!-- generated: name -->` and `<!-- end: name -->`. */
function fill(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The markers ${begin} and ${end} are missing.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** Replaces what stands between the comments of a style sheet `generated: name` and `end: name`. */
function fillCss(text: string, name: string, declarations: [string, string][]): string {
  const block = new RegExp(
    `^( *)/\\* generated: ${name} \\*/\\n[^]*?(?=^ */\\* end: ${name} )`,
    'm',
  );
  if (!block.test(text)) throw new Error(`The markers of the ${name} are missing.`);
  return text.replace(block, (_, indent: string) =>
    [
      `/* generated: ${name} */`,
      ...declarations.map(([property, value]) => `--${property}: ${value};`),
    ]
      .map((line) => `${indent}${line}\n`)
      .join(''),
  );
}

/** Custom properties of the dashboard, which follow the scheme of the page. */
function dashboardColors(): [string, string][] {
  return Object.entries({ ...BRAND, ...CHART_COLORS }).map(([name, [light, dark]]) => [
    name,
    `light-dark(${light}, ${dark})`,
  ]);
}

/** Inserts the tables of what `npm run bench -- scale --save` measured, and of what the model makes of it. */
function fillScaling(text: string): string {
  const file = new URL('../bench/scaling-parts.json', import.meta.url);
  const parts = JSON.parse(readFileSync(file, 'utf8')) as ScalingParts;
  const tables: Record<string, (parts: ScalingParts) => Rows> = {
    'scaling measured': measuredRows,
    'scaling idle': idleRows,
    'scaling units': unitRows,
    'scaling probes': probeRows,
    'scaling statements': statementRows,
    'scaling model': modelRows,
    'scaling limits': limitRows,
    'scaling comparison': comparisonRows,
  };
  const command = ['```sh', parts.command, '```'].join('\n');
  return Object.entries(tables).reduce(
    (filled, [name, rowsOf]) => {
      const [head, ...rows] = rowsOf(parts);
      return fill(filled, name, table(head!, rows));
    },
    fill(text, 'scaling command', command),
  );
}

/** Inserts the metrics of both scrapes. */
function fillMetrics(text: string): string {
  const head = ['Metric', 'Type', 'Labels', 'Meaning'];
  const filled = fill(text, 'metrics', table(head, metricRows(METRICS)));
  return fill(filled, 'monitor metrics', table(head, metricRows(MONITOR_METRICS)));
}

/** Inserts the messages of each area, and the fields. */
function fillLogs(text: string): string {
  const messages = messageTables().map(
    ({ area, rows }) => `### ${area}\n\n${table(['Level', 'Message', 'Fields', 'Meaning'], rows)}`,
  );
  const filled = fill(text, 'messages', messages.join('\n\n'));
  return fill(filled, 'fields', table(['Field', 'Meaning'], fieldRows()));
}

/** The paths of the dashboard's pages, which the server answers. */
function dashboardPages(): string {
  return `// Generated from web/app by "npm run generate".
export const PAGES = [
${pathsIn('routes.tsx', /\broute\(\s*'([^']+)'/g)}] as const;

/** Pages that visitors open: to sign in, and by links in mails and messages. */
export const VISITOR_PAGES = [
${pathsIn('entry-pages.ts', /^ {2}'(\/[\w-]+)':/gm)}] as const;
`;
}

function pathsIn(file: string, pattern: RegExp): string {
  const text = readFileSync(new URL(`../web/app/${file}`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(pattern), ([, path]) => `  '${path}',\n`).join('');
}

/** Inserts the events of each type of monitor, of which several types may share some, and the examples. */
function fillWebhooks(text: string): string {
  const rows = DEFINITIONS.flatMap(({ events: { open, resolve } }) => [
    [`\`${open.name}\``, open.when, 'critical'],
    [`\`${resolve.name}\``, resolve.when, 'info'],
  ]);
  const unique = [...new Map(rows.map((row) => [row[0], row])).values()];
  const events = table(['Event', 'When', 'Severity'], unique);
  return fillExamples(fill(text, 'events of types', events), isWebhook);
}

function isWebhook(example: string): boolean {
  return /^(Tocsin)?webhook\./i.test(example);
}

/** Inserts these files of examples/ at their markers. */
function fillExamples(text: string, isShown: (name: string) => boolean): string {
  const folder = new URL('../examples/', import.meta.url);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter(isShown);
  return names.reduce((filled, name) => {
    const content = readFileSync(new URL(name, folder), 'utf8').trimEnd();
    const block = ['```' + languageOf(name), content, '```'].join('\n');
    return fill(filled, `examples/${name}`, block);
  }, text);
}

function exampleTexts(): string {
  const texts = SHOWN_EXAMPLES.map((name) => [
    name,
    readFileSync(new URL(`../examples/${name}`, import.meta.url), 'utf8').trimEnd(),
  ]);
  return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;
}

function languageOf(name: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1];
  return extension === undefined ? 'sh' : extension === 'service' ? 'ini' : extension;
}

function shortTable(): string {
  const rows = describeSettings().map((one) => [
    `\`${one.name}\``,
    code(one.default),
    linksFrom(one.meaning, { of: 'docs/configuration.md', to: 'README.md' }),
  ]);
  return table(['Name', 'Default', 'Meaning'], rows);
}

function fullTable(): string {
  const rows = describeSettings().map((one) => [
    `\`${one.name}\``,
    one.allowed,
    code(one.default),
    one.meaning,
  ]);
  return table(['Name', 'Value', 'Default', 'Meaning'], rows);
}

function metricRows(metrics: Readonly<Record<string, MetricEntry>>): string[][] {
  return Object.entries(metrics).map(([name, { type, labels, help }]) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(' ') || '–',
    help,
  ]);
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

/** Shows values as code and sentences as text. */
function code(text: string): string {
  return text === 'unset' || /[ `]/.test(text) ? text : `\`${text}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
