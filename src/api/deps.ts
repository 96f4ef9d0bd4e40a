import type { Registry } from 'prom-client';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { PingIngest } from '../engine/heartbeat/ingest.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import type { Oauth } from '../identity/oauth.ts';
import type { PasswordQueue } from '../identity/password.ts';
import type { Plans } from '../identity/plans.ts';
import type { ClientKeys, RateLimits } from '../identity/rate-limits.ts';
import type { SignIn } from '../identity/sign-in.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Services } from '../resources/services.ts';
import type { PageAccessRules } from '../status-page/access.ts';
import type { Pages } from '../status-page/pages.ts';
import type { AnsweredRequest } from './answered.ts';
import type { ProxyTrust } from './client-address.ts';
import type { ViewResult } from './status/route.ts';
import type { Readiness } from './system-server.ts';

/** What the HTTP server is built of; each group of routes takes the parts that it needs. */
export interface ApiDeps {
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** Sign-in routes are disabled without it. */
  signIn?: Pick<SignIn, 'handle' | 'isBusy'>;
  /** Applications can't be connected without it. */
  oauth?: Oauth;
  rateLimits: RateLimits;
  clientKeys: ClientKeys;
  plans: Plans;
  pings: Pick<PingIngest, 'take' | 'announce'>;
  /** Public pages are disabled without it. */
  statusPages?: PublicPages;
  clock: Pick<Clock, 'now' | 'after' | 'clear'>;
  /** Signs the confirmations of tools by the list of SECRET_KEY; the tool server is disabled without it. */
  toolServer?: { keys: readonly string[]; version: string };
  /** BASE_URL without a trailing slash; a function, since the port may be known only after listening. */
  baseUrl: () => string;
  readiness: () => Promise<Readiness>;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  metricsToken?: string | null;
  /** Writes the metrics of monitors in the text format of Prometheus, piece by piece. */
  monitorMetrics?: (filter: {
    /** Null for all teams. */
    teamId: number | null;
    tag: string | null;
  }) => AsyncGenerator<string, void, void>;
  log: Log;
  trustProxy?: ProxyTrust;
  /** Called for each answered request but pings. */
  onAnswered?: (answered: AnsweredRequest) => void;
  newRequestId?: () => string;
  /** Its pages say that it is missing without it. */
  dashboard?: { builds: Dashboard; version: string };
}

export interface PublicPages {
  pages: Pages;
  access: PageAccessRules;
  passwords: Pick<PasswordQueue, 'verify'>;
  /** Called for each request for a public document. */
  onView: (result: ViewResult) => void;
}
