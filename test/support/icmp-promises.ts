import type { EchoOutcome, IcmpClient } from '../../src/probe/icmp/icmp-client.ts';

type EchoWork = (address: string, signal: AbortSignal) => Promise<EchoOutcome>;

/** Sends one echo, and gives up when the signal is aborted. */
export function echoUntil(
  icmp: Pick<IcmpClient, 'echo'>,
  address: string,
  signal: AbortSignal,
): Promise<EchoOutcome> {
  return new Promise((resolve) => {
    const echo = icmp.echo(address, resolve);
    signal.addEventListener('abort', () => echo.giveUp(), { once: true });
  });
}

/** A client whose echoes are that work, whose signal is aborted when the caller gives up. */
export function clientOf(work: EchoWork): Pick<IcmpClient, 'echo'> {
  return {
    echo(address, settle) {
      const end = new AbortController();
      void work(address, end.signal).then(settle);
      return { giveUp: () => end.abort() };
    },
  };
}
