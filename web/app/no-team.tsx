import { Button, ButtonLink } from '../parts/button.tsx';
import { PageHead } from '../parts/page.tsx';
import { words } from '../words/index.ts';
import { changeTeam } from './change-team.ts';
import { useSession } from './session.ts';

/** In place of the pages of a team: why the person sees none, and what to do. */
export default function NoTeam() {
  const { teams, needsFactor } = useSession();
  const { account, nav } = words;
  const others = teams.filter(({ is_current }) => !is_current);
  if (needsFactor) {
    return (
      <>
        <PageHead title={account.factorNeededTitle} text={account.factorNeeded} />
        <div className="row">
          <ButtonLink look="primary" href="/account">
            {account.factor.title}
          </ButtonLink>
          <SwitchButtons teams={others} />
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead
        title={account.noTeamTitle}
        text={others.length > 0 ? account.switchTeam : account.noTeam}
      />
      <div className="row">
        <SwitchButtons teams={others} />
        <ButtonLink icon="plus" href="/settings">
          {words.nav.newTeam}
        </ButtonLink>
        <ButtonLink icon="person" href="/account">
          {nav.account}
        </ButtonLink>
      </div>
    </>
  );
}

function SwitchButtons({ teams }: { teams: readonly { id: number; name: string }[] }) {
  return teams.map(({ id, name }) => (
    <Button key={id} onClick={() => void changeTeam(id)}>
      {words.nav.switchTo(name)}
    </Button>
  ));
}
