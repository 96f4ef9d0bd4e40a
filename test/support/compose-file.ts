import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

/** Service of a compose file, as far as tests read it. */
export interface ComposeService {
  image?: string;
  user?: string;
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  configs?: { source: string; target: string }[];
  networks?: string[] | Record<string, unknown>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  ports?: string[];
  command?: string[];
  healthcheck?: object;
  sysctls?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  tmpfs?: string[];
  deploy?: { resources: { limits: { memory: string; pids: number } } };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks?: Record<string, { internal?: boolean } | null>;
  volumes?: Record<string, unknown>;
  configs?: Record<string, { file: string }>;
  secrets?: Record<string, { file: string }>;
}

type Raw = ComposeService & { extends?: { file: string; service: string } };

/** Reads a compose file with what its services extend. */
export function readCompose(path: string): ComposeFile {
  const file = parse(readFileSync(path, 'utf8'), { merge: true }) as ComposeFile;
  const services = Object.entries<Raw>(file.services).map(([name, { extends: base, ...own }]) => {
    if (base === undefined) return [name, own] as const;
    const inherited = readCompose(join(dirname(path), base.file)).services[base.service]!;
    const needs = { ...inherited.depends_on, ...own.depends_on };
    return [name, { ...inherited, ...own, depends_on: needs }] as const;
  });
  return { ...file, services: Object.fromEntries(services) };
}

/** Names of the secrets that a service sees, and where. */
export function secretsOf({ secrets = [] }: ComposeService): { source: string; target: string }[] {
  return secrets.map((one) =>
    typeof one === 'string' ? { source: one, target: `/run/secrets/${one}` } : one,
  );
}

export function networksOf({ networks = [] }: ComposeService): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}
