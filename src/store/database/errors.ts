/**
 * The database can't do its work now: it is unreachable, restarting, full, locked or too slow. The same work may succeed
 * later. Nothing of it was stored, unless the connection was lost while a commit was acknowledged, or a standby
 * did not acknowledge it.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';

  constructor(reason: string, cause?: unknown) {
    super(`The database is not available: ${reason}`, { cause });
  }
}

/**
 * The database can't do this work now: another session has locked one of its rows, or a statement took too long. Other or
 * smaller work may succeed.
 */
export class DatabaseBusy extends DatabaseUnavailable {
  override readonly name = 'DatabaseBusy';

  constructor(reason: string, cause?: unknown) {
    super(reason, cause);
    this.message = `The database is busy (${reason}): another session holds what this needs, or it took too long. Try again in a moment.`;
  }
}

/** Whether other work may succeed although this did not. */
export function isBusy(error: unknown): error is DatabaseBusy {
  return error instanceof DatabaseBusy;
}

/** Whether no work can succeed now. */
export function isAway(error: unknown): error is DatabaseUnavailable {
  return isUnavailable(error) && !isBusy(error);
}

/** Whether the same work may succeed later: the database is away, or busy. */
export function isUnavailable(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable;
}

/** Whether a row with the same unique value or primary key exists. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = fields(error);
  return code === '23505' || errcode === 2067 || errcode === 1555;
}

/** Whether the referenced row does not exist, or is still referenced. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = fields(error);
  return code === '23503' || code === '23001' || errcode === 787;
}

/** Translates an error for callers of the store: temporary ones become DatabaseUnavailable, all others stay unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const { code, errcode, message } = fields(error);
  if (errcode !== undefined) {
    const reason = SQLITE_UNAVAILABLE[errcode & 0xff];
    return reason === undefined ? error : new DatabaseUnavailable(reason, error);
  }
  if ((typeof code === 'string' && POSTGRES_BUSY.test(code)) || isStatementLost(error)) {
    return new DatabaseBusy(message || String(code), error);
  }
  if (isConnectionLost(error) || (typeof code === 'string' && POSTGRES_TRANSIENT.test(code))) {
    return new DatabaseUnavailable(message || String(code), error);
  }
  return error;
}

/** Whether a Postgres connection is unusable after this error. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return isConnectionLost(error.cause);
  const { code, syscall, message } = fields(error);
  if (typeof code === 'string') {
    return NETWORK_ERROR.test(code) || POSTGRES_GONE.test(code) || syscall === 'connect';
  }
  return DRIVER_GONE.test(message);
}

/**
 * Whether a connection no longer has a statement that it was asked to keep (`DEALLOCATE ALL`, another connection behind a
 * pooler), or has it for columns that have changed since. The statement did not run.
 */
export function isStatementLost(error: unknown): boolean {
  return fields(error).code === '26000' || isStatementOutdated(error);
}

/** Whether a kept statement answers other columns than when it was prepared, as after a migration by another process. */
export function isStatementOutdated(error: unknown): boolean {
  const { code, routine } = fields(error);
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Reasons by primary result code, https://www.sqlite.org/rescode.html. */
const SQLITE_UNAVAILABLE: Record<number, string> = {
  5: 'its file is locked by another program',
  6: 'one of its tables is locked',
  7: 'the machine is out of memory',
  8: 'its file or folder is read-only',
  10: 'its file could not be read or written (I/O error)',
  13: 'the disk is full',
  14: 'its file could not be opened',
  15: 'its lock files could not be used',
};

const NETWORK_ERROR =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+|EHOST\w+|ENET\w+|EADDRNOTAVAIL)$/;

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, shutdown and crash,
 * a session that was ended for idling, a server that takes reads only: after a failover the same address may lead to another one.
 */
const POSTGRES_GONE = /^(08...|57P0[1-5]|25P03|25006)$/;

/** A conflict with another session (serialization failure, deadlock, lock timeout) or a statement timeout. Other work goes on. */
const POSTGRES_BUSY = /^(40001|40P01|55P03|57014)$/;

/** A commit that may be lost in a failover (`COMPLETION_UNKNOWN`), out of disk, memory or connections, I/O error. */
const POSTGRES_TRANSIENT = /^(40003|53...|58030)$/;

/** SQLSTATE: the server takes reads only. */
export const READ_ONLY = '25006';

/** SQLSTATE: whether the work is stored for good is unknown. */
export const COMPLETION_UNKNOWN = '40003';

/** Errors of pg itself, which have no code. */
const DRIVER_GONE =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed))/;

function fields(error: unknown) {
  const from = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return {
    code: from['code'],
    errcode: typeof from['errcode'] === 'number' ? from['errcode'] : undefined,
    syscall: from['syscall'],
    routine: from['routine'],
    message: typeof from['message'] === 'string' ? from['message'] : '',
  };
}
