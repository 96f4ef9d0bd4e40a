import type { HistoryDay } from './importer.ts';
import { idOf, type KumaTables, type Row } from './kuma-tables.ts';
import { numberOf, textOf } from './values.ts';

const DAY_SECONDS = 86_400;
/** Of a heartbeat. A pending one failed, and is retried: Uptime Kuma counts it as down. */
const STATUS = { up: 1, maintenance: 3 };

/**
 * Days of uptime by the id of their monitor, oldest first. Version 2 counts heartbeats by day, which are as long as the
 * interval; version 1 has only heartbeats, each with the seconds since the one before.
 */
export function kumaHistory(tables: KumaTables): ReadonlyMap<string, HistoryDay[]> {
  const intervals = new Map(
    tables.monitor.map((row) => [idOf(row['id']), numberOf(row['interval']) || 60]),
  );
  const days = new Map<string, Map<string, HistoryDay>>();
  for (const row of tables.stat_daily) {
    const date = dateOf(numberOf(row['timestamp']));
    const interval = intervals.get(idOf(row['monitor_id']));
    if (date === null || interval === undefined) continue;
    const [up, down] = [numberOf(row['up']) ?? 0, numberOf(row['down']) ?? 0];
    put(days, row, { date, up: up * interval, down: down * interval });
  }
  for (const row of tables.stat_daily.length > 0 ? [] : tables.heartbeat_day) {
    const date = textOf(row['date']) ?? '';
    const interval = intervals.get(idOf(row['monitor_id']));
    const status = numberOf(row['status']);
    if (!isDate(date) || interval === undefined || status === STATUS.maintenance) continue;
    const seconds = numberOf(row['seconds']) || (numberOf(row['beats']) ?? 0) * interval;
    put(
      days,
      row,
      status === STATUS.up ? { date, up: seconds, down: 0 } : { date, up: 0, down: seconds },
    );
  }
  return new Map(
    [...days].map(([id, of]) => [
      id,
      [...of.values()].map(inOneDay).toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    ]),
  );
}

function put(
  days: Map<string, Map<string, HistoryDay>>,
  row: Row,
  { date, up, down }: { date: string; up: number; down: number },
): void {
  const id = idOf(row['monitor_id']);
  const own = days.get(id) ?? new Map<string, HistoryDay>();
  days.set(id, own);
  const before = own.get(date) ?? { date, up_seconds: 0, down_seconds: 0 };
  own.set(date, {
    date,
    up_seconds: before.up_seconds + Math.max(0, up),
    down_seconds: before.down_seconds + Math.max(0, down),
  });
}

/** Retries come more often than the interval says, and a first heartbeat covers days before: the shares are kept. */
function inOneDay({ date, up_seconds: up, down_seconds: down }: HistoryDay): HistoryDay {
  const scale = Math.min(1, DAY_SECONDS / (up + down || 1));
  const upSeconds = Math.round(up * scale);
  return {
    date,
    up_seconds: upSeconds,
    down_seconds: Math.min(Math.round(down * scale), DAY_SECONDS - upSeconds),
  };
}

function dateOf(seconds: number | undefined): string | null {
  if (seconds === undefined || !(seconds > 0 && seconds < 253_402_300_800)) return null;
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
