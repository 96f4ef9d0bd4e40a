import { FULL_PLANS } from '../../src/identity/plans.ts';
import type { OperatorContext } from '../../src/operator/command.ts';
import { runDatabaseCommand } from '../../src/operator/commands.ts';
import type { CommandEnd } from '../../src/operator/protocol.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { createFakeClock } from './fake-clock.ts';

export interface Ran {
  end: CommandEnd;
  out: string;
  notes: string[];
}

/** A context of commands, and the people whose cached state was discarded. */
export function operatorContext(
  database: Database,
  overrides: Partial<OperatorContext> = {},
): OperatorContext & { forgotten: object[] } {
  const forgotten: object[] = [];
  return {
    database,
    migrated: [],
    newer: [],
    clock: createFakeClock({ now: Date.UTC(2026, 10, 21, 12) }),
    forget: (who) => void forgotten.push(who),
    plans: FULL_PLANS,
    keys: async () => ['a key for tests'],
    baseUrl: () => 'https://tocsin.example.com',
    version: '1.2.3',
    configuration: null,
    ...overrides,
    forgotten,
  };
}

/** Runs a command as the server does. */
export async function runCommand(
  context: OperatorContext,
  args: string[],
  password: string | null = null,
): Promise<Ran> {
  const ran: Omit<Ran, 'end'> = { out: '', notes: [] };
  const end = await runDatabaseCommand(
    context,
    { args, password },
    {
      out: async (text) => void (ran.out += text),
      note: async (line) => void ran.notes.push(line),
    },
  );
  return { ...ran, end };
}
