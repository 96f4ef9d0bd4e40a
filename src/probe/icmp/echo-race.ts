import type { Clock, Timer } from '../../lib/clock.ts';
import type { ResolvedAddress } from '../../net/host.ts';
import type { EchoOutcome, IcmpClient } from './icmp-client.ts';

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
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const candidates = [...addresses];
    const dead: FailedAddress[] = [];
    let sent = 0;
    let finished = false;
    let timer: Timer | null = null;

    const finish = (answer: EchoAnswer) => {
      finished = true;
      clock.clear(timer);
      signal.removeEventListener('abort', abort);
      resolve({ ...answer, failed: dead.filter((each) => each !== answer) });
      stop.abort();
    };
    const abort = () => stop.abort();

    const next = () => void send().catch(reject);

    async function send(): Promise<void> {
      clock.clear(timer);
      const address = candidates[sent++ % candidates.length]!;
      if (sent < MAX_ECHOES)
        timer = clock.after(Math.min(MAX_GAP_MS, timeoutMs / MAX_ECHOES), () => next());
      const outcome = await icmp.echo(address.address, stop.signal);
      if (outcome.kind === 'reply' || outcome.kind === 'silent')
        return finish({ address, outcome });
      const at = candidates.indexOf(address);
      if (finished || at < 0) return;
      candidates.splice(at, 1);
      dead.push({ address, outcome });
      if (candidates.length === 0) finish(mostInformative(dead));
      else next();
    }

    if (signal.aborted) stop.abort();
    else signal.addEventListener('abort', abort, { once: true });
    next();
  });
}

const BY_INFORMATION: EchoOutcome['kind'][] = ['unreachable', 'no_route', 'unable'];

function mostInformative(answers: EchoAnswer[]): EchoAnswer {
  return answers.toSorted(
    (a, b) => BY_INFORMATION.indexOf(a.outcome.kind) - BY_INFORMATION.indexOf(b.outcome.kind),
  )[0]!;
}
