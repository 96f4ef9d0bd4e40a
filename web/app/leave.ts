import { BASE } from './place.ts';

let isLeaving = false;

/** Opens the sign-in page, which leads back here. */
export function leaveForSignIn(): void {
  if (isLeaving) return;
  isLeaving = true;
  const isStart = location.pathname === `${BASE}/`;
  const next = new URLSearchParams({ next: location.pathname + location.search });
  location.assign(`${BASE}/sign-in${isStart ? '' : `?${next}`}`);
}
