import { isUnavailable } from '../store/database/errors.ts';

/**
 * Errors whose message says all there is to say, by name or code; those of Postgres are a wrong user or password, and
 * a database that is not there. The others are faults, and their stack is wanted.
 */
const FOR_PEOPLE = new Set([
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

/** What the log tells of an error that kept this service from starting. */
export function startFailure(error: unknown): { fields: { error?: unknown }; message: string } {
  return {
    fields: isForPeople(error) ? {} : { error },
    message: `Tocsin could not start: ${sentenceOf(error)}`,
  };
}

function isForPeople(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return isUnavailable(error) || FOR_PEOPLE.has(code ?? '') || FOR_PEOPLE.has(name ?? '');
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as { code?: string; port?: number };
  if (code !== 'EADDRINUSE') return error.message;
  return `port ${port} is already in use. Stop what listens there, or set PORT to another one.`;
}
