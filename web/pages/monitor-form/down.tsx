import type { ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { getMonitorOverview } from '../../client/sdk.gen.ts';
import { FieldFrame, Input, Tick } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import { Content } from './content.tsx';
import { isPush, type Draft } from './draft.ts';
import { Advanced, NumberInput, Section, type PartProps } from './fields.tsx';

/** What counts as down: thresholds, content, certificate, domain, DNS. */
export function CountsAsDown({
  draft,
  set,
  ownId,
}: PartProps & { ownId: number | null }): ReactNode {
  const { monitorForm } = words;
  return (
    <Section title={isPush(draft.type) ? monitorForm.dependencies : monitorForm.countsAsDown}>
      {!isPush(draft.type) && <Thresholds draft={draft} set={set} />}
      {draft.type === 'http' && <Content draft={draft} set={set} />}
      {!isPush(draft.type) && <Inspections draft={draft} set={set} />}
      {draft.type === 'http' && <Answers draft={draft} set={set} />}
      {!isPush(draft.type) && draft.type !== 'http' && (
        <Advanced isSet={draft.slow !== '' || draft.bothFamilies || draft.timeout !== '30'}>
          <NumberInput
            name="request_timeout"
            label={monitorForm.timeout}
            unit={words.time.units.s}
            value={draft.timeout}
            onChange={(timeout) => set({ timeout })}
          />
          <Slow draft={draft} set={set} />
        </Advanced>
      )}
      <DependsOn draft={draft} set={set} ownId={ownId} />
    </Section>
  );
}

/** Rounds in a row that it takes. Of a job, one missed ping is enough. */
function Thresholds({ draft, set }: PartProps): ReactNode {
  const { monitorForm } = words;
  return (
    <div className="mf-pair">
      <NumberInput
        name="failure_threshold"
        label={monitorForm.failures}
        hint={monitorForm.failuresHint}
        unit={monitorForm.inARow}
        value={draft.failures}
        onChange={(failures) => set({ failures })}
      />
      <NumberInput
        name="recovery_threshold"
        label={monitorForm.recoveries}
        unit={monitorForm.inARow}
        value={draft.recoveries}
        onChange={(recoveries) => set({ recoveries })}
      />
    </div>
  );
}

/** Checks beside whether the target answers. */
function Inspections({ draft, set }: PartProps): ReactNode {
  const { plan } = useSession();
  const { monitorForm } = words;
  const isAllowed = (type: 'ssl' | 'dns' | 'domain') =>
    plan === null || plan.features.check_types.includes(type);
  const tick = (type: 'ssl' | 'dns' | 'domain') => (
    <Tick
      name="check_types"
      label={monitorForm.inspections[type]}
      hint={
        isAllowed(type)
          ? monitorForm.inspectionHints[type]
          : monitorForm.notInPlan(plan?.name ?? '')
      }
      disabled={!isAllowed(type)}
      checked={draft.inspections.includes(type)}
      onChange={(isOn) =>
        set({
          inspections: isOn
            ? [...draft.inspections, type]
            : draft.inspections.filter((one) => one !== type),
        })
      }
    />
  );
  return (
    <div className="mf-list">
      {draft.type === 'http' && tick('ssl')}
      {draft.type === 'http' && draft.inspections.includes('ssl') && (
        <NumberInput
          name="ssl_expiry_threshold"
          label={monitorForm.sslDays}
          unit={monitorForm.daysBefore}
          value={draft.sslDays}
          onChange={(sslDays) => set({ sslDays })}
        />
      )}
      {tick('domain')}
      {draft.inspections.includes('domain') && (
        <NumberInput
          name="domain_expiry_threshold"
          label={monitorForm.domainDays}
          unit={monitorForm.daysBefore}
          value={draft.domainDays}
          onChange={(domainDays) => set({ domainDays })}
        />
      )}
      {tick('dns')}
    </div>
  );
}

/** Which answers of a server are good. Folded while the usual ones are. */
function Answers({ draft, set }: PartProps): ReactNode {
  const { monitorForm } = words;
  const isSet =
    draft.statusCodes !== '' ||
    draft.slow !== '' ||
    draft.errorText ||
    draft.bothFamilies ||
    !draft.verifySsl;
  return (
    <Advanced isSet={isSet}>
      <Input
        name="accepted_status_codes"
        label={monitorForm.statusCodes}
        hint={monitorForm.statusCodesHint}
        placeholder="2xx, 3xx"
        isOptional
        value={draft.statusCodes}
        onChange={(statusCodes) => set({ statusCodes })}
      />
      <Tick
        name="verify_ssl"
        label={monitorForm.verifySsl}
        hint={monitorForm.verifySslHint}
        checked={draft.verifySsl}
        onChange={(verifySsl) => set({ verifySsl })}
      />
      <Tick
        name="error_text_detection"
        label={monitorForm.errorText}
        hint={monitorForm.errorTextHint}
        checked={draft.errorText}
        onChange={(errorText) => set({ errorText })}
      />
      <Slow draft={draft} set={set} />
    </Advanced>
  );
}

function Slow({ draft, set }: PartProps): ReactNode {
  const { monitorForm } = words;
  return (
    <>
      <NumberInput
        name="slow_response_threshold"
        label={monitorForm.slow}
        hint={monitorForm.slowHint}
        isOptional
        unit="ms"
        value={draft.slow}
        onChange={(slow) => set({ slow })}
      />
      <Tick
        name="check_both_families"
        label={monitorForm.bothFamilies}
        hint={monitorForm.bothFamiliesHint}
        checked={draft.bothFamilies}
        onChange={(bothFamilies) => set({ bothFamilies })}
      />
    </>
  );
}

/** Monitors without which this one can't work. */
function DependsOn({
  draft: { dependsOn },
  set,
  ownId,
}: {
  draft: Draft;
  set: PartProps['set'];
  ownId: number | null;
}): ReactNode {
  const { monitorForm } = words;
  const overview = useRead(['monitors', 'overview'], () => getMonitorOverview());
  const monitors = overview.data?.monitors ?? [];
  const others = monitors
    .filter(({ id }) => id !== ownId && !dependsOn.includes(id))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  if (others.length === 0 && dependsOn.length === 0) return null;
  const nameOf = (id: number) => monitors.find((one) => one.id === id)?.name ?? `#${id}`;
  return (
    <FieldFrame
      name="depends_on"
      label={monitorForm.dependsOn}
      hint={monitorForm.dependsOnHint}
      isOptional
    >
      {(attributes) => (
        <>
          {dependsOn.length > 0 && (
            <ul className="row">
              {dependsOn.map((id) => (
                <li key={id} className="pill">
                  {nameOf(id)}
                  <button
                    type="button"
                    className="mf-remove"
                    aria-label={monitorForm.remove(nameOf(id))}
                    onClick={() => set({ dependsOn: dependsOn.filter((one) => one !== id) })}
                  >
                    <Icon name="cross" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <select
            {...attributes}
            className="control"
            value=""
            onChange={(event) => set({ dependsOn: [...dependsOn, Number(event.target.value)] })}
          >
            <option value="">{monitorForm.addMonitor}</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </>
      )}
    </FieldFrame>
  );
}
