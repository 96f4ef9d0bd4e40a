import { contract, parametersOf } from './openapi.ts';
import type { Service } from './service.ts';

/** Rows of a list whose own addresses are read, too. */
const MAX_ROWS = 4;

/** Of streams, of the request itself, of the machine, and those that write. */
const LEFT_OUT = /^\/(events|test|installation|sign-in|check-url|cron-preview|sessions)?$/;

/** Addresses of all GET operations of the API without required parameters but those of the path. */
function readPaths(): string[] {
  const { document } = contract();
  return Object.entries(document.paths ?? {}).flatMap(([path, { get }]) => {
    if (get === undefined || LEFT_OUT.test(path)) return [];
    const parameters = parametersOf(document, get);
    return parameters.some((one) => one.required === true && one.in !== 'path') ? [] : [path];
  });
}

/**
 * Reads what the API answers at all its addresses: lists, and the things in them.
 *
 * @param period query of what is shown by period, which else ends now.
 * @returns status and body by address.
 */
export async function readApiBodies(
  service: Pick<Service, 'url'>,
  token: string,
  period: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const query = /\/(uptime|response-times|days|results)$/.test(path) ? period : 'per_page=50';
    const response = await fetch(`${service.url}/api/v1${path}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = `${response.status} ${await response.text()}`;
    found.set(path, text);
    return text;
  };
  const expand = async (pattern: string): Promise<string[]> => {
    const at = pattern.indexOf('/{');
    if (at < 0) return [pattern];
    const [list, rest] = [pattern.slice(0, at), pattern.slice(pattern.indexOf('}') + 1)];
    const ids = idsIn(await read(list));
    return (await Promise.all(ids.map((id) => expand(`${list}/${id}${rest}`)))).flat();
  };
  for (const pattern of readPaths()) for (const path of await expand(pattern)) await read(path);
  return found;
}

function idsIn(answer: string): (number | string)[] {
  const body = JSON.parse(answer.slice(answer.indexOf(' ') + 1)) as { data?: { id?: number }[] };
  const rows = Array.isArray(body.data) ? body.data : [];
  return rows.flatMap(({ id }) => (id === undefined ? [] : [id])).slice(0, MAX_ROWS);
}
