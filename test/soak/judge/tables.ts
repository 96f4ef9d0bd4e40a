import pg from 'pg';

/** What the database says at the end of a run. Times are epoch milliseconds. */
export interface Tables {
  incidents: { id: number; monitor: number; type: string; from: number; to: number | null }[];
  spans: { id: number; monitor: number; status: string; from: number; to: number | null }[];
  /** Rounds in which a target answered, or failed to, and whose votes counted. */
  rounds: { monitor: number; at: number }[];
  pings: { monitor: number; number: number; mark: string | null }[];
  /** Deliveries that are still to be sent. */
  pending: number;
}

const DAY_TABLE = /^round_(\d{4})(\d{2})(\d{2})$/;
/** The lowest two bits of the second byte of a stored round say of which kind it is, the others what it found. */
const VOTED = 0;
/** Its check was never made: no probe could. */
const UNKNOWN = 3;

/** Reads the tables with plain SQL: nothing of the program under test is between them and the judge. */
export async function readTables(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const read = async <Row extends object>(text: string) =>
      (await client.query<Record<string, unknown>>(text)).rows.map(withNumbers) as Row[];
    const incidents = await read<Tables['incidents'][number]>(
      `select id, monitor_id as monitor, type, started_at as "from", ended_at as "to" from incident order by id`,
    );
    const spans = await read<Tables['spans'][number]>(
      `select id, monitor_id as monitor, status, from_at as "from", to_at as "to" from status_span
       order by monitor_id, id`,
    );
    const pings = await read<Tables['pings'][number]>(
      `select monitor_id as monitor, number, body as mark from ping order by monitor_id, number`,
    );
    const days = await read<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const rounds: Tables['rounds'] = [];
    for (const { name } of days) {
      const day = DAY_TABLE.exec(name);
      if (day === null) continue;
      const start = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
      const rows = await read<{ monitor: number; offset: number }>(
        `select monitor_id as monitor, at as offset from ${name}
         where get_byte(data, 1) & 3 = ${VOTED} and get_byte(data, 1) >> 2 <> ${UNKNOWN}`,
      );
      rounds.push(...rows.map(({ monitor, offset }) => ({ monitor, at: start + offset })));
    }
    const [waiting] = await read<{ count: number }>(
      `select count(*) as count from delivery where status = 'pending'`,
    );
    return { incidents, spans, rounds, pings, pending: waiting!.count };
  } finally {
    await client.end();
  }
}

/** The driver answers 64-bit integers as text. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => {
    const isNumber = typeof value === 'string' && name !== 'mark' && /^-?\d+$/.test(value);
    return [name, isNumber ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
