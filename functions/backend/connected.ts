import type {
  BackendConnection,
  BackendConnections,
} from '../../shared/database/entities/accounts/backend-connections.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type {
  BackendPlatform,
  PlatformResponse,
} from '../../shared/services/backend-platform/backend-platform-port.ts';

/** Access tokens that expire within this time are refreshed before they are used. */
const EXPIRY_MARGIN_MS = 60_000;
/** Longer than a call to the platform can take. */
const WAITS_MAX = 60;
const WAIT_MS = 200;

type Connected = {
  backendConnections: BackendConnections;
  backendPlatform: BackendPlatform;
  accountId: string;
  nowMs: number;
};

/**
 * Returns the result of `call` with the account's access token, which is refreshed at most once. Throws
 * NOT_CONNECTED without a connection or if the platform has ended it, RESOURCE_NOT_FOUND for an unknown
 * project.
 */
export async function callConnected<T>(
  connected: Connected,
  call: (accessToken: string) => Promise<PlatformResponse<T>>,
): Promise<T> {
  const { backendConnections, accountId, nowMs } = connected;
  const found = await backendConnections.find(accountId);
  if (!found) throw notConnected();
  const isStale = found.expiresAtMs - EXPIRY_MARGIN_MS <= nowMs;
  const accessToken = isStale ? await refresh(connected, found) : found.accessToken;
  let response = await call(accessToken);
  if (!response.ok && response.problem === 'unauthorized' && !isStale) {
    response = await call(await refresh(connected, found));
  }
  if (response.ok) return response.value;
  if (response.problem === 'unauthorized') throw notConnected();
  throw new AppError('RESOURCE_NOT_FOUND', {
    message: 'The project does not exist on the platform, or the connection may not change it.',
    fix: 'GET /account/backend/projects lists the projects; connect again as an owner of the project.',
  });
}

/**
 * Returns a new access token. Refresh tokens are single-use, so one caller at a time refreshes, under a
 * lease; the others wait for the stored result.
 */
async function refresh(connected: Connected, stale: BackendConnection): Promise<string> {
  const { backendConnections, accountId, nowMs } = connected;
  for (let attempt = 0; attempt < WAITS_MAX; attempt += 1) {
    const current = await backendConnections.find(accountId);
    if (!current) throw notConnected();
    if (current.revision !== stale.revision) return current.accessToken;
    if (await backendConnections.leaseRefresh(accountId, current, nowMs)) {
      return refreshUnderLease(connected, current);
    }
    await new Promise((resume) => setTimeout(resume, WAIT_MS));
  }
  throw new AppError('PROVIDER_ERROR', {
    message: 'Another refresh of the connection is waiting for the backend platform.',
    fix: 'Try again in a few seconds.',
    provider: 'backend-platform',
    providerCode: 'TIMEOUT',
  });
}

async function refreshUnderLease(connected: Connected, held: BackendConnection): Promise<string> {
  const { backendConnections, backendPlatform, accountId, nowMs } = connected;
  try {
    const tokens = await backendPlatform.refresh(held.refreshToken);
    if (!tokens) throw notConnected();
    await backendConnections.refreshed(accountId, held, tokens, nowMs);
    return tokens.accessToken;
  } finally {
    await backendConnections.releaseRefresh(accountId);
  }
}

function notConnected(): AppError {
  return new AppError('NOT_CONNECTED', {
    message:
      'The account is not connected to the backend platform, or the platform has ended the connection.',
    fix: 'Connect with POST /account/backend/oauth.',
  });
}
