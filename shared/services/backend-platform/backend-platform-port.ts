import type { PlatformTokens } from '../../database/entities/accounts/backend-connections.ts';

export type PlatformProject = { projectRef: string; projectName: string; region?: string; status?: string };

export type PlatformSender = { senderName: string; senderEmail: string };

/**
 * Response to a call with an access token: `unauthorized` needs a refresh, `unknown_project` is the caller's
 * error.
 */
export type PlatformResponse<T> =
  | { ok: true; value: T }
  | { ok: false; problem: 'unauthorized' | 'unknown_project' };

/** The backend platform: live, or a sandbox. Calls throw PROVIDER_ERROR with its code. */
export type BackendPlatform = {
  /** Sender addresses must be on verified domains. */
  checksSender: boolean;
  /** Undefined if the code, the verifier or the redirect URI is rejected. */
  exchangeCode(grant: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
  }): Promise<PlatformTokens | undefined>;
  /** Undefined when the connection was ended on the platform. */
  refresh(refreshToken: string): Promise<PlatformTokens | undefined>;
  /** Ends the connection on the platform, if it responds. */
  revoke(refreshToken: string): Promise<void>;
  listProjects(accessToken: string): Promise<PlatformResponse<PlatformProject[]>>;
  /** Makes the project send its email through this deployment's SMTP relay. */
  configureSmtp(
    accessToken: string,
    projectRef: string,
    sender: PlatformSender,
  ): Promise<PlatformResponse<undefined>>;
};
