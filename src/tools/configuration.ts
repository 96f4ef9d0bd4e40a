import { NOUNS } from '../resources/nouns.ts';
import { counted, plainName } from './common.ts';
import { cut, list, made, shown, team } from './shown.ts';
import { finalTool, viewTool, type Tool } from './tool.ts';

const thing = {
  section: true,
  key: true,
  name: made(({ name }: { name: string }) => plainName(name)),
} as const;
/** Names of fields, since their values can be secrets, such as an address with its query. */
const fields = made(({ fields: all }: { name: string; fields: { field: string }[] }) =>
  all.map(({ field }) => field),
);

const plan = shown(NOUNS.configuration.operations.planConfiguration.answer, {
  name: true,
  fingerprint: true,
  is_empty: true,
  changes: cut({ action: true, ...thing, fields }),
  drift: cut({ action: true, ...thing, fields }),
  kept: cut(thing),
  warnings: list(team()),
});

/** Lengths of lists that were cut. */
interface Totals {
  changes_total?: number;
  drift_total?: number;
}
const lengthOf = (all: unknown) => (all as unknown[]).length;

export const CONFIGURATION_TOOLS: readonly Tool[] = [
  viewTool({
    name: 'plan_configuration',
    isAdditive: true,
    isIdempotent: true,
    title: 'Plan a configuration',
    description:
      'What apply_configuration would change, and drift: what others changed since. document is {"name": "shop", "monitors": [{"key": "web", …fields of create_monitor}], "groups": […], …}; references are keys, secrets {"from", "value"}.',
    says: { document: 'The set' },
    content: plan,
    summary: ({ name, changes, drift, ...totals }) => {
      const { changes_total: toMake, drift_total: drifted } = totals as Totals;
      return `The set ${name} has ${counted(toMake ?? lengthOf(changes), 'change')} to make; ${counted(drifted ?? lengthOf(drift), 'thing')} drifted.`;
    },
  }),
  finalTool({
    name: 'apply_configuration',
    title: 'Apply a configuration',
    description:
      'Makes the team what the document says, in one step or not at all. The dry run is the plan; only this plan is applied.',
    isTerse: true,
    shows: 'plan_configuration',
    fingerprint: 'fingerprint',
    effect: 'apply this plan to the team',
    done: plan,
  }),
];
