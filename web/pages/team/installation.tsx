import { useMemo, useState } from 'react';
import { useRead } from '../../app/api.ts';
import { type Installation } from '../../app/client.ts';
import { count, duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { WithCode } from '../../parts/markdown.tsx';
import { Card, Failure, PageHead, Waiting } from '../../parts/page.tsx';
import { Facts } from '../../parts/sections.tsx';
import { ScrollRegion, Table } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { SettingsTabs } from './settings.tsx';
import { problemText } from './problem-text.ts';

const { installation } = words;

const GIB = 2 ** 30;

const yes = (isOn: boolean) => (isOn ? words.common.yes : words.common.no);
const list = (names: readonly string[]) => names.join(', ') || words.common.none;

/** Facts and settings of the installation, for its owner. */
export default function InstallationPage() {
  const read = useRead('getInstallation');
  if (read.error?.status === 403)
    return <PageHead title={words.nav.installation} text={installation.onlyOwner} />;
  if (read.data === undefined && read.error) {
    return (
      <>
        <PageHead title={words.nav.installation} />
        <Failure error={read.error} retry={() => void read.refetch()} />
      </>
    );
  }
  if (read.data === undefined) return <Waiting lines={6} />;
  const facts = read.data;
  return (
    <>
      <PageHead
        title={`Tocsin ${facts.version}`}
        tabTitle={words.nav.installation}
        text={installation.intro}
      />
      <SettingsTabs />
      <div className="stack">
        <Health facts={facts} />
        <Overview facts={facts} />
        <Processes processes={facts.processes} />
        <Regions regions={facts.regions} />
        <Settings settings={facts.settings} />
      </div>
    </>
  );
}

function Overview({ facts }: { facts: Installation }) {
  return (
    <Card title={installation.facts}>
      <Facts
        rows={[
          [words.labels.address, facts.base_url],
          [installation.database, facts.database === 'sqlite' ? 'SQLite' : 'Postgres'],
          [
            installation.free,
            facts.free_bytes === null ? null : `${count(facts.free_bytes / GIB)}\u202fGiB`,
          ],
          [installation.mail, yes(facts.mail_configured)],
          [installation.signUp, yes(facts.open_signup)],
          [installation.providers, list(facts.sign_in_providers)],
          [installation.plans, list(facts.plans)],
        ]}
      />
    </Card>
  );
}

/** Titles of the groups of variables by their names: each begins with a variable that has words. */
function groupsOf(settings: Installation['settings']): ReadonlyMap<string, string> {
  const titles = new Map<string, string>(Object.entries(words.installation.groups));
  let title = '';
  return new Map(settings.map(({ name }) => [name, (title = titles.get(name) ?? title)]));
}

/** Variables of the environment: those that are set, and all others when they are searched for or asked for. */
function Settings({ settings }: { settings: Installation['settings'] }) {
  const [typed, setTyped] = useState('');
  const [isAll, setAll] = useState(false);
  const groups = useMemo(() => groupsOf(settings), [settings]);
  const wanted = typed.trim().toLowerCase();
  const shown = settings.filter(({ name, meaning, is_default }) =>
    wanted === '' ? isAll || !is_default : `${name} ${meaning}`.toLowerCase().includes(wanted),
  );
  return (
    <Card
      title={words.nav.settings}
      aside={
        <Button onClick={() => setAll(!isAll)} aria-pressed={isAll}>
          {words.terms.showAll(settings.length)}
        </Button>
      }
    >
      <div className="pad">
        <label className="field">
          <Icon name="search" />
          <input
            type="search"
            data-search
            value={typed}
            placeholder={installation.searchHint}
            aria-label={installation.searchHint}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
      </div>
      {shown.length === 0 && <p className="inset sm dim">{installation.noneFound}</p>}
      <ScrollRegion label={installation.table}>
        <Table
          className="stacked team-variables"
          rows={shown}
          keyOf={({ name }) => name}
          groupOf={({ name }) => groups.get(name)!}
          columns={[
            {
              name: installation.variable,
              render: ({ name }) => <span className="mono">{name}</span>,
            },
            { name: words.labels.value, render: valueOf, className: 'team-value', kind: 'bare' },
            {
              name: installation.meaning,
              render: ({ meaning }) => (
                <span className="dim">
                  <WithCode text={meaning} />
                </span>
              ),
              kind: 'bare',
            },
          ]}
        />
      </ScrollRegion>
    </Card>
  );
}

/** Value in words: secrets are named, never shown. */
function valueOf({ value, is_default, is_secret, ...setting }: Installation['settings'][number]) {
  if (is_default)
    return (
      <span className="faint">
        <WithCode text={installation.isDefault(setting.default || words.common.none)} />
      </span>
    );
  return is_secret ? installation.secret : value;
}

/** Problems of the installation itself, and when it was evaluated last. */
function Health({ facts }: { facts: Installation }) {
  const { problems, evaluated_at: evaluatedAt } = facts;
  return (
    <Card
      title={problems.length === 0 && evaluatedAt !== null ? installation.ok : installation.health}
    >
      <Facts
        rows={[
          ...problems.map(
            (problem) =>
              [
                problemText(problem, installation.problems, words.time),
                <span key={`${problem.kind}/${problem.subject}`}>
                  {words.labels.since} <RelativeTime time={problem.since} />
                </span>,
              ] as const,
          ),
          [
            installation.evaluated,
            evaluatedAt === null ? (
              installation.never
            ) : (
              <RelativeTime key="evaluated" time={evaluatedAt} />
            ),
          ],
        ]}
      />
    </Card>
  );
}

const ms = (value: number) => `${count(value)}\u202fms`;

/** Processes of the installation, with how late each of them is. */
function Processes({ processes }: { processes: Installation['processes'] }) {
  const { columns } = installation;
  return (
    <Card title={installation.processes}>
      <ScrollRegion label={installation.processTable}>
        <Table
          rows={processes}
          keyOf={({ name, started_at }) => `${name} ${started_at}`}
          columns={[
            { name: columns.process, render: ({ name }) => <span className="mono">{name}</span> },
            { name: columns.roles, render: ({ roles }) => roles.join(', ') },
            { name: columns.version, render: ({ version }) => version },
            {
              name: words.labels.seen,
              render: ({ last_seen_at }) => <RelativeTime time={last_seen_at} />,
            },
            {
              name: columns.lag,
              render: ({ schedule_lag_ms: lag }) => (lag === null ? '–' : duration(lag)),
            },
            {
              name: columns.late,
              render: ({ checks_late: late, checks_due }) =>
                late === null ? '–' : words.terms.of(late, checks_due ?? 0),
            },
            {
              name: columns.clock,
              render: ({ clock_offset_ms: off }) => (off === null ? '–' : ms(off)),
            },
          ]}
        />
      </ScrollRegion>
    </Card>
  );
}

type Region = Installation['regions'][number];
type Probe = Region['probes'][number];

/** The regions of the installation with the probes of each, and how busy they are. */
function Regions({ regions }: { regions: readonly Region[] }) {
  return (
    <Card title={words.labels.regions}>
      <ScrollRegion label={installation.regionTable}>
        <Table
          // Several probes of a region may share place and release.
          rows={regions.flatMap((region) =>
            [
              ...region.probes.entries(),
              ...(region.probes.length === 0 ? [[0, null] as const] : []),
            ].map(([index, probe]) => ({ region, probe, key: `${region.code} ${index}` })),
          )}
          keyOf={({ key }) => key}
          columns={[
            { name: words.labels.region, render: ({ region }) => nameOf(region) },
            {
              name: words.terms.place,
              render: ({ region, probe }) => (probe ?? region).vantage ?? '–',
            },
            { name: installation.release, render: ({ probe }) => probe?.version ?? '–' },
            { name: installation.load, render: ({ probe }) => <Load probe={probe} /> },
            {
              name: installation.lastSeen,
              render: ({ region, probe }) => {
                const time = (probe ?? region).last_seen_at;
                return time === null ? installation.neverSeen : <RelativeTime time={time} />;
              },
            },
          ]}
        />
      </ScrollRegion>
    </Card>
  );
}

/** Title of a region, with its team where it is a private one. */
function nameOf({ title, team_id: team }: Region): string {
  return team === undefined ? title : words.installation.regionOfTeam(title, team);
}

function Load({ probe }: { probe: Probe | null }) {
  if (probe === null) return installation.takesNone;
  return (
    <>
      {probe.takes_checks
        ? installation.loadOf(count(probe.checks_running), count(probe.slots))
        : installation.takesNone}
      {probe.checks_waiting > 0 && (
        <span className="dim"> {installation.waiting(count(probe.checks_waiting))}</span>
      )}
    </>
  );
}
