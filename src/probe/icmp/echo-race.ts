import type { Clock, Timer } from '../../lib/clock.ts';
import type { ResolvedAddress } from '../../net/host.ts';
import type { Echo, EchoOutcome, IcmpClient } from './icmp-client.ts';

const MAX_ECHOES = 3;
const MAX_GAP_MS = 1_000;

interface EchoAnswer {
  address: ResolvedAddress;
  outcome: EchoOutcome;
}

export interface EchoDecision extends EchoAnswer {
  /** Addresses that failed before. */
  failed: FailedAddress[];
}

interface FailedAddress extends EchoAnswer {
  outcome: Exclude<EchoOutcome, { kind: 'reply' }>;
}

/**
 * Sends the first echo at once and up to two more, each a second (or a third of the deadline) after the last, to the
 * addresses in turn; an unreachable address is replaced by the next at once. The first reply decides; without one, a
 * timeout takes precedence over unreachable while an address might still respond.
 */
export function raceEchoes(
  addresses: ResolvedAddress[],
  icmp: Pick<IcmpClient, 'echo'>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  timeoutMs: number,
): Promise<EchoDecision> {
  return new Promise((resolve) => {
    const candidates = [...addresses];
    const dead: FailedAddress[] = [];
    const echoes: Echo[] = [];
    let isFinished = false;
    let timer: Timer | null = null;

    const giveUp = () => {
      for (const echo of echoes) echo.giveUp();
    };
    const finish = (answer: EchoAnswer) => {
      if (isFinished) return;
      isFinished = true;
      clock.clear(timer);
      signal.removeEventListener('abort', giveUp);
      resolve({ ...answer, failed: dead.filter((each) => each !== answer) });
      giveUp();
    };

    const settled = (address: ResolvedAddress, outcome: EchoOutcome) => {
      if (outcome.kind === 'reply' || outcome.kind === 'silent')
        return finish({ address, outcome });
      const at = candidates.indexOf(address);
      if (isFinished || at < 0) return;
      candidates.splice(at, 1);
      dead.push({ address, outcome });
      if (candidates.length === 0) finish(mostInformative(dead));
      else sendNext();
    };

    let sent = 0;
    const sendNext = () => {
      clock.clear(timer);
      const address = candidates[sent++ % candidates.length]!;
      if (sent < MAX_ECHOES)
        timer = clock.after(Math.min(MAX_GAP_MS, timeoutMs / MAX_ECHOES), sendNext);
      const echo = icmp.echo(address.address, (outcome) => settled(address, outcome));
      echoes.push(echo);
      if (isFinished) echo.giveUp();
    };

    if (signal.aborted) return finish({ address: addresses[0]!, outcome: { kind: 'silent' } });
    signal.addEventListener('abort', giveUp, { once: true });
    sendNext();
  });
}

const BY_INFORMATION: EchoOutcome['kind'][] = ['unreachable', 'no_route', 'unable'];

function mostInformative(answers: EchoAnswer[]): EchoAnswer {
  return answers.toSorted(
    (a, b) => BY_INFORMATION.indexOf(a.outcome.kind) - BY_INFORMATION.indexOf(b.outcome.kind),
  )[0]!;
}
