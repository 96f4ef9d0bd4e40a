import { switchTeam } from '../client/sdk.gen.ts';
import { sayError } from '../parts/toast.tsx';
import { ask } from './api.ts';
import { BASE } from './place.ts';

/** Switches to another team of the person. All data belongs to the team, so the dashboard is loaded again. */
export async function changeTeam(id: number): Promise<void> {
  try {
    await ask(switchTeam({ path: { id } }));
    location.assign(`${BASE}/monitors`);
  } catch (error) {
    sayError(error);
  }
}
