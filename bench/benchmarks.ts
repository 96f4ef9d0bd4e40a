import type { Described } from './options.ts';

interface Benchmark extends Described {
  load(): Promise<{ run(options: string[]): Promise<void> }>;
}

const MONITORS = '--monitors=N';
const SECONDS = '--seconds=N';
const ENGINE = '--engine=sqlite|postgres';

/** All benchmarks, in the order in which they run. What their options mean is at the `run` of each. */
export const BENCHMARKS: Record<string, Benchmark> = {
  quick: {
    about: 'a few short measurements of costs, for comparisons',
    options: ['--only=requests|checks', '--data=FOLDER'],
    load: () => import('./quick.ts'),
  },
  tools: {
    about: 'calls and bytes of questions to an assistant, beside those of before',
    options: ['--before', '--write=FILE'],
    load: () => import('../test/evaluation/main.ts'),
  },
  checks: {
    about: 'complete checks by the agent alone',
    options: [],
    load: () => import('./checks.ts'),
  },
  stored: {
    about: 'checks with all that follows, beside other programs',
    options: [MONITORS, SECONDS, '--only=http|https', '--kuma=FOLDER'],
    load: () => import('./stored.ts'),
  },
  content: {
    about: 'response times beside the search of large pages',
    options: [],
    load: () => import('./content.ts'),
  },
  icmp: {
    about: 'pings through our sockets and by the ping program',
    options: [],
    load: () => import('./icmp.ts'),
  },
  start: {
    about: 'time until ready, and memory when idle',
    options: [MONITORS, SECONDS],
    load: () => import('./start.ts'),
  },
  detect: {
    about: 'time from a failure to its incident and webhook',
    options: [],
    load: () => import('./detect.ts'),
  },
  storm: {
    about: 'ten thousand monitors of one team fail at once',
    options: [],
    load: () => import('./storm.ts'),
  },
  blackholes: {
    about: 'a large outage in which most targets hang',
    options: ['--hung=N', '--closed=N', '--healthy=N'],
    load: () => import('./blackholes.ts'),
  },
  overload: {
    about: 'a probe process that is given more than it can do',
    options: [],
    load: () => import('./overload.ts'),
  },
  webhooks: {
    about: 'ten thousand incidents to one webhook endpoint',
    options: ['--incidents=N', '--only=RECEIVER'],
    load: () => import('./webhooks.ts'),
  },
  accuracy: {
    about: 'reported response times while the API is busy',
    options: [],
    load: () => import('./accuracy.ts'),
  },
  growth: {
    about: 'the engine at several sizes: costs must not grow',
    options: [SECONDS, '--most=N', ENGINE],
    load: () => import('./growth.ts'),
  },
  capacity: {
    about: 'how many monitors two cores carry',
    options: [SECONDS, '--sizes=N,N', ENGINE],
    load: () => import('./capacity.ts'),
  },
  engine: {
    about: 'the engine with many monitors',
    options: [MONITORS, SECONDS, ENGINE, '--history'],
    load: () => import('./engine.ts'),
  },
  scale: {
    about: 'what processes, Postgres and NATS cost, by set-up',
    options: ['--layouts=NAME,NAME', '--monitors=N,N', SECONDS, '--save'],
    load: () => import('./scale.ts'),
  },
  notice: {
    about: 'how soon processes notice what another one did',
    options: ['--times=N'],
    load: () => import('./notice.ts'),
  },
  vacuum: {
    about: 'whether Postgres stays the same in an hour of full load',
    options: [MONITORS, '--minutes=N', '--settings=own|defaults'],
    load: () => import('./vacuum.ts'),
  },
  record: {
    about: 'recording finished rounds, without checks',
    options: [MONITORS, '--rounds=N', '--batch=N', ENGINE],
    load: () => import('./record.ts'),
  },
  api: {
    about: 'lists of a team with many monitors',
    options: [MONITORS, SECONDS, ENGINE],
    load: () => import('./api.ts'),
  },
  history: {
    about: 'charts, uptime and results of a year',
    options: [MONITORS, SECONDS, ENGINE],
    load: () => import('./history.ts'),
  },
  incidents: {
    about: 'lists of a team with a million incidents',
    options: ['--incidents=N', SECONDS, '--only=TEXT', ENGINE],
    load: () => import('./incidents.ts'),
  },
  ping: {
    about: 'pings of push monitors, also when the service is killed',
    options: [MONITORS, SECONDS, '--kills=N'],
    load: () => import('./ping.ts'),
  },
  status: {
    about: 'public status pages while monitors are checked',
    options: [MONITORS, '--pages=N', SECONDS],
    load: () => import('./status.ts'),
  },
  reports: {
    about: 'reports of 90 days and their files',
    options: [MONITORS],
    load: () => import('./reports.ts'),
  },
  overview: {
    about: 'the three overviews of a team',
    options: [MONITORS, '--days=N'],
    load: () => import('./overview.ts'),
  },
  'monitor-overview': {
    about: 'the overview of monitors on both engines',
    options: [MONITORS],
    load: () => import('./monitor-overview.ts'),
  },
  move: {
    about: 'an installation moves from SQLite to Postgres',
    options: [MONITORS, '--days=N'],
    load: () => import('./move.ts'),
  },
  subscribers: {
    about: 'one update to ten thousand subscribers',
    options: ['--subscribers=N'],
    load: () => import('./subscribers.ts'),
  },
};
