import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePorts } from '../test/support/free-ports.ts';
import { startNats } from '../test/support/nats-server.ts';
import { deriveRegionKey, probeKeyText } from '../src/lib/region-keys.ts';
import { REGIONS } from './preload.ts';
import { ADMIN_TOKEN, startService, type Service } from './process.ts';
import type { Kind, Layout } from './scale-layouts.ts';

/** A process of a layout. */
export interface Member {
  kind: Kind;
  service: Service;
}

export interface Nats {
  url: string;
  pid: number;
  /** Messages and bytes that it received and sent, and its connections now. */
  read(): Promise<NatsCounts>;
  stop(): Promise<void>;
}

export interface NatsCounts {
  in_msgs: number;
  out_msgs: number;
  in_bytes: number;
  out_bytes: number;
  connections: number;
}

/** Starts a NATS server with its monitoring port. @throws if there is none to start. */
export async function startBenchNats(folder: string): Promise<Nats> {
  const place = path.join(folder, 'nats');
  await mkdir(place);
  const [port] = (await freePorts(1)) as [number];
  const server = await startNats(place, { args: ['--http_port', String(port)] });
  if ('missing' in server) throw new Error(`NATS could not be started: ${server.missing}`);
  return {
    url: server.url,
    pid: server.pid,
    async read() {
      const response = await fetch(`http://127.0.0.1:${port}/varz`);
      return (await response.json()) as NatsCounts;
    },
    stop: () => server.stop(),
  };
}

export interface FleetPlace {
  folder: string;
  /** URL of the database, without a user: each kind of process has one of its own, so that its connections are known. */
  databaseUrl: string;
  natsUrl: string;
  /** Of the name server for targets. */
  nameServer: string;
}

const STATEMENT_MS = 600_000;

/** The database as a user has it; statements may take minutes. */
export function databaseOf({ databaseUrl }: FleetPlace, user: string) {
  const url = new URL(databaseUrl);
  url.username = user;
  const timeouts = { statement: STATEMENT_MS };
  return { engine: 'postgres', url: url.href, timeouts } as const;
}

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
/** What `npm start` and `npm run start:probe` give young objects, MiB. */
const SEMI_SPACE_MIB = { server: 32, probe: 4 };

/** Starts the processes of a layout one after another, probes first, and resolves when all are ready. */
export async function startMembers(layout: Layout, place: FleetPlace): Promise<Member[]> {
  const members: Member[] = [];
  const probesFirst = [...layout.processes].toSorted(
    (a, b) => Number(b.kind === 'probe') - Number(a.kind === 'probe'),
  );
  try {
    for (const { kind, count, regions } of probesFirst) {
      for (let index = 0; index < count; index += 1) {
        const dataDir = path.join(place.folder, `${kind}-${members.length}`);
        await mkdir(dataDir, { recursive: true });
        const isProbe = kind === 'probe';
        const environment = isProbe ? probeSettings(place, regions!) : serverSettings(place, kind);
        const space = isProbe ? SEMI_SPACE_MIB.probe : SEMI_SPACE_MIB.server;
        const service = await startService(dataDir, environment, space);
        members.push({ kind, service });
      }
    }
  } catch (error) {
    await stopMembers(members);
    throw error;
  }
  return members;
}

export async function stopMembers(members: readonly Member[]): Promise<void> {
  await Promise.all(members.map(({ service }) => service.stop()));
}

/** Environment of a process with a database. */
export function serverSettings(place: FleetPlace, kind: Kind): Record<string, string> {
  return {
    DATABASE_URL: databaseOf(place, kind).url,
    SECRET_KEY,
    REGIONS: REGIONS.join(','),
    DNS_SERVERS: place.nameServer,
    ADMIN_TOKEN,
    // A process of all roles has a probe of its own, and needs no NATS.
    ...(kind !== 'whole' && { ROLES: kind, NATS_URL: place.natsUrl }),
  };
}

function probeSettings(place: FleetPlace, regions: readonly string[]): Record<string, string> {
  const keys = regions.map((region) => probeKeyText(deriveRegionKey(SECRET_KEY, region)));
  return {
    ROLES: 'probe',
    NATS_URL: place.natsUrl,
    PROBE_KEY: keys.join(','),
    VANTAGE_NAME: `rack-${regions.join('-')}`,
    DNS_SERVERS: place.nameServer,
    // Processes without a database get no secret of the others.
    ADMIN_TOKEN: '',
  };
}
