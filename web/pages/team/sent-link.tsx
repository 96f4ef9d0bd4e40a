import type { ReactNode } from 'react';
import type { SentInvitation } from '../../client/types.gen.ts';
import { Copyable } from '../../parts/copy.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

/** How an invitation reaches its person: by mail, or by a link to hand on, which is shown once. */
export function SentLink({ sent }: { sent: SentInvitation }): ReactNode {
  const { members } = words;
  return (
    <>
      <p>
        {sent.url === undefined ? members.mailed(sent.email) : members.handOn(sent.email)}{' '}
        <DayTime time={sent.expires_at} />.
      </p>
      {sent.url !== undefined && <Copyable text={sent.url} label={members.link} />}
    </>
  );
}
