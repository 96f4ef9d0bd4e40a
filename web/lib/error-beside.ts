/** What an error says besides the status code that is shown with it; null for nothing. */
export function errorBeside(error: string | null, code: number | null): string | null {
  return error === `The endpoint answered HTTP ${code}.` ? null : error;
}
