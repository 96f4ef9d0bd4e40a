import { Link } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import {
  call,
  type ConfigurationItemList,
  type ConfigurationSet,
  type ExportedConfiguration,
} from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CopyButton, Copyable } from '../../parts/copy.tsx';
import { confirm, Dialog, openDialog } from '../../parts/dialog.tsx';
import { Entry } from '../../parts/entry.tsx';
import { Icon } from '../../parts/icon.tsx';
import { WithCode } from '../../parts/markdown.tsx';
import { Card, Empty, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { actorOf } from '../team/audit-entry.ts';
import { fileText } from './file-text.ts';
import { hrefOf, SECTION_NAMES } from './places.ts';

const { configuration } = words;

type SetItem = ConfigurationItemList['data'][number];

/** Configuration sets of the team, and what they own. */
export default function ConfigurationPage() {
  const { isAtLeast } = useSession();
  const sets = useRead('listConfigurationSets');
  const items = useRead('listConfigurationItems');
  if (!isLoaded(sets) || !isLoaded(items)) return <Loading reads={[sets, items]} lines={5} />;
  const all = sets.data.data;
  const itemsBySet = Map.groupBy(items.data.data, ({ set_id: id }) => id);
  return (
    <>
      <PageHead
        title={
          all.length === 0
            ? configuration.emptyTitle
            : configuration.count(all.length, items.data.total)
        }
        tabTitle={words.nav.configuration}
        text={configuration.headText}
        actions={
          <>
            {/* That of a single set has what no set owns, too. */}
            {isAtLeast('admin') && all.length !== 1 && <ExportButton />}
            {isAtLeast('editor') && (
              <ButtonLink icon="plus" href="/import">
                {words.terms.importFrom}
              </ButtonLink>
            )}
          </>
        }
      />
      <Card>
        {all.length === 0 ? (
          <Begin />
        ) : (
          <ul className="entry-list">
            {all.map((set) => (
              <SetRow key={set.id} set={set} items={itemsBySet.get(set.id) ?? []} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

/** First steps, for a team without sets. */
function Begin() {
  return (
    <>
      <Empty title={configuration.beginTitle} text={configuration.beginText} />
      <ol className="gap pad">
        {configuration.commands.map(([command, text]) => (
          <li key={command}>
            <p>{text}</p>
            <Copyable text={command!} label={text!} />
          </li>
        ))}
      </ol>
      <p className="pad dim">
        <WithCode text={configuration.elsewhere(`${location.origin}${BASE}`)} />{' '}
        <Link className="link" href="/account">
          {words.nav.account}
        </Link>
      </p>
    </>
  );
}

function SetRow({ set, items }: { set: ConfigurationSet; items: readonly SetItem[] }) {
  const { name, items_count: count, applied_at: appliedAt, applied_by: by } = set;
  const bySection = SECTION_NAMES.map(
    (section) => [section, items.filter((item) => item.section === section)] as const,
  ).filter(([, list]) => list.length > 0);
  const { isAtLeast } = useSession();
  const mayRelease = isAtLeast('editor');
  const release = () =>
    confirm({
      title: configuration.releaseTitle(name),
      text: configuration.releaseText(count),
      action: configuration.release,
      onConfirm: async () => {
        await call('deleteConfigurationSet', { path: { id: set.id } });
        await reread('configuration');
        showToast(configuration.released(name));
      },
    });
  return (
    <Entry
      shape={<Icon name="configuration" />}
      name={name}
      acts={
        mayRelease && (
          <>
            {isAtLeast('admin') && <ExportButton name={name} />}
            <Button aria-label={`${configuration.release}: ${name}`} onClick={release}>
              {configuration.release}
            </Button>
          </>
        )
      }
    >
      <p className="sub">
        {configuration.applied} <RelativeTime time={appliedAt} /> · {actorOf(by).name}
      </p>
      {bySection.length > 0 && (
        <details className="xs dim">
          <summary>
            {bySection.map(([section, list]) => words.items[section].count(list.length)).join(', ')}
          </summary>
          <dl className="gap pad">
            {bySection.map(([section, list]) => (
              <div key={section}>
                <dt>{words.items[section].count(list.length)}</dt>
                <dd className="row">
                  {list.map(({ key, id }) => (
                    <Link key={key} className="link mono" href={hrefOf(section, id)}>
                      {key}
                    </Link>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Entry>
  );
}

/** Downloads a file of a set and of what no set owns, and shows which secrets it refers to. */
function ExportButton({ name }: { name?: string }) {
  const { isBusy, run } = useAct(async () => {
    const answer = await call('exportConfiguration', name === undefined ? {} : { query: { name } });
    download(`${String(answer.document['name'])}.json`, fileText(answer.document));
    if (answer.secrets.length + answer.warnings.length === 0) return configuration.exported;
    showRemarks(answer);
  });
  return (
    <Button
      icon="download"
      isDisabled={isBusy}
      {...(name !== undefined && { 'aria-label': `${words.terms.export}: ${name}` })}
      onClick={() => void run()}
    >
      {words.terms.export}
    </Button>
  );
}

const showRemarks = ({ warnings, secrets }: ExportedConfiguration) =>
  openDialog((onClose) => (
    <Dialog title={configuration.exported} onClose={onClose}>
      {warnings.map((warning) => (
        <p key={warning} className="dim">
          {warning}
        </p>
      ))}
      {secrets.length > 0 && <Secrets secrets={secrets} />}
      <div className="acts">
        <Button look="primary" onClick={onClose}>
          {words.common.close}
        </Button>
      </div>
    </Dialog>
  ));

function Secrets({ secrets }: Pick<ExportedConfiguration, 'secrets'>) {
  const lines = secrets.map(({ env }) => `${env}=`).join('\n');
  return (
    <>
      <p className="dim">{configuration.secrets(secrets.length)}</p>
      <pre className="wrap">{lines}</pre>
      <div>
        <CopyButton text={lines} />
      </div>
    </>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Some browsers begin to read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
