import { choiceSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';

/** Tokens of a connection; `expiresInSeconds` is of the access token. */
export type PlatformTokens = { accessToken: string; refreshToken: string; expiresInSeconds: number };

/** A project of the platform. */
export type PlatformProject = { projectRef: string; projectName: string; region?: string; status?: string };

/** Who a project's mail is from. */
export type PlatformSender = { senderName: string; senderEmail: string };

/** Answer of a call with an access token: `unauthorized` asks for a refresh, `unknown_project` is the caller's error. */
export type PlatformAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; problem: 'unauthorized' | 'unknown_project' };

/** The backend platform: live, or a sandbox. Calls throw PROVIDER_ERROR with its code. */
export type BackendPlatform = {
  /** Sender addresses must lie on verified domains. */
  checksSender: boolean;
  /** Undefined when the code, the verifier or the redirect URI is refused. */
  exchangeCode(grant: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
  }): Promise<PlatformTokens | undefined>;
  /** Undefined when the connection was ended on the platform. */
  refresh(refreshToken: string): Promise<PlatformTokens | undefined>;
  /** Ends the connection on the platform, as far as it answers. */
  revoke(refreshToken: string): Promise<void>;
  listProjects(accessToken: string): Promise<PlatformAnswer<PlatformProject[]>>;
  /** Makes the project send its mail through this deployment's SMTP relay. */
  configureSmtp(
    accessToken: string,
    projectRef: string,
    sender: PlatformSender,
  ): Promise<PlatformAnswer<undefined>>;
};

const SANDBOX_TOKENS: PlatformTokens = {
  accessToken: 'sandbox-access-token',
  refreshToken: 'sandbox-refresh-token',
  expiresInSeconds: 3600,
};

/** A platform on which every code is good and every project exists; it lists one. */
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

/** The deployment's backend platform: `BACKEND_PLATFORM` live or sandbox. */
export const backendPlatform: Dependency<BackendPlatform> = dependency('backendPlatform', () => {
  if (choiceSetting('BACKEND_PLATFORM', ['live', 'sandbox'], 'live') === 'sandbox')
    return sandboxBackendPlatform;
  const loaded = import('./live-backend-platform.ts').then((module) => module.createLiveBackendPlatform());
  return {
    checksSender: true,
    exchangeCode: async (grant) => (await loaded).exchangeCode(grant),
    refresh: async (refreshToken) => (await loaded).refresh(refreshToken),
    revoke: async (refreshToken) => (await loaded).revoke(refreshToken),
    listProjects: async (accessToken) => (await loaded).listProjects(accessToken),
    configureSmtp: async (accessToken, projectRef, sender) =>
      (await loaded).configureSmtp(accessToken, projectRef, sender),
  };
});
