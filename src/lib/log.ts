import pino from 'pino';
import type { LOG_FIELDS } from './log-fields.ts';

/**
 * The part of pino's logger that Tocsin uses. Messages are sentences that never vary, and docs/logs.md is generated from the
 * calls: above each one a comment that begins with `Log:` says what it means. Never log secrets, addresses of people or
 * ping tokens.
 */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', WriteLine>;

type WriteLine = (
  fields: { readonly [Name in keyof typeof LOG_FIELDS]?: unknown },
  message: string,
) => void;

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Creates a logger that writes one JSON object per line, or readable lines on a terminal. Errors in a field named
 * `error` keep their message and stack.
 */
export function createLog(level: string, output: NodeJS.WriteStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause },
  };
  const destination = output.isTTY
    ? { write: (line: string) => output.write(readable(line)) }
    : output;
  return pino(options, destination);
}

/** Fields of messages with many, of which people at a terminal see these; the JSON has all. */
const SHOWN_FIELDS: Record<string, readonly string[]> = {
  'Tocsin started.': ['version', 'roles', 'database', 'data_dir', 'regions', 'monitors'],
};

/** `12:34:56 warn  The database is away. attempt=3` */
function readable(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const shownFields = SHOWN_FIELDS[String(msg)];
  const rest = Object.entries(fields)
    .filter(([name]) => shownFields?.includes(name) ?? true)
    .map(([name, value]) => ` ${name}=${shown(value)}`);
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(msg)}${rest.join('')}\n`;
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { message } = value as { message?: unknown };
  return typeof message === 'string' ? JSON.stringify(message) : JSON.stringify(value);
}
