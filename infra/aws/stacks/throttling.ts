import { methodsOf, type Route } from '../../../shared/http/route.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Requests per second, and at one moment, of one route. */
type Throttle = { ThrottlingRateLimit: number; ThrottlingBurstLimit: number };

/** Administrators work manually. */
const ADMIN: Throttle = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 };
/** Pages and the like that anybody may request. */
const OPEN: Throttle = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };
/** Providers report each message in a few callbacks. Strangers may call too: they must not use up the account's functions. */
const CALLBACKS: Throttle = { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 500 };
/** Opens and clicks are as many as messages, and stay at the default. */
const AS_MANY_AS_MESSAGES = /^\/track\//;

/** Limits of the routes that have less than the stage's default, by route key. */
export function routeSettingsOf(routes: readonly Route[], parameters: Parameters): Record<string, Throttle> {
  const limited = routes.flatMap((row): [string, Throttle][] => {
    const limit = limitOf(row);
    return limit ? methodsOf(row).map((method) => [`${method} ${row.path}`, atMost(limit, parameters)]) : [];
  });
  return { ...Object.fromEntries(limited), $default: atMost(OPEN, parameters) };
}

function limitOf({ access, path, signedBy }: Route): Throttle | undefined {
  if (signedBy) return CALLBACKS;
  if (access === 'none') return AS_MANY_AS_MESSAGES.test(path) ? undefined : OPEN;
  return access.admin ? ADMIN : undefined;
}

function atMost(limit: Throttle, { requestsPerSecond, requestBurst }: Parameters): Throttle {
  return {
    ThrottlingRateLimit: Math.min(limit.ThrottlingRateLimit, requestsPerSecond),
    ThrottlingBurstLimit: Math.min(limit.ThrottlingBurstLimit, requestBurst),
  };
}
