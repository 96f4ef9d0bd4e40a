import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { ask, useRead, type ApiError } from '../../app/api.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { checkUrl, listRegions } from '../../client/sdk.gen.ts';
import type { UrlCheck } from '../../client/types.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { ClockTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { reachStanding, summaryOf, withScheme } from './reach.ts';

/** Is a URL down for everyone? Checks it once from each region; `?url=` checks at once. */
export default function CheckPage(): ReactNode {
  const { plan, isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('url') ?? '';
  const [url, setUrl] = useState(asked);
  const check = useMutation<UrlCheck, ApiError, string>({
    mutationFn: (target) => ask(checkUrl({ query: { url: target } })),
  });
  const { mutate } = check;
  useEffect(() => {
    if (asked !== '') mutate(asked);
  }, [asked, mutate]);
  const submit = () => {
    const target = withScheme(url);
    if (target === '') return;
    setUrl(target);
    if (target === asked) mutate(target);
    else navigate(`/check?url=${encodeURIComponent(target)}`, { replace: asked !== '' });
  };
  const isIncluded = plan === null || plan.features.check_url;
  return (
    <>
      <Head check={check.isPending ? undefined : check.data} isPending={check.isPending} />
      {isIncluded ? (
        <form
          className="chk-form"
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
            aria-invalid={check.error ? true : undefined}
            aria-describedby="check-error"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <Button type="submit" look="primary" isBusy={check.isPending}>
            {words.check.check}
          </Button>
        </form>
      ) : (
        <p className="notice">{words.check.needsPlan}</p>
      )}
      <p id="check-error" className="chk-error down" role="alert">
        {check.error && !check.isPending && messageOf(check.error)}
      </p>
      {check.isPending && <Asking />}
      {check.data && !check.isPending && (
        <>
          <Regions check={check.data} />
          <div className="row chk-next">
            <CopyButton
              text={location.origin + BASE + linkTo(check.data.url)}
              label={words.check.share}
            />
            {isAtLeast('editor') && (
              <ButtonLink
                icon="plus"
                href={`/monitors/new?type=http&url=${encodeURIComponent(check.data.url)}`}
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

function linkTo(url: string): string {
  return `/check?url=${encodeURIComponent(url)}`;
}

function messageOf(error: ApiError): string {
  return error.errors['url']?.[0] ?? error.message;
}

function Head({
  check,
  isPending,
}: {
  check: UrlCheck | undefined;
  isPending: boolean;
}): ReactNode {
  if (check === undefined) {
    return <PageHead title={words.check.title} text={isPending ? undefined : words.check.text} />;
  }
  const { standing, sentence } = summaryOf(check, words.check);
  return (
    <PageHead
      standing={standing}
      title={sentence}
      tabTitle={words.check.title}
      text={
        <>
          <span className="mono">{check.url}</span> · {words.check.at}{' '}
          <ClockTime time={check.checked_at} withSeconds />
          {check.total_regions > 1 && check.vantage_points === 1 && <p>{words.check.onePoint}</p>}
        </>
      }
    />
  );
}

/** Regions that are being asked: the answer comes for all of them at once. */
function Asking(): ReactNode {
  const regions = useRead(['regions'], () => listRegions());
  // Private regions are checked from only where they are named.
  const all = (regions.data?.data ?? []).filter(({ is_private }) => is_private !== true);
  return (
    <section className="card" role="status" aria-label={words.check.checking(all.length)}>
      <ul className="rows">
        {all.map(({ code, title }) => (
          <li key={code}>
            <StatusShape standing="pending" isDecoration />
            <span>{title}</span>
            <span className="t">{words.check.waiting}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Regions({ check }: { check: UrlCheck }): ReactNode {
  const rows = check.results.map((reach) => ({
    reach,
    times: { ...reach, total_ms: reach.response_time_ms },
  }));
  const scale = scaleOf(rows.map(({ times }) => times));
  return (
    <section className="card">
      <div className="chk-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.check.region}</th>
              <th scope="col">{words.check.answer}</th>
              <th scope="col" className="wide">
                <span className="row">
                  {words.check.phasesTitle} <PhaseLegend />
                </span>
              </th>
              <th scope="col" className="r">
                {words.check.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ reach, times }) => (
              <tr key={reach.region}>
                <td>
                  <span className="cell">
                    <StatusShape standing={reachStanding(reach.status)} />
                    {reach.name}
                  </span>
                </td>
                <td className={reach.error === null ? '' : 'down'}>
                  {reach.error ?? reach.status_code}
                </td>
                <td className="wide">
                  <PhaseBar times={times} scale={scale} />
                </td>
                <td className="r">
                  {reach.response_time_ms !== null && inMilliseconds(reach.response_time_ms)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
