import type { ReactNode } from 'react';
import type { Installation } from '../../client/types.gen.ts';
import { count } from '../../lib/format.ts';
import { Card } from '../../parts/card.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

type Region = Installation['regions'][number];
type Probe = Region['probes'][number];

/** The regions of the installation with the probes of each, and how busy they are. */
export function Regions({ regions }: { regions: readonly Region[] }): ReactNode {
  const { installation } = words;
  return (
    <Card title={installation.regions}>
      <ScrollRegion label={installation.regionTable}>
        <table className="stacked">
          <thead>
            <tr>
              <th scope="col">{installation.region}</th>
              <th scope="col">{installation.place}</th>
              <th scope="col">{installation.release}</th>
              <th scope="col">{installation.load}</th>
              <th scope="col">{installation.lastSeen}</th>
            </tr>
          </thead>
          <tbody>
            {regions.flatMap((region) =>
              region.probes.length === 0
                ? [<WithoutProbe key={region.code} region={region} />]
                : region.probes.map((probe, index) => (
                    // Several probes of a region may share place and release.
                    <Row key={`${region.code} ${index}`} region={region} probe={probe} />
                  )),
            )}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}

/** Title of a region, with its team where it is a private one. */
function nameOf({ title, team_id: team }: Region): string {
  return team === undefined ? title : words.installation.regionOfTeam(title, team);
}

function Row({ region, probe }: { region: Region; probe: Probe }): ReactNode {
  const { installation, time } = words;
  const number = (value: number) => count(value, time.locale);
  return (
    <tr>
      <td>{nameOf(region)}</td>
      <td data-label={installation.place}>{probe.vantage}</td>
      <td data-label={installation.release}>{probe.version}</td>
      <td data-label={installation.load}>
        {probe.takes_checks
          ? installation.loadOf(number(probe.checks_running), number(probe.slots))
          : installation.takesNone}
        {probe.checks_waiting > 0 && (
          <span className="dim"> {installation.waiting(number(probe.checks_waiting))}</span>
        )}
      </td>
      <td data-label={installation.lastSeen}>
        <RelativeTime time={probe.last_seen_at} />
      </td>
    </tr>
  );
}

function WithoutProbe({ region }: { region: Region }): ReactNode {
  const { installation } = words;
  return (
    <tr>
      <td>{nameOf(region)}</td>
      <td data-label={installation.place}>{region.vantage ?? '–'}</td>
      <td data-label={installation.release}>–</td>
      <td data-label={installation.load}>{installation.takesNone}</td>
      <td data-label={installation.lastSeen}>
        {region.last_seen_at === null ? (
          installation.neverSeen
        ) : (
          <RelativeTime time={region.last_seen_at} />
        )}
      </td>
    </tr>
  );
}
