import { LOG_AREAS, LOG_FIELDS, type LogEntry } from '../src/lib/log-messages.ts';

/** Messages of one area as rows of level, message, fields and meaning. */
interface MessageTable {
  area: string;
  rows: string[][];
}

/** The tables of messages in docs/logs.md. */
export function messageTables(): MessageTable[] {
  return Object.entries(LOG_AREAS).map(([area, messages]) => ({
    area,
    rows: Object.entries<LogEntry>(messages).map(([message, { level, fields, meaning }]) => [
      level,
      message,
      fields === ''
        ? '–'
        : fields
            .split(' ')
            .map((name) => `\`${name}\``)
            .join(' '),
      meaning,
    ]),
  }));
}

/** The rows of the table of fields in docs/logs.md. */
export function fieldRows(): string[][] {
  return Object.entries(LOG_FIELDS).map(([name, meaning]) => [`\`${name}\``, meaning]);
}
