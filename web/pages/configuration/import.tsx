import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { queries, useRead } from '../../app/api.ts';
import { ApiError, call, type ConfigurationPlan } from '../../app/client.ts';
import { IMPORTERS } from '../../app/importers.gen.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { WithCode } from '../../parts/markdown.tsx';
import { Empty, goToStep, NeedsRole, PageHead } from '../../parts/page.tsx';
import { Steps } from '../../parts/steps.tsx';
import { words } from '../../words/index.ts';
import { ChoiceStep } from './choice-step.tsx';
import { DoneStep, type Done } from './done-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { errorsByPlace, jobsOf, selectedOf } from './selection.ts';
import { SourceStep, type Source } from './source-step.tsx';

const { imports } = words;

/** Imports the monitors of another service, step by step: nothing changes before the last one. */
export default function ImportPage() {
  const [search] = useSearchParams();
  // Another service begins anew, such as after an import, or on the way back.
  const from = search.get('from');
  if (useSession().isAtLeast('editor')) return <Import key={from} from={from} />;
  return (
    <>
      <PageHead title={imports.title} />
      <Empty title={imports.notAllowed} text={<NeedsRole least="editor" />} />
    </>
  );
}

/** A plan, and the document that it is of. */
interface Planned {
  plan: ConfigurationPlan;
  document: Record<string, unknown>;
  /** Whether others changed something since it was first shown. */
  isRenewed: boolean;
}

function Import({ from }: { from: string | null }) {
  const [, setSearch] = useSearchParams();
  const service = IMPORTERS.find(({ name }) => name === from);
  const sets = useRead('listConfigurationSets');
  const [source, setSource] = useState<Source | null>(null);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, string[]>>(new Map());
  const [isKept, setKept] = useState(false);
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [done, setDone] = useState<Done | null>(null);

  const choose = (name: string | null) =>
    goToStep(() => setSearch(name === null ? {} : { from: name }));

  if (service === undefined)
    return (
      <div>
        <Steps names={imports.steps} step={0} />
        <Services onChoose={choose} />
      </div>
    );
  if (source === null)
    return (
      <div>
        <Steps names={imports.steps} step={1} />
        <SourceStep
          service={service}
          onBack={() => choose(null)}
          onRead={(read) =>
            goToStep(() => {
              setSource(read);
              setLeftOut(new Set());
              setRefused(new Map());
            })
          }
        />
      </div>
    );

  const name = String(source.document['name']);
  const isKnown = sets.data?.data.some((set) => set.name === name) ?? false;

  /** Throws an ApiError, after its messages about items are shown at them. */
  const plan = async (document: Record<string, unknown>) => {
    try {
      const made = await call('planConfiguration', { body: { document } });
      setRefused(new Map());
      return made;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { byPlace, others } = errorsByPlace(document, error.errors);
      setRefused(byPlace);
      if (byPlace.size === 0) throw error;
      const message = [imports.refused(byPlace.size), ...others].join(' ');
      throw new ApiError(error.status, { message });
    }
  };

  const apply = async ({ plan: shown, document }: Planned) => {
    const match = `"${shown.fingerprint}"`;
    // Read again: to release a set that was there before would undo what somebody else made.
    const before = await call('listConfigurationSets');
    const isOwned = isKept || before.data.some((set) => set.name === name);
    const applied = await call('applyConfiguration', { body: { document }, match }).catch(
      async (error: ApiError) => {
        if (error.status !== 412) throw error;
        setPlanned({ plan: await plan(document), document, isRenewed: true });
        return null;
      },
    );
    if (applied === null) return;
    const items = await call('listConfigurationItems');
    const own = items.data.filter(({ set }) => set === name);
    const setId = own[0]?.set_id;
    if (!isOwned && setId !== undefined)
      await call('deleteConfigurationSet', { path: { id: setId } });
    void queries.invalidateQueries();
    const ids = new Map(own.map((item) => [`${item.section} ${item.key}`, item.id]));
    goToStep(() =>
      setDone({
        things: applied.changes.map(({ section, key, name: text }) => ({
          section,
          name: text,
          id: ids.get(`${section} ${key}`) ?? null,
        })),
        jobs: jobsOf(document).map((job) => ({
          name: job.name,
          id: ids.get(`monitors ${job.key}`) ?? null,
        })),
        set: isOwned ? name : null,
      }),
    );
  };

  if (done !== null)
    return (
      <div>
        <Steps names={imports.steps} step={4} />
        <DoneStep service={service} done={done} />
      </div>
    );
  if (planned !== null)
    return (
      <div>
        <Steps names={imports.steps} step={3} />
        <PlanStep
          plan={planned.plan}
          isRenewed={planned.isRenewed}
          isKept={isKept || isKnown}
          onBack={() => goToStep(() => setPlanned(null))}
          onApply={() => apply(planned)}
        />
      </div>
    );
  return (
    <div>
      <Steps names={imports.steps} step={2} />
      <ChoiceStep
        service={service}
        source={source}
        leftOut={leftOut}
        refused={refused}
        set={{ name, isKnown, isKept, onKeep: setKept }}
        onChange={setLeftOut}
        onBack={() => goToStep(() => setSource(null))}
        onPlan={async () => {
          const { document } = selectedOf(source.document, leftOut);
          const made = await plan(document);
          goToStep(() => setPlanned({ plan: made, document, isRenewed: false }));
        }}
      />
    </div>
  );
}

/** First clause of a text. */
function beginning(text: string): string {
  const end = text.search(/[.;:] /);
  return end < 0 ? text : `${text.slice(0, end)}.`;
}

function Services({ onChoose }: { onChoose: (name: string) => void }) {
  return (
    <>
      <PageHead title={imports.title} text={imports.text} />
      <div className="type-cards">
        {IMPORTERS.map(({ name, title, takes }) => (
          <Button key={name} className="type-card" onClick={() => onChoose(name)}>
            <b className="b">{title}</b>
            <span className="xs dim">
              <WithCode text={beginning(imports.takes[name] ?? takes)} />
            </span>
          </Button>
        ))}
      </div>
    </>
  );
}
