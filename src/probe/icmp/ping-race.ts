import type { Clock, Timer } from '../../lib/clock.ts';
import type { ResolvedAddress } from '../../net/host.ts';
import type { EchoOutcome, Icmp } from './icmp.ts';

const MAX_ECHOES = 3;
const MAX_GAP_MS = 1_000;

interface EchoAnswer {
  address: ResolvedAddress;
  outcome: EchoOutcome;
}

export interface EchoDecision extends EchoAnswer {
  /** The addresses that were given up before. */
  dead: DeadAddress[];
}

interface DeadAddress extends EchoAnswer {
  outcome: Exclude<EchoOutcome, { kind: 'reply' }>;
}

/**
 * Sends the first echo at once and up to two more, each a second (or a third of the deadline) after the last. With
 * several addresses they take turns; one that is unreachable makes way for the next at once. The first reply decides;
 * without one, silence decides over unreachable as long as an address might still answer.
 */
export function raceEchoes(
  addresses: ResolvedAddress[],
  icmp: Pick<Icmp, 'echo'>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  timeoutMs: number,
): Promise<EchoDecision> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const hopeful = [...addresses];
    const dead: DeadAddress[] = [];
    let sent = 0;
    let finished = false;
    let timer: Timer | null = null;

    const finish = (answer: EchoAnswer) => {
      finished = true;
      clock.clear(timer);
      signal.removeEventListener('abort', abort);
      resolve({ ...answer, dead: dead.filter((each) => each !== answer) });
      stop.abort();
    };
    const abort = () => stop.abort();

    const next = () => void send().catch(reject);

    async function send(): Promise<void> {
      clock.clear(timer);
      const address = hopeful[sent++ % hopeful.length]!;
      if (sent < MAX_ECHOES)
        timer = clock.after(Math.min(MAX_GAP_MS, timeoutMs / MAX_ECHOES), () => next());
      const outcome = await icmp.echo(address.address, stop.signal);
      if (outcome.kind === 'reply' || outcome.kind === 'silent')
        return finish({ address, outcome });
      const at = hopeful.indexOf(address);
      if (finished || at < 0) return;
      hopeful.splice(at, 1);
      dead.push({ address, outcome });
      if (hopeful.length === 0) finish(mostTelling(dead));
      else next();
    }

    if (signal.aborted) stop.abort();
    else signal.addEventListener('abort', abort, { once: true });
    next();
  });
}

const TELLING: EchoOutcome['kind'][] = ['unreachable', 'no_route', 'unable'];

function mostTelling(answers: EchoAnswer[]): EchoAnswer {
  return answers.toSorted(
    (a, b) => TELLING.indexOf(a.outcome.kind) - TELLING.indexOf(b.outcome.kind),
  )[0]!;
}
