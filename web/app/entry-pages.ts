import type { ComponentType } from 'react';
import { BASE } from './place.ts';

type Load = () => Promise<{ default: ComponentType }>;

/** Pages for visitors by their path, below the path of BASE_URL. The server learns of them by `npm run generate`. */
const PAGES: Record<string, Load> = {
  '/sign-in': () => import('../pages/entry/sign-in.tsx'),
  '/setup': () => import('../pages/entry/setup.tsx'),
  '/invitation': () => import('../pages/entry/invitation.tsx'),
  '/reset-password': () => import('../pages/entry/reset-password.tsx'),
  '/verify-email': () => import('../pages/entry/verify-email.tsx'),
  '/connect': () => import('../pages/entry/connect.tsx'),
  '/wall': () => import('../pages/entry/wall.tsx'),
  '/alert': () => import('../pages/entry/alert.tsx'),
};

/** Loads the page at a path of the address bar; the sign-in page where there is none. */
export function entryPageAt(pathname: string): ReturnType<Load> {
  const path = pathname.slice(BASE.length).replace(/\/$/, '');
  const load = PAGES[path] ?? PAGES['/sign-in']!;
  return load();
}
