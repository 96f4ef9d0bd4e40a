import { Link } from 'wouter';
import { BASE } from '../../app/place.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { hrefOf, SECTION_NAMES } from './places.ts';
import type { Service } from './source-step.tsx';

interface Thing {
  name: string;
  id: number | null;
}

/** Result of an import. */
export interface Done {
  things: readonly (Thing & { section: string })[];
  /** Jobs that reported to addresses of the source. */
  jobs: readonly Thing[];
  /** Set that keeps it; null for none. */
  set: string | null;
}

/** What was imported, where it is, and what is left to do. */
export function DoneStep({ service, done }: { service: Service; done: Done }) {
  const { imports } = words;
  const { things, jobs, set } = done;
  const bySection = Map.groupBy(things, ({ section }) => section);
  return (
    <>
      <PageHead
        title={imports.doneTitle(things.length, service.title)}
        text={set === null ? imports.doneText : imports.doneKept(set)}
        actions={
          <ButtonLink look="primary" href="/monitors">
            {words.nav.monitors}
          </ButtonLink>
        }
      />
      <div className="stack">
        {jobs.length > 0 && (
          <Card title={imports.jobsTitle(jobs.length)}>
            <div className="inset sm gap start">
              <p>{imports.jobsText(`${location.origin}${BASE}`, service.title)}</p>
              <p className="dim">{imports.jobsDns}</p>
              <Things section="monitors" things={jobs} />
            </div>
          </Card>
        )}
        <Card title={imports.doneList}>
          <dl className="inset sm gap start">
            {SECTION_NAMES.map((section) => {
              const found = bySection.get(section);
              return (
                found && (
                  <div key={section}>
                    <dt className="b">{words.items[section].count(found.length)}</dt>
                    <dd>
                      <Things section={section} things={found} />
                    </dd>
                  </div>
                )
              );
            })}
          </dl>
        </Card>
      </div>
    </>
  );
}

function Things({ section, things }: { section: string; things: readonly Thing[] }) {
  return (
    <ul className="row">
      {things.map(({ name, id }, index) => (
        <li key={id ?? index}>
          <Link className="link" href={hrefOf(section, id)}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
