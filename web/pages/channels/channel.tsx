import { useParams } from 'wouter';
import { OwnChannel } from './own-channel.tsx';
import { TeamChannel } from './team-channel.tsx';

/** A channel of the team by its number, or one of the person by its type. */
export default function ChannelPage() {
  const { id = '' } = useParams();
  return /^\d+$/.test(id) ? (
    <TeamChannel key={id} id={Number(id)} />
  ) : (
    <OwnChannel key={id} id={id} />
  );
}
