import { CONDITIONS } from '../../model/condition.ts';
import type { Condition } from '../../model/condition.ts';
import type { IncidentChange, IncidentOpening, IncidentResolution } from '../../model/incident.ts';
import type { ConditionChange } from './condition.ts';

/** What is known of the monitor when its conditions change. */
interface Subject {
  monitorId: number;
  teamId: number;
  status: IncidentChange['status'];
  /** When that was seen (epoch ms): the end of what has no end of its own. */
  at: number;
}

type Opened = Exclude<ConditionChange, { kind: 'resolve' }>;
type Account = Pick<IncidentOpening, 'rootCause' | 'failureCode' | 'regions' | 'evidence'>;

/** What a change of a condition does to the record of incidents; `accountOf` tells why one opens. */
export function toIncidentChanges(
  subject: Subject,
  change: ConditionChange,
  accountOf: (change: Opened) => Account,
): IncidentChange[] {
  const { at: seenAt, ...base } = subject;
  const of = (condition: Condition) => ({ ...base, condition, type: CONDITIONS[condition].type });
  if (change.kind === 'resolve') {
    const { condition, at, reason } = change;
    const end = { kind: 'resolve', at: at ?? seenAt, reason, into: null } as const;
    return [{ ...of(condition), ...end, ...closingsOf(change) }];
  }
  const { condition, at } = change;
  const opening: IncidentOpening = {
    ...of(condition),
    kind: 'open',
    at,
    from: change.kind === 'change_over' ? change.from : null,
    severity: CONDITIONS[condition].severity,
    ...accountOf(change),
    ...(change.kind === 'open' && closingsOf(change)),
  };
  if (change.kind === 'open') return [opening];
  return [
    {
      ...of(change.from),
      kind: 'resolve',
      at,
      reason: 'changed_over',
      into: condition,
      ...closingsOf(change),
    },
    opening,
  ];
}

/** The incidents that people closed before: their end is sent with that of the condition. */
export function closingsOf(change: ConditionChange): Pick<IncidentResolution, 'closedByHand'> {
  if (change.closedByHand === undefined) return {};
  return { closedByHand: change.closedByHand };
}
