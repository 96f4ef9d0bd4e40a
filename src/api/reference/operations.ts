import { ACCOUNT_OPERATIONS } from './account.ts';
import type { Operation } from './operation.ts';

/** What the reference says of each route, by the name that the route has in api/routes.ts. */
export const OPERATIONS: Record<string, Operation> = {
  ...ACCOUNT_OPERATIONS,
};
