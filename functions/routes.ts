import type { Route } from '../shared/http/rows/route.ts';
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

/** The route table: every endpoint, by resource. CDK, the local gateway and OpenAPI are generated from it. */
export const ROUTES: readonly Route[] = [
  ...sendingRoutes,
  ...logRoutes,
  ...userRoutes,
  ...waitingRoutes,
  ...topicRoutes,
  ...preferenceRoutes,
  ...unsubscribeRoutes,
  ...trackingRoutes,
  ...inappRoutes,
  ...typeRoutes,
  ...templateRoutes,
  ...translationRoutes,
  ...componentRoutes,
  ...keyRoutes,
  ...healthRoutes,
  ...pushSettingsRoutes,
  ...providerRoutes,
  ...environmentRoutes,
  ...accountRoutes,
  ...organizationRoutes,
  ...domainRoutes,
  ...addressRoutes,
  ...memberRoutes,
  ...profileRoutes,
  ...backendRoutes,
  ...webhookRoutes,
  ...callbackRoutes,
];
