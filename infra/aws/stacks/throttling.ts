import type { Route } from '../../../shared/http/route.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** Requests a second and at once of one route. */
type Throttle = { ThrottlingRateLimit: number; ThrottlingBurstLimit: number };

/** Administrators work by hand. */
const ADMIN: Throttle = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 };
/**
 * Pages and the like that anybody may ask for. Providers' callbacks, opens and clicks are as many as messages, and stay at
 * the default.
 */
const OPEN: Throttle = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };
const AS_MANY_AS_MESSAGES = /^\/(callbacks|track)\//;

/** Limits of the routes that have less than the stage's default, by route key. */
export function routeSettingsOf(routes: readonly Route[], parameters: Parameters): Record<string, Throttle> {
  const limited = routes.flatMap((row): [string, Throttle][] => {
    const limit = limitOf(row);
    return limit ? [[`${row.method} ${row.path}`, atMost(limit, parameters)]] : [];
  });
  return { ...Object.fromEntries(limited), $default: atMost(OPEN, parameters) };
}

function limitOf({ access, path }: Route): Throttle | undefined {
  if (access === 'none') return AS_MANY_AS_MESSAGES.test(path) ? undefined : OPEN;
  return access.admin ? ADMIN : undefined;
}

function atMost(limit: Throttle, { requestsPerSecond, requestBurst }: Parameters): Throttle {
  return {
    ThrottlingRateLimit: Math.min(limit.ThrottlingRateLimit, requestsPerSecond),
    ThrottlingBurstLimit: Math.min(limit.ThrottlingBurstLimit, requestBurst),
  };
}
