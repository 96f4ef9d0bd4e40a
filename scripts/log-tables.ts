import { globSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { LOG_FIELDS } from '../src/lib/log-fields.ts';

/*
 * The tables of docs/logs.md come from the calls themselves, such as `log.warn({ attempt }, 'Waiting for NATS.')`: level,
 * message and the type of the fields. What a message means stands above the call, or above the constant with its text, in a
 * comment that begins with `Log:` and goes on to the end of the comment.
 */

/** Messages of one area as rows of level, message, fields and meaning. */
interface MessageTable {
  area: string;
  rows: string[][];
}

/** Where messages belong, by their text or the path of their file below `src`: the first that matches. */
const AREAS: readonly [area: string, ...of: RegExp[]][] = [
  ['Incidents', /^An incident was |^An incident ended/],
  [
    'Database',
    /^(main\/observation|engine\/(schedule\/shards|history\/)|identity\/shared-counters)/,
  ],
  ['Service', /^(main|operator|dashboard|lib|store)\b/, /^engine\/schedule\/clock-watch/],
  ['Push monitors', /^engine\/heartbeat\//],
  ['Checks', /^(engine|probe)\//],
  ['Alerts, webhooks and mails', /^alerting\//, /^A mail /],
  ['Event streams', /^live\//],
  ['Status pages', /^(status-page|api\/status)\//],
  ['Reports', /^report\//],
  ['Requests', /./],
];

/** Order of the areas in the document. */
const ORDER = [
  'Service',
  'Incidents',
  'Alerts, webhooks and mails',
  'Requests',
  'Database',
  'Checks',
  'Push monitors',
  'Event streams',
  'Status pages',
  'Reports',
];

const LEVELS = ['error', 'warn', 'info', 'debug'];

interface Message {
  file: string;
  level: string;
  text: string;
  /** Names; those that end with `?` may be missing. */
  fields: string[];
}

/** The tables of messages. @throws an Error that lists messages without a meaning, and fields without one. */
export function messageTables(): MessageTable[] {
  const { messages, meanings } = readSource();
  const faults = [...messages.values()].flatMap(({ file, text, fields }) => [
    ...(meanings.has(text) ? [] : [`${file}: no comment "Log:" says what "${text}" means`]),
    ...(/^[A-Z].*[.…]$/.test(text) ? [] : [`${file}: "${text}" is no sentence`]),
    ...fields
      .filter((name) => !(name.replace('?', '') in LOG_FIELDS))
      .map((name) => `${file}: ${name} is not in LOG_FIELDS`),
  ]);
  const used = new Set([...messages.values()].flatMap(({ fields }) => fields.map(nameOf)));
  const unused = Object.keys(LOG_FIELDS).filter((name) => !used.has(name));
  if (unused.length > 0) faults.push(`LOG_FIELDS has fields that no line has: ${unused.join(' ')}`);
  const unlogged = [...meanings.keys()].filter((text) => !messages.has(text));
  faults.push(...unlogged.map((text) => `"${text}" has a comment "Log:" and is not logged`));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  // In an order that stays when code moves.
  const sorted = [...messages.values()].toSorted((one, other) =>
    one.text.localeCompare(other.text),
  );
  const byArea = Map.groupBy(sorted, areaOf);
  return ORDER.map((area) => ({
    area,
    rows: (byArea.get(area) ?? []).map(({ level, text, fields }) => [
      level,
      text,
      fields.length === 0
        ? '–'
        : fields
            .toSorted()
            .map((name) => `\`${name}\``)
            .join(' '),
      meanings.get(text)!,
    ]),
  }));
}

/** The rows of the table of fields. */
export function fieldRows(): string[][] {
  return Object.entries(LOG_FIELDS).map(([name, meaning]) => [`\`${name}\``, meaning]);
}

const nameOf = (field: string) => field.replace('?', '');

function areaOf({ file, text }: Message): string {
  return AREAS.find(([, ...of]) => of.some((one) => one.test(text) || one.test(file)))![0];
}

function readSource() {
  const root = path.resolve(import.meta.dirname, '..');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  );
  const names = globSync('src/**/*.ts', { cwd: root }).filter((name) => !name.includes('.test.'));
  const program = ts.createProgram(
    names.toSorted().map((name) => path.join(root, name)),
    { ...options, noEmit: true },
  );
  const checker = program.getTypeChecker();
  const messages = new Map<string, Message>();
  const meanings = new Map<string, string>();
  for (const name of names.toSorted()) {
    const source = program.getSourceFile(path.join(root, name))!;
    const file = name.replace('src/', '');
    const visit = (node: ts.Node): void => {
      const call = logCallOf(node, source);
      for (const text of call === null ? [] : textsOf(checker.getTypeAtLocation(call.message))) {
        const fields = fieldsOf(checker, checker.getTypeAtLocation(call!.fields));
        const known = messages.get(text);
        if (known === undefined) messages.set(text, { file, level: call!.level, text, fields });
        else known.fields = unionOf(known.fields, fields);
      }
      const meaning = meaningAbove(node, source);
      const text = meaning === null ? null : textIn(node, source);
      if (text !== null) meanings.set(text, meaning!);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { messages, meanings };
}

/** A call of a log with fields and a message. */
function logCallOf(node: ts.Node, source: ts.SourceFile) {
  if (!ts.isCallExpression(node) || node.arguments.length !== 2) return null;
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || !LEVELS.includes(expression.name.text))
    return null;
  if (!/(^|\.)#?log$/.test(expression.expression.getText(source))) return null;
  const [fields, message] = node.arguments;
  return { level: expression.name.text, fields: fields!, message: message! };
}

/** The messages that an expression may be; none for one that is handed on. */
function textsOf(type: ts.Type): string[] {
  if (type.isUnion()) return type.types.flatMap(textsOf);
  if (type.isStringLiteral()) return [type.value];
  const { texts } = type as ts.TemplateLiteralType;
  return texts === undefined ? [] : [`${texts[0]}…`];
}

/** JSON leaves out what is undefined. */
function fieldsOf(checker: ts.TypeChecker, type: ts.Type): string[] {
  if (type.isUnion()) return type.types.map((one) => fieldsOf(checker, one)).reduce(unionOf);
  return type.getProperties().map((property) => {
    const value = checker.getTypeOfSymbol(property);
    const kinds = value.isUnion() ? value.types : [value];
    const mayBeMissing =
      (property.flags & ts.SymbolFlags.Optional) !== 0 ||
      kinds.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
    return property.name + (mayBeMissing ? '?' : '');
  });
}

/** Fields of lines of either kind: those that one of them is without may be missing. */
function unionOf(one: string[], other: string[]): string[] {
  const names = [...new Set([...one, ...other].map(nameOf))];
  return names.map((name) => (one.includes(name) && other.includes(name) ? name : `${name}?`));
}

/** What the comment right before a node says after `Log:`; null without one. */
function meaningAbove(node: ts.Node, { text }: ts.SourceFile): string | null {
  const start = node.getFullStart();
  // Of nested nodes that begin with the same comment it belongs to the innermost one, which has the text.
  const lines = (ts.getLeadingCommentRanges(text, start) ?? []).map(({ pos, end }) =>
    text.slice(pos, end).replace(/^\/\/ ?/, ''),
  );
  const first = lines.findIndex((line) => line.startsWith('Log: '));
  return first === -1 ? null : lines.slice(first).join(' ').slice('Log: '.length);
}

/** The first message in a node. */
function textIn(node: ts.Node, source: ts.SourceFile): string | null {
  const call = logCallOf(node, source);
  const text = call?.message ?? node;
  if (ts.isStringLiteral(text) && /[.…]$/.test(text.text)) return text.text;
  if (ts.isTemplateExpression(text)) return `${text.head.text}…`;
  if (call !== null) return null;
  return ts.forEachChild(node, (child) => textIn(child, source) ?? undefined) ?? null;
}
