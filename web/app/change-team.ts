import { switchTeam } from '../client/sdk.gen.ts';
import { sayError } from '../parts/toast.tsx';
import { ask } from './api.ts';
import { tellTeamChanged } from './live.ts';
import { BASE } from './place.ts';

/** Switches to another team of the person. */
export async function changeTeam(id: number): Promise<void> {
  try {
    await ask(switchTeam({ path: { id } }));
    teamChanged();
  } catch (error) {
    sayError(error);
  }
}

/** Call when the team of the session has changed. All data belongs to it, so all tabs are loaded again. */
export function teamChanged(): void {
  tellTeamChanged();
  location.assign(`${BASE}/monitors`);
}
