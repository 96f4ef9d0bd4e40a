import { CODING_ROWS } from './coding-rows.ts';
import { JSON_ROWS, KEYWORD_ROWS } from './content-rows.ts';
import { DIGEST_ROWS } from './digest-rows.ts';
import { DNS_ROWS, GUARD_ROWS, PING_ROWS } from './dns-rows.ts';
import { BODY_ROWS, CHUNK_ROWS, HEADER_ROWS, LENGTH_ROWS, STATUS_ROWS } from './http-rows.ts';
import { REDIRECT_ROWS } from './redirect-rows.ts';
import type { Row } from './row.ts';
import { CONNECTION_ROWS, PORT_ROWS } from './tcp-rows.ts';
import {
  AFTER_HANDSHAKE_ROWS,
  CERTIFICATE_ROWS,
  HANDSHAKE_ROWS,
  INSPECTED_ROWS,
} from './tls-rows.ts';

/** The fault matrix: every kind of broken or unusual target, and the expected result of its check. */
export const MATRIX: Record<string, Row[]> = {
  ports: PORT_ROWS,
  connections: CONNECTION_ROWS,
  'status lines': STATUS_ROWS,
  headers: HEADER_ROWS,
  lengths: LENGTH_ROWS,
  chunks: CHUNK_ROWS,
  bodies: BODY_ROWS,
  codings: CODING_ROWS,
  redirects: REDIRECT_ROWS,
  certificates: CERTIFICATE_ROWS,
  'certificates inspected apart': INSPECTED_ROWS,
  handshakes: HANDSHAKE_ROWS,
  'after the handshake': AFTER_HANDSHAKE_ROWS,
  names: DNS_ROWS,
  addresses: GUARD_ROWS,
  pings: PING_ROWS,
  'digest authentication': DIGEST_ROWS,
  keywords: KEYWORD_ROWS,
  'JSON assertions': JSON_ROWS,
};

export const ROWS: Row[] = Object.values(MATRIX).flat();
