import { EXPORT_MS, type UserExport } from '../../../shared/database/entities/erasure/user-exports.ts';
import { userExportKey } from '../../../shared/database/keys/user.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { findSetting } from '../../../shared/runtime/config.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { writeExpiringToken } from '../../../shared/tokens/expiring-token.ts';
import type { Signer } from '../../../shared/tokens/signer.ts';

/** An export as returned, with the link once the file is ready. */
export async function exportResponse(signer: Signer, job: UserExport) {
  const { environmentId, userId, atMs, readyAtMs, parts } = job;
  const requestedAt = isoOf(atMs);
  if (readyAtMs === undefined) return { state: 'running' as const, requestedAt };
  const expiresAtMs = atMs + EXPORT_MS;
  const { pk } = userExportKey(environmentId, userId);
  // The link hides the IDs of user and account; a later export has another link.
  const named = { accountId: '', memberId: pk, subject: String(atMs) };
  const token = await writeExpiringToken(signer, 'user-export', named, expiresAtMs);
  return {
    state: 'ready' as const,
    requestedAt,
    readyAt: isoOf(readyAtMs),
    expiresAt: isoOf(expiresAtMs),
    sizeBytes: parts.reduce((sum, { size }) => sum + size, 0),
    url: `${findSetting('PUBLIC_BASE_URL') ?? ''}/exports/${token}`,
  };
}

export function exportNotFound(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'There is no such export, or it has expired.',
    fix: 'Start one with POST /users/{userId}/export.',
  });
}
