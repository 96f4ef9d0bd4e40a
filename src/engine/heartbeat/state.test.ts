import { describe, expect, test } from 'vitest';
import {
  at,
  end,
  expectSound,
  KINDS,
  pingAt,
  play,
  secondsOf,
  told,
  type Played,
} from '../../../test/support/job-story.ts';
import type { JobSettings } from '../../../test/support/jobs.ts';
import { HEARTBEAT_TABLE } from './rules.ts';
import { evaluatePing } from './state.ts';

const DAY = 86_400;

type Case = [story: string, incidents: string, end: string, settings?: JobSettings];

const MINUTELY = { cron: '* * * * *' };
const HOURLY = { cron: '0 * * * *', grace: 3_600 };
const DAILY = { cron: '0 3 * * *', grace: 600 };
const RUNS = { interval: 600, maxRuntime: 60 };
const WAITS = { waits: true };

/** Five minutes and a grace of one unless told otherwise. */
const CASES: Record<string, Case[]> = {
  'the first ping [11.1, 11.4]': [
    ['', '', 'pending, expected 300'],
    ['5 ok', '', 'online, expected 305'],
    ['5 fail', 'open 5', 'offline, expected 305'],
    // They say nothing of how the job does.
    ['5 start', '', 'pending, expected 300'],
    ['5 log', '', 'pending, expected 300'],
    ['359 look', '', 'pending, expected 300'],
    ['360 look', 'open 360', 'offline, expected 300'],
    ['5 log, 360 look', 'open 360', 'offline, expected 300'],
  ],
  'a monitor that waits for its first ping [11.5]': [
    [`${60 * DAY} look`, '', 'pending, expected 300', WAITS],
    ['900 ok', '', 'online, expected 1200', WAITS],
    ['900 start', '', 'pending, expected 1200', WAITS],
    ['900 log', '', 'pending, expected 1200', WAITS],
    ['900 fail', 'open 900', 'offline, expected 1200', WAITS],
    ['900 start, 1000 start, 1100 log, 1260 look', 'open 1260', 'offline, expected 1200', WAITS],
    ['900 log, 1259 look', '', 'pending, expected 1200', WAITS],
  ],
  'in time, late and missed [11.6, 11.8, 12.8, 13.1, 13.2]': [
    ['0 ok, 300 ok, 359 look', '', 'online, expected 600'],
    ['0 ok, 359 ok, 360 look', '', 'online, expected 659'],
    ['0 ok, 360 look', 'open 360', 'offline, expected 300'],
    // The job was late, and nobody had looked so far.
    ['0 ok, 361 ok, 362 look', '', 'online, expected 661'],
    ['0 ok, 360 look, 400 ok', 'open 360, resolve 400', 'online, expected 700'],
    ['0 ok, 300 look, 301 look', 'open 300', 'offline, expected 300', { grace: 0 }],
    ['0 ok, 299 look', '', 'online, expected 300', { grace: 0 }],
    ['0 ok, 30 look', 'open 30', 'offline, expected 30', { interval: 30, grace: 0 }],
    [
      `0 ok, ${31 * DAY - 1} look, ${31 * DAY} look`,
      `open ${31 * DAY}`,
      `offline, expected ${30 * DAY}`,
      { interval: 30 * DAY, grace: DAY },
    ],
    // The expected time stays until the next ping.
    ['0 ok, 9000 look, 9001 start, 9002 log', 'open 360', 'offline, expected 300'],
    ['0 ok, 360 look, 9000 look, 99000 look', 'open 360', 'offline, expected 300'],
  ],
  'failures [13.5, 13.8, 13.11]': [
    ['0 ok, 10 fail', 'open 10', 'offline, expected 310'],
    ['0 ok, 10 fail, 20 fail, 30 ok', 'open 10, note 20, resolve 30', 'online, expected 330'],
    [
      '0 fail, 10 ok, 20 fail, 30 ok',
      'open 0, resolve 10, open 20, resolve 30',
      'online, expected 330',
    ],
    // It did call; the next call is waited for all the same.
    ['0 fail, 359 look', 'open 0', 'offline, expected 300'],
    ['0 fail, 360 look, 361 look', 'open 0, note 360', 'offline, expected 300'],
    ['0 ok, 360 look, 370 fail', 'open 360, note 370', 'offline, expected 670'],
    ['0 ok, 360 look, 370 fail, 730 look', 'open 360, note 370, note 730', 'offline, expected 670'],
  ],
  'an incident closed by hand [13.16, 13.17, 13.18]': [
    // A silent job is expected once more, and then it is told again.
    ['0 ok, 360 look, 400 close, 401 look', 'open 360', 'offline, expected 701'],
    ['0 ok, 360 look, 400 close, 401 look, 760 look', 'open 360', 'offline, expected 701'],
    [
      '0 ok, 360 look, 400 close, 401 look, 761 look',
      'open 360, open 761',
      'offline, expected 701',
    ],
    ['0 ok, 360 look, 400 close, 401 ok', 'open 360, resolve 401', 'online, expected 701'],
    ['0 ok, 360 look, 400 close, 401 fail', 'open 360, open 401', 'offline, expected 701'],
    ['5 fail, 10 close, 20 look', 'open 5', 'offline, expected 305'],
    ['5 fail, 10 close, 20 fail', 'open 5, open 20', 'offline, expected 320'],
    ['5 fail, 10 close, 365 look', 'open 5, open 365', 'offline, expected 305'],
    [
      '0 ok, 360 look, 400 close, 401 look, 410 reopen, 761 look',
      'open 360, note 761',
      'offline, expected 701',
    ],
    ['0 ok, 360 look, 400 close, 400 reopen, 900 look', 'open 360', 'offline, expected 300'],
    // One that is opened again after the job recovered ends with its next success.
    [
      '5 fail, 10 ok, 15 reopen, 20 ok, 25 ok',
      'open 5, resolve 10, resolve 20',
      'online, expected 325',
    ],
    ['5 fail, 10 ok, 15 reopen, 16 close, 20 ok', 'open 5, resolve 10', 'online, expected 320'],
    [
      '5 fail, 10 ok, 15 reopen, 16 start, 20 fail',
      'open 5, resolve 10, open 20',
      'offline, expected 320',
    ],
  ],
  'a pause [9.4, 11.10, 12.18]': [
    ['0 ok, 10 pause, 20 ok, 30 fail, 40 start, 50 log', '', 'online, expected 300'],
    ['0 ok, 10 pause, 9999 look', '', 'online, expected 300'],
    ['10 pause, 9999 look', '', 'pending, expected 300'],
    ['0 ok, 10 pause, 900 resume, 1259 look', '', 'online, expected 1200'],
    ['0 ok, 10 pause, 900 resume, 1260 look', 'open 1260', 'offline, expected 1200'],
    // It still stands when it is resumed.
    ['5 fail, 10 pause, 900 resume, 1260 look', 'open 5, note 1260', 'offline, expected 1200'],
    ['5 fail, 10 pause, 900 resume, 910 ok', 'open 5, resolve 910', 'online, expected 1210'],
    ['0 ok, 360 look, 370 pause, 900 resume, 901 look', 'open 360', 'offline, expected 1200'],
    // A run that was under way may have finished unheard.
    ['1 ok, 5 start, 10 pause, 900 resume, 970 look', '', 'online, expected 1500', RUNS],
  ],
  'another schedule [11.10]': [
    ['0 ok, 100 reschedule, 459 look', '', 'online, expected 400'],
    ['0 ok, 100 reschedule, 460 look', 'open 460', 'offline, expected 400'],
    ['0 ok, 360 look, 400 reschedule, 760 look', 'open 360, note 760', 'offline, expected 700'],
  ],
  'a cron job [11.6, 11.8, 11.9, 13.1]': [
    ['60 look', '', 'pending, expected 10800', DAILY],
    ['11399 look', '', 'pending, expected 10800', DAILY],
    ['11400 look', 'open 11400', 'offline, expected 10800', DAILY],
    ['11000 ok', '', `online, expected ${DAY + 10_800}`, DAILY],
    // Early by at most the grace: it counts for the coming fire.
    ['10200 ok', '', `online, expected ${DAY + 10_800}`, DAILY],
    ['10199 ok', '', 'online, expected 10800', DAILY],
    ['10740 ok', '', `online, expected ${DAY + 10_800}`, { ...DAILY, grace: 0 }],
    ['10739 ok', '', 'online, expected 10800', { ...DAILY, grace: 0 }],
    ['10200 fail', 'open 10200', `offline, expected ${DAY + 10_800}`, DAILY],
    // One that was missed is done with by a ping before the next one.
    [
      `11400 look, 20000 ok`,
      'open 11400, resolve 20000',
      `online, expected ${DAY + 10_800}`,
      DAILY,
    ],
    ['60 ok', '', 'online, expected 120', MINUTELY],
    ['65 ok', '', 'online, expected 120', MINUTELY],
    ['119 ok', '', 'online, expected 120', MINUTELY],
    ['62 ok, 64 ok', '', 'online, expected 120', MINUTELY],
    ['62 ok, 118 ok, 121 ok', '', 'online, expected 180', MINUTELY],
    ['120 look', 'open 120', 'offline, expected 60', MINUTELY],
    ['3605 ok', '', 'online, expected 7200', HOURLY],
    ['3605 ok, 3900 ok', '', 'online, expected 7200', HOURLY],
    // Twice an hour: the second is nearer to the next fire.
    ['3605 ok, 5500 ok', '', 'online, expected 10800', HOURLY],
    ['7199 ok', '', 'online, expected 7200', HOURLY],
    ['7200 look', 'open 7200', 'offline, expected 3600', HOURLY],
  ],
  'a time in which we were away [13.20, 13.21, 13.23, 13.31]': [
    // Over the deadline, the expected time, the grace, a moment before it: expected anew from recovery.
    ['0 ok, 350-400 away, 401 look', '', 'online, expected 700'],
    ['0 ok, 290-310 away, 361 look', '', 'online, expected 610'],
    ['0 ok, 310-320 away, 361 look', '', 'online, expected 620'],
    ['0 ok, 241-242 away, 361 look', '', 'online, expected 542'],
    ['0 ok, 360-380 away, 380 look', '', 'online, expected 680'],
    // Long before the expected time, or after the deadline: the ping would have come.
    ['0 ok, 230-240 away, 361 look', 'open 360', 'offline, expected 300'],
    ['0 ok, 364-400 away, 401 look', 'open 360', 'offline, expected 300'],
    // So soon after it that a ping that came in time may not have been stored.
    ['0 ok, 361-400 away, 401 look', '', 'online, expected 700'],
    ['0 ok, 239-241 away, 301 look', '', 'online, expected 541', { grace: 0 }],
    ['0 ok, 230-240 away, 301 look', 'open 300', 'offline, expected 300', { grace: 0 }],
    // Before the last call: that was heard.
    ['0 ok, 100-110 away, 120 ok, 210 look', 'open 210', 'offline, expected 150', { interval: 30 }],
    // An interval that did not begin with a call may end at any time within.
    ['0 ok, 100 reschedule, 150-160 away, 460 look', '', 'online, expected 460'],
    ['0 fail, 100-110 away, 360 look', 'open 0', 'offline, expected 410'],
    // A job whose times vary by its grace may have called by as much earlier.
    ['0 ok, 200-210 away, 420 look', '', 'online, expected 510', { grace: 120 }],
    ['0 ok, 350-400 away, 760 look', 'open 760', 'offline, expected 700'],
    ['0 ok, 350-400 away, 401 look, 690 ok', '', 'online, expected 990'],
    ['0 ok, 350-400 away, 410 fail', 'open 410', 'offline, expected 710'],
    ['0 ok, 350-9000 away, 9000 look', '', 'online, expected 9300'],
    ['0-5000 away, 5000 look', '', 'pending, expected 5300'],
    ['0-5000 away, 5000 look, 5360 look', 'open 5360', 'offline, expected 5300'],
    // The one that ended last counts, whatever their order.
    ['0 ok, 250-390 away, 300-310 away, 400 look', '', 'online, expected 690'],
    // A ping that was heard ends the doubt.
    ['0 ok, 290-310 away, 340 ok, 699 look', '', 'online, expected 640'],
    ['0 ok, 290-310 away, 340 ok, 700 look', 'open 700', 'offline, expected 640'],
  ],
  'away again in the time that was given': [
    // It was put off once, and we are back before the deadline: now it counts.
    ['0 ok, 350-400 away, 690-710 away, 760 look', 'open 760', 'offline, expected 700'],
    // We are not back by then: nothing can be told.
    ['0 ok, 350-400 away, 690-800 away, 800 look', '', 'online, expected 1100'],
    // An end in between, and all begins again; a start alone is none.
    ['0 ok, 350-400 away, 401 look, 500 ok, 790-810 away, 860 look', '', 'online, expected 1110'],
    [
      '0 ok, 350-400 away, 401 look, 500 start, 690-710 away, 760 look',
      'open 760',
      'offline, expected 700',
    ],
    [
      '0 ok, 350-400 away, 401 look, 500 log, 690-710 away, 760 look',
      'open 760',
      'offline, expected 700',
    ],
  ],
  'away, and a cron job [13.21]': [
    ['10799-10805 away, 11400 look', '', `pending, expected ${DAY + 10_800}`, DAILY],
    ['11399-11500 away, 11500 look', '', `pending, expected ${DAY + 10_800}`, DAILY],
    // An early ping may have been lost; what is due then was in doubt as well.
    ['10300-10310 away, 11400 look', '', `pending, expected ${DAY + 10_800}`, DAILY],
    ['10100-10200 away, 11400 look', 'open 11400', 'offline, expected 10800', DAILY],
    ['61-62 away, 122 look', '', 'pending, expected 120', MINUTELY],
    [
      `10799-10805 away, 11400 look, ${DAY + 11_400} look`,
      `open ${DAY + 11_400}`,
      `offline, expected ${DAY + 10_800}`,
      DAILY,
    ],
  ],
  'runs [13.13, 13.14, 13.15]': [
    ['5 start, 64 look', '', 'pending, expected 600', RUNS],
    ['5 start, 65 look, 66 look', 'open 65', 'offline, expected 600', RUNS],
    ['5 start, 65 look, 70 ok', 'open 65, resolve 70', 'online, expected 670', RUNS],
    ['5 start, 65 look, 70 fail', 'open 65, note 70', 'offline, expected 670', RUNS],
    ['5 start, 60 ok, 999 look', 'open 720', 'offline, expected 660', { ...RUNS, grace: 60 }],
    // Finished late, before anybody looked: it did finish.
    ['5 start, 70 ok, 71 look', '', 'online, expected 670', RUNS],
    // The one that hangs is the one that is left.
    ['5 start, 20 start, 30 ok, 65 look', 'open 65', 'offline, expected 630', RUNS],
    ['5 start:a, 20 start:b, 30 ok:b, 65 look', 'open 65', 'offline, expected 630', RUNS],
    ['5 start:a, 20 start:b, 30 ok:a, 79 look', '', 'online, expected 630', RUNS],
    ['5 start:a, 20 start:b, 30 ok:a, 80 look', 'open 80', 'offline, expected 630', RUNS],
    ['5 start:a, 20 start:b, 80 look', 'open 65, note 80', 'offline, expected 600', RUNS],
    ['5 start:a, 5 start:b, 80 look', 'open 65', 'offline, expected 600', RUNS],
    // The same run begins again.
    ['5 start:a, 50 start:a, 109 look', '', 'pending, expected 600', RUNS],
    ['5 start, 900 look', 'open 65, note 660', 'offline, expected 600', RUNS],
    ['5 start, 9000 look', 'open 360', 'offline, expected 300'],
    // A run that hangs and a job that goes on: told once.
    ['5 start:a, 65 look, 70 ok:b, 600 look', 'open 65, resolve 70', 'online, expected 670', RUNS],
    // Its finish may have been lost.
    ['1 ok, 5 start, 30-35 away, 66 look, 99 look', '', 'online, expected 601', RUNS],
    ['1 ok, 5 start, 65-99 away, 99 look', '', 'online, expected 601', RUNS],
    ['1 ok, 1-5 away, 5 start, 66 look', 'open 65', 'offline, expected 601', RUNS],
    // So soon after its time that a finish that came in time may not have been stored.
    ['1 ok, 5 start, 66-99 away, 99 look', '', 'online, expected 601', RUNS],
    ['1 ok, 5 start, 69-99 away, 99 look', 'open 65', 'offline, expected 601', RUNS],
    ['0 ok, 700 look, 705 start, 765 look', 'open 660, note 765', 'offline, expected 600', RUNS],
  ],
  'a ping whose body takes its time': [
    // It counts from when it began to arrive.
    ['0 ok, 299+70 ok, 658 look', '', 'online, expected 599'],
    ['0 ok, 299+70 ok, 659 look', 'open 659', 'offline, expected 599'],
    ['0 ok, 10+50 fail', 'open 10', 'offline, expected 310'],
    // Another one came meanwhile: what was said last holds.
    ['0 ok, 20 ok, 10+15 ok, 379 look', '', 'online, expected 320'],
    ['0 ok, 20 ok, 10+15 fail', '', 'online, expected 320'],
    ['0 ok, 20 fail, 10+15 ok', 'open 20', 'offline, expected 320'],
    ['0 ok, 20 fail, 10+15 fail', 'open 20', 'offline, expected 320'],
    // A start is no word of how the job does.
    ['0 fail, 20 start, 10+15 ok', 'open 0, resolve 10', 'online, expected 310'],
    // It was in time, though its silence was noticed first.
    ['0 ok, 900 look, 350+560 ok', 'open 360, resolve 350', 'online, expected 650'],
    // Its finish was stored first: no run is under way.
    ['5 start, 20 ok, 10+15 start, 99 look', '', 'online, expected 620', RUNS],
    ['20 fail, 10+15 start, 99 look', 'open 20', 'offline, expected 620', RUNS],
    // By less than clocks may differ, it began after the finish.
    ['20 ok, 19.5+1 start, 99 look', 'open 79.5', 'offline, expected 620', RUNS],
    // It does not end a run that began after it.
    ['5 start, 15 start, 10+15 ok, 80 look', 'open 75', 'offline, expected 610', RUNS],
    ['5.5 start, 5+1 ok, 99 look', '', 'online, expected 605', RUNS],
    // The clock was set back: it overtook nothing.
    ['20 ok, 10 fail', 'open 10', 'offline, expected 310'],
  ],
  'a clock that was set back while we were away': [
    // Nobody knows what was sent at times that it shows once more.
    ['0 ok, 900-100 away, 360 look', '', 'online, expected 600'],
    ['0 ok, 900-100 away, 360 look, 660 look', 'open 660', 'offline, expected 600'],
    // Whatever was waited for before.
    ['0 ok, 900-100 away, 110 ok, 470 look', 'open 470', 'offline, expected 410'],
    ['0 ok, 900-400 away, 360 look', 'open 360', 'offline, expected 300'],
    ['0 ok, 5 start, 900-10 away, 65 look', '', 'online, expected 600', RUNS],
    ['0 ok, 900-4 away, 7 start, 67 look', 'open 67', 'offline, expected 600', RUNS],
    // A run that began before it may have finished while we were away; one that begins later may not.
    ['850 start, 900-400 away, 403 look, 470 look', '', 'pending, expected 600', RUNS],
    ['950 start, 900-400 away, 403 look, 470 look', 'open 463', 'offline, expected 600', RUNS],
    ['1 ok, 90000-4000 away, 11400 look', '', `online, expected ${DAY + 10_800}`, DAILY],
  ],
  'a gap from before the clock was set back': [
    // What it covers of times that were shown once was not heard.
    ['0 ok, 100-900 away, 900-500 away, 505 look', '', 'online, expected 800'],
    // It ends in the future, and says nothing of the time since.
    ['100-1000 away, 1000-400 away, 402 ok, 762 look', 'open 762', 'offline, expected 702'],
    [
      '100-1000 away, 1000-400 away, 402 ok, 405 start, 470 look',
      'open 465',
      'offline, expected 1002',
      RUNS,
    ],
  ],
  'a clock that is set back': [
    ['1000 ok, 400 ok, 759 look', '', 'online, expected 700'],
    ['1000 ok, 400 ok, 760 look', 'open 760', 'offline, expected 700'],
    // It is waited for since a time that is still to come: a whole period from now on.
    ['1000 ok, 400 start, 400 look', '', 'online, expected 700'],
    ['1000 ok, 400 look, 759 look', '', 'online, expected 700'],
    ['1000 ok, 400 look, 760 look', 'open 760', 'offline, expected 700'],
    ['1000 ok, 999 look', '', 'online, expected 1300'],
    ['1000 start, 400 look, 460 look', 'open 460', 'offline, expected 600', RUNS],
    ['1000 start, 400 ok, 401 look', '', 'online, expected 1000', RUNS],
  ],
};

const ALL_CASES = Object.values(CASES).flat();

describe.each(Object.entries(CASES))('%s', (_name, cases) => {
  test.each(cases)('%s: %s [13.5, 13.9, 13.30]', (story, incidents, expected, settings = {}) => {
    const played = play(story, settings);
    expect([told(played), end(played)]).toEqual([incidents, expected]);
    expectSound(played);
  });
});

test.each(HEARTBEAT_TABLE.map((row) => [`${row.happens} when ${row.when}`, row] as const))(
  'the row "%s" is one that a case above depends on [12.28]',
  (_name, row) => {
    const table = HEARTBEAT_TABLE as (typeof row)[];
    const place = table.indexOf(row);
    table.splice(place, 1);
    try {
      expect(ALL_CASES.some((one) => !holds(one))).toBe(true);
    } finally {
      table.splice(place, 0, row);
    }
  },
);

function holds([story, incidents, expected, settings]: Case): boolean {
  try {
    const played = play(story, settings);
    return told(played) === incidents && end(played) === expected;
  } catch {
    return false;
  }
}

describe('what an incident says', () => {
  test.each([
    ['360 look', 'No ping ever came; one was expected at 2030-01-01 00:05:00 UTC', 'ping_missed'],
    [
      '5 start, 360 look',
      'The run that started at 2030-01-01 00:00:05 UTC did not end in time: its end was expected at 2030-01-01 00:05:00 UTC or in the minute after',
      'ping_missed',
    ],
    [
      '5 log, 360 look',
      'No ping came at 2030-01-01 00:05:00 UTC, when it was expected, nor in the minute after',
      'ping_missed',
    ],
    ['5 fail', 'The job reported a failure', 'job_failed'],
  ])('%s: %s [13.6]', (story, rootCause, failureCode) => {
    expect(play(story).incidents).toMatchObject([
      { kind: 'open', type: 'heartbeat', severity: 'critical', rootCause, failureCode },
    ]);
  });

  test('of a run that did not finish', () => {
    expect(play('5 start, 65 look', RUNS).incidents).toMatchObject([
      {
        rootCause: 'The run that started at 2030-01-01 00:00:05 UTC did not finish within 1 minute',
        failureCode: 'run_unfinished',
        status: { previous: 'pending', current: 'offline' },
      },
    ]);
  });

  test('a note tells of what happened then, and a success is none', () => {
    const { incidents } = play('0 ok, 1 ok, 361 look, 370 fail, 380 start, 400 ok, 410 ok');
    expect(
      incidents.map((one) => [
        one.kind,
        one.kind === 'note' ? one.text : one.kind === 'open' && one.rootCause,
      ]),
    ).toEqual([
      ['open', expect.stringContaining('No ping came')],
      ['note', 'The job reported a failure'],
      ['resolve', false],
    ]);
  });
});

/** `online 5, offline 360`. */
const toldSpans = (played: Played) =>
  played.spans.map((span) => `${span.status} ${secondsOf(span.at)}`).join(', ');

describe('status over time', () => {
  test.each([
    ['5 ok, 10 ok, 15 start, 20 log', 'online 5'],
    ['5 ok, 365 look, 400 ok', 'online 5, offline 365, online 400'],
    ['5 fail, 6 fail', 'offline 5'],
    ['5 start', ''],
    // After a pause nothing is known until something is heard.
    ['5 ok, 10 pause, 900 resume', 'online 5'],
    ['5 ok, 10 pause, 900 resume, 910 ok', 'online 5, unobserved 10, online 910'],
    ['5 ok, 10 pause, 900 resume, 905 start, 910 ok', 'online 5, unobserved 10, online 910'],
    ['5 ok, 10 pause, 900 resume, 1260 look', 'online 5, unobserved 10, offline 1260'],
    ['5 fail, 10 pause, 900 resume, 910 ok', 'offline 5, unobserved 10, online 910'],
    ['10 pause, 900 resume, 910 ok', 'online 910'],
  ])('%s: %s', (story, expected) => {
    expect(toldSpans(play(story))).toBe(expected);
  });
});

describe('what is kept of pings', () => {
  test('their number, the first of them and the last success', () => {
    const { state } = play('5 start, 10 ok, 20 fail, 30 log');
    expect(state).toMatchObject({ pingCount: 4, firstPingAt: at(5), lastHeartbeatAt: at(10) });
  });

  test.each([
    ['5 ok', 5],
    ['5 ok, 20 fail', 20],
    ['5 ok, 20 start', 20],
    ['5 ok, 20 log', 20],
    ['5 ok, 900 look', 5],
    ['5 ok, 10 pause, 20 ok', 5],
    ['900 look', null],
  ])('the latest ping of any kind: %s is %s [11.3]', (story, minute) => {
    expect(play(story).state.lastPingAt).toBe(minute === null ? null : at(minute));
  });

  test('the latest ping, when the body of an earlier one took longer', () => {
    const before = play('5 ok, 20 log');
    const late = evaluatePing(before.state, before.plan, pingAt(at(10), 'start'), at(21));
    expect(late.state.lastPingAt).toBe(at(20));
    // A time ahead is from a clock that was set back.
    const setBack = evaluatePing(before.state, before.plan, pingAt(at(10), 'start'), at(10));
    expect(setBack.state.lastPingAt).toBe(at(10));
  });

  test('nothing while it is paused', () => {
    const before = play('5 ok, 10 pause');
    for (const kind of Object.values(KINDS)) {
      const { state, ping } = evaluatePing(before.state, before.plan, pingAt(at(20), kind));
      expect([state, ping]).toEqual([before.state, null]);
    }
  });

  test.each([
    ['5 ok', [null]],
    ['5 start, 8.5 ok', [null, 3_500]],
    ['5 start, 6 log, 8 ok', [null, null, 3_000]],
    ['5 start, 8 fail', [null, 3_000]],
    ['5 start, 8 log', [null, null]],
    ['5 start:a, 6 start:b, 8 ok:a, 9 ok:b', [null, null, 3_000, 3_000]],
    ['5 start:a, 8 ok', [null, null]],
    ['5 start, 65 look, 70 ok', [null, 65_000]],
    ['50 start, 40 ok', [null, 0]],
  ])('%s: durations %j [12.10, 12.11]', (story, durations) => {
    expect(play(story, RUNS).durations).toEqual(durations);
  });

  test('one that changes nothing hands back what it was given, so that nothing is written', () => {
    const { state, plan } = play('5 ok, 6 look');
    const next = evaluatePing(state, plan, pingAt(at(10), 'success')).state;
    expect(next.confirmations).toBe(state.confirmations);
    expect(next.dueAt).toBe(state.dueAt);
  });
});

function dueAfter(story: string, settings?: JobSettings): number | null {
  const { dueAt } = play(story, settings).state;
  return dueAt === null ? null : secondsOf(dueAt);
}

describe('when silence is looked at', () => {
  test.each([
    // A new one is looked at once, which says when to look next.
    ['', 0, {}],
    ['1 look', 360, {}],
    // A ping moves nothing; the look that comes too early does.
    ['1 look, 50 ok', 360, {}],
    ['1 look, 50 ok, 360 look', 410, {}],
    ['1 look, 5 start', 65, RUNS],
    ['1 look, 5 start, 50 ok', 65, RUNS],
    ['1 look, 5 start, 50 ok, 65 look', 710, RUNS],
    ['360 look', null, {}],
    ['360 look, 400 ok', 760, {}],
    ['1 look', null, WAITS],
    ['1 look, 5 log', 365, WAITS],
    ['1 look, 5 start', 65, { ...WAITS, ...RUNS }],
    ['0 ok, 10 pause, 20 look', null, {}],
    ['0 ok, 10 pause, 20 ok', null, {}],
    ['0 ok, 350-400 away, 401 look', 760, {}],
    ['0 ok, 360 look, 400 close, 401 look', 761, {}],
  ])('%s: %j', (story, expected, settings) => {
    expect(dueAfter(story, settings)).toBe(expected);
  });
});
