import { setTimeout as pause } from 'node:timers/promises';
import { CONCURRENCY, measureAgent } from './agent.ts';
import { certificates } from './certificates.ts';
import { measureKuma, type KumaFigures } from './kuma.ts';
import { numberOption, textOption } from './options.ts';
import { measureAb, startBlackbox, type Blackbox } from './peers.ts';
import { preloadMonitors, REGIONS } from './preload.ts';
import { folderBytes, withFolder, withService } from './process.ts';
import { atLeast, none, ratio, report, type Figure } from './report.ts';
import { takeSample, workBetween, type Work } from './sample.ts';
import { startTarget } from './target.ts';

/** An interval and its rounds' end, so that each monitor was checked once. */
const WARM_UP_MS = 35_000;
const AGENT_CHECKS = { http: 20_000, https: 4_000 };
const BLACKBOX_CHECKS = { http: 4_000, https: 2_000 };

/** A protocol, and how its checks compare with those of peers at least. */
interface Trial {
  scheme: 'http' | 'https';
  url: string;
  /** Two cores can't do the handshakes of four regions. */
  regions: string[];
  ab: number | null;
  blackbox: number;
}

/**
 * Checks by the whole service, whose rounds are on disk: `--monitors=N` (10,000) every 30 s on SQLite, HTTP from four
 * regions and HTTPS from one, for `--seconds=N` (60) after a warm-up of more than an interval. `ab`, blackbox and, if
 * `--kuma=FOLDER` or KUMA_FOLDER names one, uptime-kuma use the same targets in the same run, after a warm-up of their own.
 * `--only=http` or `--only=https` runs one of both.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const seconds = numberOption(options, '--seconds', 60);
  const only = textOption(options, '--only');
  const kumaFolder = textOption(options, '--kuma') ?? process.env['KUMA_FOLDER'] ?? null;
  const { certificate, authority } = certificates();
  const plain = await startTarget();
  const secure = await startTarget({ certificate });
  const blackbox = await startBlackbox(authority);
  const trials: Trial[] = [
    {
      scheme: 'http',
      url: `http://127.0.0.1:${plain.port}/`,
      regions: REGIONS,
      ab: 0.2,
      blackbox: 5,
    },
    {
      scheme: 'https',
      url: `https://localhost:${secure.port}/`,
      regions: ['ash'],
      ab: null,
      blackbox: 1.2,
    },
  ];
  try {
    for (const trial of trials.filter(({ scheme }) => only === null || scheme === only)) {
      const work = await measureStored(trial, { monitors, seconds, authority });
      const peers = await measurePeers(trial, { blackbox, authority, kumaFolder, seconds });
      const places = trial.regions.length === 1 ? '1 region' : `${trial.regions.length} regions`;
      report(
        `stored, ${trial.scheme.toUpperCase()}, ${monitors.toLocaleString('en')} monitors, ${places}, ${seconds} s`,
        figuresOf(trial, work, peers),
      );
    }
  } finally {
    blackbox?.stop();
    plain.stop();
    secure.stop();
  }
}

type StoredWork = Work & { bytesPerCheck: number };

async function measureStored(
  { url, regions }: Trial,
  { monitors, seconds, authority }: { monitors: number; seconds: number; authority: string },
): Promise<StoredWork> {
  return withFolder(async (folder) => {
    await preloadMonitors(folder, monitors, url, { regions });
    const environment = { NODE_EXTRA_CA_CERTS: authority };
    return withService({ dataDir: folder, environment }, async (service) => {
      await pause(WARM_UP_MS);
      const before = await takeSample(service);
      const bytesBefore = await folderBytes(folder);
      await pause(seconds * 1000);
      const work = workBetween(before, await takeSample(service));
      return { ...work, bytesPerCheck: ((await folderBytes(folder)) - bytesBefore) / work.checks };
    });
  });
}

interface Peers {
  /** Checks per CPU second of our agent without the service around it. */
  agent: number;
  ab: number | null;
  blackbox: number | null;
  kuma: KumaFigures | null;
}

async function measurePeers(
  { scheme, url }: Trial,
  options: {
    blackbox: Blackbox | null;
    authority: string;
    kumaFolder: string | null;
    seconds: number;
  },
): Promise<Peers> {
  const { blackbox, authority, kumaFolder, seconds } = options;
  const count = AGENT_CHECKS[scheme];
  const asked = BLACKBOX_CHECKS[scheme];
  return {
    agent: await measureAgent({ kind: 'url', url, count }, authority),
    ab: await measureAb(url, count, CONCURRENCY),
    blackbox: blackbox && (await blackbox.checksPerCpuSecond('http', [url], asked, CONCURRENCY)),
    kuma:
      kumaFolder === null
        ? null
        : await measureKuma(kumaFolder, [url], { seconds, authorityFile: authority }),
  };
}

function figuresOf(trial: Trial, work: StoredWork, peers: Peers): Figure[] {
  const stored = 1000 / work.cpuMsPerCheck;
  return [
    { name: 'agent alone', value: peers.agent, unit: 'checks per CPU s' },
    { name: 'stored', value: stored, unit: 'checks per CPU s' },
    { name: 'stored / agent alone', value: stored / peers.agent },
    trial.ab === null
      ? { name: 'stored / ab', value: peers.ab === null ? 'peer not installed' : stored / peers.ab }
      : ratio('stored / ab', stored, peers.ab, trial.ab),
    ratio('stored / blackbox', stored, peers.blackbox, trial.blackbox),
    { name: 'CPU per check, stored', value: work.cpuMsPerCheck, unit: 'ms' },
    { name: 'CPU per beat, stored', value: work.cpuMsPerRound, unit: 'ms' },
    ...kumaFigures(work, peers.kuma),
    { name: 'disk per check', value: work.bytesPerCheck, unit: 'bytes' },
    { name: 'checks', value: work.checksPerSecond, unit: '/s' },
    { name: 'cores', value: work.cores },
    { name: 'cores of the machine', value: work.machineCores },
    none('checks that did not succeed', work.down + work.unknown),
    none('rounds absorbed', work.absorbed),
    none('rounds skipped or missed', work.skipped + work.missed),
    none('checks late', work.late),
  ];
}

function kumaFigures({ cpuMsPerRound }: Work, kuma: KumaFigures | null): Figure[] {
  if (kuma === null) return [{ name: 'uptime-kuma', value: 'not given' }];
  return [
    { name: 'uptime-kuma, CPU per beat', value: kuma.cpuMsPerBeat, unit: 'ms' },
    atLeast('beats per CPU second / uptime-kuma', kuma.cpuMsPerBeat / cpuMsPerRound, 6),
  ];
}
