import { isUnavailable } from '../store/database/errors.ts';
import { portHolder } from './port-holder.ts';

/**
 * Names and codes of errors with a complete message, logged without a stack. The codes of Postgres are a wrong user or
 * password and a missing database.
 */
const EXPECTED_ERRORS = new Set([
  'BusUnavailable',
  'DataFolderError',
  'SecretKeyError',
  'MissingKeyError',
  'FirstStartFileError',
  'OwnerSettingError',
  'PlansFileError',
  'NewerDatabaseError',
  'UnfinishedMoveError',
  'EADDRINUSE',
  'EACCES',
  '28P01',
  '28000',
  '3D000',
]);

/** Fields and message to log for an error that prevented the start. */
export async function startFailure(error: unknown): Promise<{
  fields: { error?: unknown };
  message: `Tocsin could not start: ${string}`;
}> {
  return {
    fields: isExpected(error) ? {} : { error },
    message: `Tocsin could not start: ${await sentenceOf(error)}`,
  };
}

function isExpected(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return isUnavailable(error) || EXPECTED_ERRORS.has(code ?? '') || EXPECTED_ERRORS.has(name ?? '');
}

async function sentenceOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE' || port === undefined) return error.message;
  const holder = await portHolder(port);
  const by = holder === null ? '' : ` by ${holder}`;
  const other = port === 65_535 ? port - 1 : port + 1;
  return `port ${port} is already in use${by}. Stop what listens there, or choose another port: PORT=${other} npm start`;
}
