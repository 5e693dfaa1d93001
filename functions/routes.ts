import type { ListedRoute, Route } from '../shared/http/rows/route.ts';
import * as account from './account/routes.ts';
import * as addresses from './addresses/routes.ts';
import * as backend from './backend/routes.ts';
import * as callbacks from './callbacks/routes.ts';
import * as components from './components/routes.ts';
import * as domains from './domains/routes.ts';
import * as environments from './environments/routes.ts';
import * as health from './health/routes.ts';
import * as inapp from './inapp/routes.ts';
import * as keys from './keys/routes.ts';
import * as logs from './logs/routes.ts';
import * as members from './members/routes.ts';
import * as organization from './organization/routes.ts';
import * as preferences from './preferences/routes.ts';
import * as profile from './profile/routes.ts';
import * as providers from './providers/routes.ts';
import * as pushSettings from './push-settings/routes.ts';
import * as sending from './sending/routes.ts';
import * as templates from './templates/routes.ts';
import * as topics from './topics/routes.ts';
import * as tracking from './tracking/routes.ts';
import * as translations from './translations/routes.ts';
import * as types from './types/routes.ts';
import * as unsubscribe from './unsubscribe/routes.ts';
import * as users from './users/routes.ts';
import * as waiting from './waiting/routes.ts';
import * as webhooks from './webhooks/routes.ts';

/** The modules with the rows of each resource, which is the folder of their handlers. */
const BY_RESOURCE: Record<string, object> = {
  sending,
  logs,
  users,
  waiting,
  topics,
  preferences,
  unsubscribe,
  tracking,
  inapp,
  types,
  templates,
  translations,
  components,
  keys,
  health,
  'push-settings': pushSettings,
  providers,
  environments,
  account,
  organization,
  domains,
  addresses,
  members,
  profile,
  backend,
  webhooks,
  callbacks,
};

const METHODS: readonly Route['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The route table: every endpoint, by resource and path. CDK, the local gateway and OpenAPI are generated from it. */
export const ROUTES: readonly ListedRoute[] = Object.entries(BY_RESOURCE).flatMap(([resource, exported]) =>
  Object.values(exported)
    .filter(isRoute)
    .sort(byPath)
    .map((row) => ({ resource, ...row })),
);

function byPath(left: Route, right: Route): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return METHODS.indexOf(left.method) - METHODS.indexOf(right.method);
}

/** A module exports shapes and grants too, for its handlers. */
function isRoute(exported: unknown): exported is Route {
  return Object(exported) === exported && 'grants' in Object(exported);
}
