import { parseAllowedHosts } from '../../http-client/address-guard.ts';
import { createGuardedClient } from '../../http-client/guarded-client.ts';
import { createProviderClient } from '../../http-client/provider-client.ts';
import { numberSetting, setting } from '../../runtime/config.ts';
import { dependency } from '../../runtime/dependency.ts';

/**
 * The one client for customers' URLs; `EGRESS_ALLOW_HOSTS` lists what it allows in addition to public
 * addresses.
 */
export const guardedClient = dependency('guardedClient', () =>
  createGuardedClient({ allowedHosts: parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS')) }),
);

/** The client for providers that the operator configured. */
export const providerClient = dependency('providerClient', () =>
  createProviderClient({ timeoutMs: numberSetting('PROVIDER_TIMEOUT_MS') }),
);
