import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useAnswer } from '../../app/answer.ts';
import { call, type UrlCheck } from '../../app/client.ts';
import { BASE } from '../../app/place.ts';
import { useOverview } from '../../app/overview.ts';
import { usePlaces, useRegions } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { absolute } from '../../lib/format.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { Facts } from '../../parts/sections.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { RegionMap } from '../../parts/region-map.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { ScrollRegion } from '../../parts/table.tsx';
import { ClockTime, RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { rowsOf, sortRows } from '../monitors/rows.ts';
import { checkedBefore, MAX_SUGGESTED, remember } from './before.ts';
import { reachOf, summaryOf, withScheme, type PlaceReach } from './reach.ts';

const checkUrl = (url: string) => call('checkUrl', { query: { url, details: 'true' } });

/** Is a URL down for everyone? Checks it once from each region and shows what each place saw; `?url=` checks at once. */
export default function CheckPage() {
  const { plan, isAtLeast } = useSession();
  const places = usePlaces();
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('url') ?? '';
  const [url, setUrl] = useState(asked);
  const { data: answer, isPending, error, send } = useAnswer(checkUrl);
  useEffect(() => {
    if (asked !== '') void send(asked);
  }, [asked, send]);
  useEffect(() => {
    if (answer !== undefined) remember(answer);
  }, [answer]);
  const submit = () => {
    const target = withScheme(url);
    if (target === '') return;
    setUrl(target);
    if (target === asked) void send(target);
    else navigate(`/check?url=${encodeURIComponent(target)}`, { replace: asked !== '' });
  };
  const isIncluded = plan === null || plan.features.check_url;
  const seen =
    answer && reachOf(answer.results, places.of(answer.results.map(({ region }) => region)));
  return (
    <>
      {answer && seen ? (
        <Head check={answer} seen={seen} />
      ) : (
        <PageHead title={words.nav.check} text={isPending ? undefined : words.check.text} />
      )}
      {isIncluded ? (
        <form
          className="beside chk-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <label className="vh" htmlFor="check-url">
            {words.check.url}
          </label>
          <input
            id="check-url"
            className="control"
            type="url"
            placeholder="https://example.com"
            autoComplete="url"
            spellCheck={false}
            aria-invalid={error ? true : undefined}
            aria-describedby="check-error"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <Button type="submit" look="primary" isDisabled={isPending}>
            {words.terms.check}
          </Button>
        </form>
      ) : (
        <p className="notice">{words.check.needsPlan}</p>
      )}
      <p id="check-error" className="chk-error down" role="alert">
        {error && (error.errors['url']?.[0] ?? error.message)}
      </p>
      {isPending && <Asking />}
      {!isPending && !answer && isIncluded && <Suggestions />}
      {answer && seen && (
        <>
          <Seen places={seen} />
          <Details places={seen} />
          <div className="row above">
            <CopyButton
              text={location.origin + BASE + linkTo(answer.url)}
              label={words.check.share}
            />
            {isAtLeast('editor') && (
              <ButtonLink
                icon="plus"
                href={`/monitors/new?type=http&url=${encodeURIComponent(answer.url)}`}
              >
                {words.check.watch}
              </ButtonLink>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** What a place got, beyond the time: where it was led to, the certificate, the headers. */
function Details({ places }: { places: readonly PlaceReach[] }) {
  const { zone } = useSession();
  const [chosen, setChosen] = useState('');
  const got = places.filter(({ typical }) => typical.details?.headers != null);
  const shown = got.find(({ name }) => name === chosen) ?? got[0];
  if (shown?.typical.details === undefined) return null;
  const { remote_address, redirects, headers, certificate } = shown.typical.details;
  const until = certificate?.valid_to ?? null;
  return (
    <Card
      className="above chk-details"
      title={words.check.details(shown.name)}
      aside={
        got.length > 1 && (
          <Segmented
            label={words.terms.place}
            value={shown.name}
            choices={got.map(({ name }) => ({ value: name, text: name }))}
            onChange={setChosen}
          />
        )
      }
    >
      <Facts
        rows={[
          [words.labels.address, remote_address],
          [words.terms.redirects, redirects.length === 0 ? null : redirects.join(' → ')],
          [
            words.terms.certificate,
            certificate &&
              [
                certificate.subject,
                certificate.issuer !== null &&
                  until !== null &&
                  words.check.issuedBy(certificate.issuer, absolute(Date.parse(until), zone)),
              ]
                .filter(Boolean)
                .join(', '),
          ],
        ]}
      />
      <ScrollRegion label={words.check.headers}>
        <pre className="wrap">
          {Object.entries(headers ?? {})
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      </ScrollRegion>
    </Card>
  );
}

/** What to check: what was checked before in this browser, else monitors of the team, those that are down first. */
function Suggestions() {
  const overview = useOverview();
  const before = checkedBefore();
  const monitors = useMemo(
    () =>
      sortRows(rowsOf(overview.data ?? { monitors: [] }), 'worst')
        .filter(({ monitor }) => monitor.type === 'http' && monitor.target !== undefined)
        .slice(0, MAX_SUGGESTED),
    [overview.data],
  );
  const rows =
    before.length > 0
      ? before.map(({ url, displayStatus, at }) => ({
          url,
          displayStatus,
          aside: <RelativeTime time={at} />,
        }))
      : monitors.map(({ monitor, displayStatus }) => ({
          url: withScheme(monitor.target!),
          displayStatus,
          aside: monitor.name,
        }));
  if (rows.length === 0) return null;
  return (
    <Card title={before.length > 0 ? words.check.before : words.check.monitors}>
      <ul className="rows">
        {rows.map(({ url, displayStatus, aside }) => (
          <li key={url}>
            <StatusShape displayStatus={displayStatus} />
            <Link className="mono clip" href={linkTo(url)}>
              {url}
            </Link>
            <span className="t">{aside}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function linkTo(url: string): string {
  return `/check?url=${encodeURIComponent(url)}`;
}

function Head({ check, seen }: { check: UrlCheck; seen: readonly PlaceReach[] }) {
  const { displayStatus, sentence } = summaryOf(check, seen, words.check);
  return (
    <PageHead
      displayStatus={displayStatus}
      title={sentence}
      tabTitle={words.nav.check}
      text={
        <>
          <span className="mono">{check.url}</span> · {words.terms.checkedAt}{' '}
          <ClockTime time={check.checked_at} withSeconds />
          {check.total_regions > 1 && seen.length === 1 && <p>{words.check.onePoint}</p>}
        </>
      }
    />
  );
}

/** Places that check: the answer comes for all of them at once. */
function Asking() {
  const regions = useRegions().data?.data ?? [];
  // Private regions are checked from only where they are named.
  const all = regions.filter(({ is_private }) => is_private !== true).map(({ code }) => code);
  const places = usePlaces().of(all);
  return (
    <section className="card" role="status" aria-label={words.check.checking(places.length)}>
      <ul className="rows">
        {places.map(({ name }) => (
          <li key={name}>
            <StatusShape displayStatus="pending" isDecoration />
            <span>{name}</span>
            <span className="t">{words.terms.checking}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Seen({ places }: { places: readonly PlaceReach[] }) {
  const rows = places.map((place) => ({
    ...place,
    times: { ...place.typical, total_ms: place.typical.response_time_ms },
  }));
  const scale = scaleOf(rows.map(({ times }) => times));
  return (
    <section className="card">
      <RegionMap
        places={rows.map(({ times: { total_ms: total }, ...place }) => ({
          ...place,
          ms: total === null ? null : inMilliseconds(total),
        }))}
      />
      <div className="chk-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.terms.place}</th>
              <th scope="col">{words.terms.answer}</th>
              <th scope="col" className="wide">
                <span className="row">
                  {words.labels.phases} <PhaseLegend />
                </span>
              </th>
              <th scope="col" className="r">
                {words.terms.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, displayStatus, checks, answers, times }) => (
              <tr key={name}>
                <td>
                  <span className="line">
                    <StatusShape displayStatus={displayStatus} />
                    {name}
                  </span>
                  {checks > 1 && <div className="xs faint">{words.check.checks(checks)}</div>}
                </td>
                <td>
                  {answers.map((answer) => (
                    <div key={answer.text} className={answer.isError ? 'down' : ''}>
                      {answers.length > 1 && `${words.check.checks(answer.checks)}: `}
                      {answer.text}
                    </div>
                  ))}
                </td>
                <td className="wide">
                  <PhaseBar times={times} scale={scale} />
                </td>
                <td className="r">{times.total_ms !== null && inMilliseconds(times.total_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
