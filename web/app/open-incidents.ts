import { listIncidents } from '../client/sdk.gen.ts';
import { useRead } from './api.ts';
import { useSession } from './session-context.ts';

/** Number of open incidents; 0 until it is known. */
export function useOpenIncidents(): number {
  const { team } = useSession();
  const { data } = useRead(
    ['incidents', 'open-count'],
    () => listIncidents({ query: { status: 'open', per_page: 1 } }),
    { enabled: team !== null },
  );
  return data?.total ?? 0;
}
