/** What a server says of itself. */
export interface Server {
  /** Such as `15.6 (Debian 15.6-0+deb12u1)`. */
  version: string;
  /** Value of `server_version_num`, such as 150006. */
  number: number;
  /** Encoding of the database. */
  encoding: string;
}

/** Oldest version that is supported, as `server_version_num` has it. */
const OLDEST_POSTGRES = 150_000;

/** Why a server can't be the target of a move, as a sentence that says what to do; null if it can. */
export function serverProblem({ version, number, encoding }: Server): string | null {
  if (number < OLDEST_POSTGRES) {
    return `The target is Postgres ${version}. Tocsin needs Postgres 15 or newer.`;
  }
  if (encoding !== 'UTF8') {
    return `The target has the encoding ${encoding}. Create its database with the encoding UTF8.`;
  }
  return null;
}
