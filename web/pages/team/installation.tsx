import type { ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { getInstallation } from '../../client/sdk.gen.ts';
import type { Installation } from '../../client/types.gen.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { count } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import { Health, Processes } from './installation-health.tsx';
import { Regions } from './installation-regions.tsx';

const GIB = 2 ** 30;

const yes = (isOn: boolean) => (isOn ? words.common.yes : words.common.no);
const list = (names: readonly string[]) => names.join(', ') || words.common.none;

/** Facts and settings of the installation, for its owner. */
export default function InstallationPage(): ReactNode {
  const { installation } = words;
  const read = useRead(['installation'], () => getInstallation());
  if (read.error?.status === 403)
    return <PageHead title={installation.title} text={installation.onlyOwner} />;
  if (read.data === undefined && read.error) {
    return (
      <>
        <PageHead title={installation.title} />
        <Failure error={read.error} retry={() => void read.refetch()} />
      </>
    );
  }
  if (read.data === undefined) return <Waiting lines={6} />;
  const facts = read.data;
  return (
    <>
      <PageHead
        title={installation.sentence(facts.version)}
        tabTitle={installation.title}
        crumbs={[{ text: words.nav.settings, href: '/settings' }, { text: installation.title }]}
        text={installation.intro}
      />
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

function Overview({ facts }: { facts: Installation }): ReactNode {
  const { installation } = words;
  return (
    <Card title={installation.facts}>
      <Facts
        rows={[
          [installation.address, facts.base_url],
          [installation.database, facts.database === 'sqlite' ? 'SQLite' : 'Postgres'],
          [
            installation.free,
            facts.free_bytes === null
              ? null
              : `${count(facts.free_bytes / GIB, words.time.locale)}\u202fGiB`,
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

function Settings({ settings }: { settings: Installation['settings'] }): ReactNode {
  const { installation } = words;
  return (
    <Card title={installation.settings}>
      <ScrollRegion label={installation.table}>
        <table className="stacked team-variables">
          <thead>
            <tr>
              <th scope="col">{installation.variable}</th>
              <th scope="col">{installation.value}</th>
              <th scope="col">{installation.meaning}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting.name}>
                <td>
                  <span className="mono">{setting.name}</span>
                </td>
                <td className="team-value">{valueOf(setting)}</td>
                <td className="dim">
                  <WithCode text={setting.meaning} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}

/** Text with code between backticks. */
function WithCode({ text }: { text: string }): ReactNode {
  return text.split('`').map((part, index) =>
    // The parts of a text are always the same ones, in one order.
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  );
}

/** Value in words: secrets are named, never shown. */
function valueOf({ value, is_default, is_secret, ...setting }: Installation['settings'][number]) {
  const { installation } = words;
  if (is_default)
    return (
      <span className="faint">
        <WithCode text={installation.isDefault(setting.default || words.common.none)} />
      </span>
    );
  return is_secret ? installation.secret : value;
}
