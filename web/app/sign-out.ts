import { listSessions, revokeSession } from '../client/sdk.gen.ts';
import { sayError } from '../parts/toast.tsx';
import { ApiError, ask, askAuth } from './api.ts';
import { BASE } from './place.ts';

/** Signs out, then opens the sign-in page. */
export async function signOut(): Promise<void> {
  try {
    await endSession();
    location.assign(`${BASE}/sign-in`);
  } catch (error) {
    sayError(error);
  }
}

/** Ends this session; by the API when the sign-in routes are rate limited. */
async function endSession(): Promise<void> {
  try {
    await askAuth('POST', '/sign-out', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    const { data } = await ask(listSessions());
    const own = data.find(({ is_current }) => is_current);
    if (own !== undefined) await ask(revokeSession({ path: { id: own.id } }));
  }
}
