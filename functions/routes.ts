import type { ListedRoute, Route } from '../shared/http/rows/route.ts';
import { accountRoutes } from './account/routes.ts';
import { addressRoutes } from './addresses/routes.ts';
import { backendRoutes } from './backend/routes.ts';
import { callbackRoutes } from './callbacks/routes.ts';
import { componentRoutes } from './components/routes.ts';
import { domainRoutes } from './domains/routes.ts';
import { environmentRoutes } from './environments/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { inappRoutes } from './inapp/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { logRoutes } from './logs/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { organizationRoutes } from './organization/routes.ts';
import { preferenceRoutes } from './preferences/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { providerRoutes } from './providers/routes.ts';
import { pushSettingsRoutes } from './push-settings/routes.ts';
import { sendingRoutes } from './sending/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { topicRoutes } from './topics/routes.ts';
import { trackingRoutes } from './tracking/routes.ts';
import { translationRoutes } from './translations/routes.ts';
import { typeRoutes } from './types/routes.ts';
import { unsubscribeRoutes } from './unsubscribe/routes.ts';
import { userRoutes } from './users/routes.ts';
import { waitingRoutes } from './waiting/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The rows by resource, which is the folder of their handlers. */
const BY_RESOURCE: Record<string, readonly Route[]> = {
  sending: sendingRoutes,
  logs: logRoutes,
  users: userRoutes,
  waiting: waitingRoutes,
  topics: topicRoutes,
  preferences: preferenceRoutes,
  unsubscribe: unsubscribeRoutes,
  tracking: trackingRoutes,
  inapp: inappRoutes,
  types: typeRoutes,
  templates: templateRoutes,
  translations: translationRoutes,
  components: componentRoutes,
  keys: keyRoutes,
  health: healthRoutes,
  'push-settings': pushSettingsRoutes,
  providers: providerRoutes,
  environments: environmentRoutes,
  account: accountRoutes,
  organization: organizationRoutes,
  domains: domainRoutes,
  addresses: addressRoutes,
  members: memberRoutes,
  profile: profileRoutes,
  backend: backendRoutes,
  webhooks: webhookRoutes,
  callbacks: callbackRoutes,
};

/** The route table: every endpoint, by resource. CDK, the local gateway and OpenAPI are generated from it. */
export const ROUTES: readonly ListedRoute[] = Object.entries(BY_RESOURCE).flatMap(([resource, rows]) =>
  rows.map((row) => ({ resource, ...row })),
);
