import { systemClock, type Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { InspectionResult } from '../../model/inspection.ts';
import type { ProbeLoad } from '../../model/probe-load.ts';
import type { MachineReport } from '../../model/machine.ts';
import { packResult, type PackedResult } from '../../model/packed-result.ts';
import { createProbeRunner, type ProbeRequest, type ProbeRunnerDeps } from './runner.ts';

/**
 * Message from the parent: checks and inspections, each with an id that its results carry. A request is run `count`
 * times at once, for several regions.
 */
export type ToChild = [id: number, request: ProbeRequest, count: number][];
export type PackedAnswer = PackedResult | InspectionResult | MachineReport;

/** Message from a probe process, with everything of one event loop iteration. */
export interface FromChild {
  results?: [id: number, index: number, result: PackedAnswer][];
  /** Sent every `ALIVE_INTERVAL_MS`, also as a sign of life. */
  load?: ProbeLoad;
  /** Log records, written by the parent so that there is one log. */
  logs?: [level: keyof Log, fields: object, message: string][];
}

/** A process that has been silent for a multiple of this is stuck. */
export const ALIVE_INTERVAL_MS = 1_000;

/**
 * Serves the parent process until it disconnects. Ignores the terminal's signals, which reach both: the parent decides
 * when this process ends.
 */
export function serveParent(deps: Omit<ProbeRunnerDeps, 'clock' | 'log'>): void {
  const clock = systemClock;
  const { log, answer, reportLoad } = createOutbox(clock);
  const runner = createProbeRunner({ ...deps, clock, log });

  function run(id: number, index: number, request: ProbeRequest): void {
    void runner
      .run(request)
      .then((result) => answer(id, index, 'vote' in result ? packResult(result) : result));
  }

  process.on('message', (message) => {
    for (const [id, request, count] of message as ToChild)
      for (let index = 0; index < count; index++) run(id, index, request);
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // A bug that one target triggers must not stop the checks of all others: its own check ends at the deadline.
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'Something failed in the probe process.');
  });

  const reportAlive = () => {
    reportLoad(runner.load());
    clock.after(ALIVE_INTERVAL_MS, reportAlive);
  };
  reportAlive();
}

/**
 * Collects messages until the end of the event loop iteration: one message costs much more than one more entry in it.
 */
function createOutbox(clock: Clock) {
  let batch: FromChild | null = null;

  function collect(): FromChild {
    if (batch === null) {
      clock.soon(flush);
      batch = {};
    }
    return batch;
  }

  function flush(): void {
    const message = batch;
    batch = null;
    // The 'disconnect' event reports a parent that is gone.
    if (process.connected) process.send!(message, undefined, {}, () => {});
  }

  const write =
    (level: keyof Log) =>
    (fields: object, message: string): void => {
      (collect().logs ??= []).push([level, fields, message]);
    };
  return {
    reportLoad(load: ProbeLoad): void {
      collect().load = load;
    },
    answer(id: number, index: number, result: PackedAnswer): void {
      (collect().results ??= []).push([id, index, result]);
    },
    log: {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    } satisfies Log,
  };
}
