import type { PlatformTokens } from '../../database/entities/accounts/backend-connections.ts';
import { lazily } from '../../runtime/async/lazily.ts';
import { choiceSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import type { BackendPlatform } from './backend-platform-port.ts';

const SANDBOX_TOKENS: PlatformTokens = {
  accessToken: 'sandbox-access-token',
  refreshToken: 'sandbox-refresh-token',
  expiresInSeconds: 3600,
};

/** A platform where every code is valid and every project exists; it lists a single project. */
export const sandboxBackendPlatform: BackendPlatform = {
  checksSender: false,
  exchangeCode: async () => SANDBOX_TOKENS,
  refresh: async () => SANDBOX_TOKENS,
  revoke: async () => {},
  listProjects: async () => ({
    ok: true,
    value: [
      {
        projectRef: 'sandboxprojectaaaaaa',
        projectName: 'Sandbox project',
        region: 'eu-central-1',
        status: 'ACTIVE_HEALTHY',
      },
    ],
  }),
  configureSmtp: async () => ({ ok: true, value: undefined }),
};

export const backendPlatform: Dependency<BackendPlatform> = dependency('backendPlatform', () => {
  if (choiceSetting('BACKEND_PLATFORM') === 'sandbox') return sandboxBackendPlatform;
  const calls = lazily<Omit<BackendPlatform, 'checksSender'>>(
    async () => (await import('./live-backend-platform.ts')).createLiveBackendPlatform(),
    { exchangeCode: true, refresh: true, revoke: true, listProjects: true, configureSmtp: true },
  );
  return { checksSender: true, ...calls };
});
