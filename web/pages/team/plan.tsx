import { useRead } from '../../app/api.ts';
import { count, duration } from '../../lib/format.ts';
import { Card, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { Facts } from '../../parts/sections.tsx';
import { SettingsTabs } from './settings.tsx';
import { words } from '../../words/index.ts';

/** Shortest interval without one of the plan, in minutes. */
const GENERAL_MINIMUM = 0.5;

const number = (value: number) => count(value);
const limit = (value: number | null) => (value === null ? words.plan.unlimited : number(value));
const yes = (isAllowed: boolean) => (isAllowed ? words.common.yes : words.common.no);

/** What the team may use, and uses. */
export default function PlanPage() {
  const read = useRead('getPlan');
  if (!isLoaded(read)) return <Loading reads={[read]} />;
  const { name, features, limits, usage } = read.data;
  const { plan } = words;
  return (
    <>
      <PageHead
        title={
          limits.max_monitors === null
            ? plan.uses(number(usage.monitors))
            : plan.usesOf(number(usage.monitors), number(limits.max_monitors))
        }
        tabTitle={words.nav.plan}
        text={plan.is(name)}
      />
      <SettingsTabs />
      <div className="narrow">
        <Card title={plan.limits}>
          <Facts
            rows={[
              [words.nav.monitors, limit(limits.max_monitors)],
              [plan.perHost, limit(limits.max_monitors_per_host)],
              [plan.interval, duration((limits.min_check_interval ?? GENERAL_MINIMUM) * 60_000)],
              [
                plan.types,
                features.monitor_types.map((type) => words.monitorForm.types[type].name).join(', '),
              ],
              [
                plan.checks,
                features.check_types.map((type) => plan.checkNames[type]).join(', ') ||
                  words.common.none,
              ],
              [plan.api, yes(features.api_access)],
              [words.nav.check, yes(features.check_url)],
            ]}
          />
        </Card>
      </div>
    </>
  );
}
