import type { Caller } from '../../src/identity/caller.ts';
import type { Call } from '../../src/resources/common/operation.ts';

/** A call of an operation, as the API makes it. @param ids further ids in the path, by name. */
export function callOf(
  caller: Caller,
  given: { id?: number; ids?: Record<string, number>; query?: object; body?: unknown } = {},
): Call {
  const { id = 0, ids = {}, query = {}, body } = given;
  return {
    caller,
    principal: caller,
    visitor: caller,
    clientAddress: caller.address ?? '',
    id,
    idOf: (name) => ids[name] ?? 0,
    parameter: () => '',
    query,
    lastEventId: null,
    ifMatch: null,
    body,
    address: { path: '', query: '' },
  };
}
