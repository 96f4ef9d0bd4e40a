import { attempt } from '../parts/toast.tsx';
import { ApiError, call, callAuth } from './client.ts';
import { BASE } from './place.ts';

export function signOut(): Promise<void> {
  return attempt(async () => {
    await endSession();
    location.assign(`${BASE}/sign-in`);
  });
}

/** Ends this session; by the API when the sign-in routes are rate limited. */
async function endSession(): Promise<void> {
  try {
    await callAuth('POST', '/sign-out', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    const { data } = await call('listSessions');
    const own = data.find(({ is_current }) => is_current);
    if (own !== undefined) await call('revokeSession', { path: { id: own.id } });
  }
}
