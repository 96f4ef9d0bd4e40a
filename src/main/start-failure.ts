import { isUnavailable } from '../store/database/errors.ts';

/**
 * Names and codes of errors with a complete message, logged without a stack. The codes of Postgres are a wrong user or
 * password and a missing database.
 */
const EXPECTED_ERRORS = new Set([
  'DataFolderError',
  'SecretKeyError',
  'OwnerSettingError',
  'PlansFileError',
  'MailServerUrlError',
  'NewerDatabaseError',
  'EADDRINUSE',
  'EACCES',
  '28P01',
  '28000',
  '3D000',
]);

/** Fields and message to log for an error that prevented the start. */
export function startFailure(error: unknown): { fields: { error?: unknown }; message: string } {
  return {
    fields: isExpected(error) ? {} : { error },
    message: `Tocsin could not start: ${sentenceOf(error)}`,
  };
}

function isExpected(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return isUnavailable(error) || EXPECTED_ERRORS.has(code ?? '') || EXPECTED_ERRORS.has(name ?? '');
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE') return error.message;
  return `port ${port} is already in use. Stop what listens there, or set PORT to another one.`;
}
