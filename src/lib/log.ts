import pino from 'pino';
import type { LogFields, LogLevel, LogMessage, Undocumented } from './log-messages.ts';

/**
 * The part of pino's logger that Tocsin uses. Messages and their fields are those of log-messages.ts. Never log secrets,
 * addresses of people or ping tokens.
 */
export type Log = { [Level in LogLevel]: WriteLine<Level> };

type WriteLine<Level extends LogLevel> = <
  Message extends LogMessage<Level>,
  Fields extends LogFields<Message>,
>(
  fields: Fields & Record<Undocumented<Message, Fields>, never>,
  message: Message,
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
const SHOWN_FIELDS: Partial<Record<LogMessage<LogLevel>, readonly string[]>> = {
  'Tocsin started.': ['version', 'roles', 'database', 'data_dir', 'regions', 'monitors'],
};

/** `12:34:56 warn  The database is away. attempt=3` */
function readable(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const shownFields = SHOWN_FIELDS[msg as keyof typeof SHOWN_FIELDS];
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
