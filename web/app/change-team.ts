import { attempt } from '../parts/toast.tsx';
import { call } from './client.ts';
import { postTeamChanged } from './live.ts';
import { BASE, keep } from './place.ts';

/** Switches to another team of the person. */
export function changeTeam(id: number): Promise<void> {
  return attempt(async () => {
    await call('switchTeam', { path: { id } });
    teamChanged();
  });
}

/** Call when the team of the session has changed. All data belongs to it, so all tabs are loaded again. */
export function teamChanged(): void {
  // A person who left their last team has no stream to open.
  keep('team', 'unsure');
  postTeamChanged();
  location.assign(`${BASE}/monitors`);
}
