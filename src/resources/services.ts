import { clientOf } from '../identity/rate-limits.ts';
import type { ChannelTools } from '../alerting/channels/index.ts';
import { render } from '../alerting/message/index.ts';
import type { Plans } from '../identity/plans.ts';
import { keyedHash } from '../lib/derived-key.ts';
import type { MonitorDefaults } from '../monitor-types/field.ts';
import type { ReportLinks } from '../report/links.ts';
import { createReportPrinter, type ReportPrinter } from '../report/pdf/printer.ts';
import type { Domains } from '../status-page/domains.ts';
import {
  createSubscriberLinks,
  createAddressHashes,
} from '../status-page/subscribers/addresses.ts';
import { createSubscriptionForms } from '../status-page/subscribers/forms.ts';
import { createSubscriptions } from '../status-page/subscribers/subscriptions.ts';
import { createLocalConfiguration } from './configuration/local.ts';
import { createChannelTest } from './channels/channel-test.ts';
import { createIdempotentRequests } from './common/idempotency.ts';
import { routesOf, type Noun } from './common/operation.ts';
import { snapshotOfChanges } from './common/precondition.ts';
import { createImportJobs } from './configuration/import.ts';
import { createMonitorRules } from './monitors/rules.ts';
import type { TargetRule } from './monitors/target-url.ts';
import { NOUNS } from './nouns.ts';
import { webhookUrlFault } from './webhooks/fields.ts';
import { createReportMailLinks } from './reports/mail-links.ts';
import { createImageJobs } from './status-pages/images.ts';

type Nouns = typeof NOUNS;
/** What the nouns need, all in one. */
type Needed = {
  [Name in keyof Nouns]: (deps: Parameters<Nouns[Name]['create']>[0]) => void;
}[keyof Nouns] extends (deps: infer All) => void
  ? All
  : never;

/** What is made here, as several nouns share it. */
type Shared =
  | 'monitorRules'
  | 'tools'
  | 'testChannel'
  | 'addressHashes'
  | 'subscriptions'
  | 'imageJobs'
  | 'importJobs'
  | 'reportPrinter';

export interface ServicesDeps extends Omit<Needed, Shared> {
  /** REGIONS and DEFAULT_CHECK_INTERVAL. */
  defaults: MonitorDefaults;
  targetRule: TargetRule;
  /** For test messages. */
  channelTools: ChannelTools;
  plans: Plans;
  /** Verifies custom domains of status pages. */
  domains: Pick<Domains, 'verify' | 'isVerified'>;
  /** Links in mails of reports. */
  reportLinks: ReportLinks;
  /** The list of SECRET_KEY. */
  keys: readonly string[];
  /** Draws PDF files; one of its own unless given. */
  reportPrinter?: ReportPrinter;
}

/** What serves the API: the routes of all nouns, and what other pages and links do. */
export type Services = ReturnType<typeof createServices>;

export function createServices(deps: ServicesDeps) {
  const parts = { ...deps, ...sharedParts(deps) };
  const hashClient = keyedHash(deps.keys[0]!, 'tocsin subscription clients v1');
  const clientKey = (address: string) => hashClient(clientOf(address));
  const nouns = Object.values(NOUNS) as unknown as Noun<Needed, unknown>[];
  const routes = nouns.flatMap((one) => routesOf(one, one.create(parts)));
  return {
    routes,
    configuration: createLocalConfiguration(deps, routes),
    subscriptionForms: createSubscriptionForms({
      ...parts,
      clientKey,
      mayReach: (url) => webhookUrlFault(url, deps) === null,
    }),
    reportMailLinks: createReportMailLinks(deps),
    isVerifiedDomain: (domain: string) => deps.domains.isVerified(domain),
    snapshotOfChanges: () => snapshotOfChanges(deps.database),
    idempotentRequests: createIdempotentRequests(deps),
  };
}

function sharedParts(deps: ServicesDeps): Pick<Needed, Shared> {
  const { channelTools: tools, reportPrinter = createReportPrinter() } = deps;
  const links = createSubscriberLinks(deps.keys);
  const addressHashes = createAddressHashes(deps.keys);
  return {
    monitorRules: createMonitorRules(deps),
    tools,
    testChannel: createChannelTest({ ...deps, tools, render }),
    addressHashes,
    subscriptions: createSubscriptions({ ...deps, links, hashes: addressHashes }),
    imageJobs: createImageJobs(),
    importJobs: createImportJobs(),
    reportPrinter,
  };
}
