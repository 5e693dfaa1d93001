import { ConfigError, findSetting } from '../../../shared/runtime/config.ts';

/**
 * Until when all due work is held back, epoch milliseconds. A table restored from a backup does not show what
 * was sent between the backup and the pause: for that time, only what an operator requests is sent. 0 without
 * a restore.
 */
export function heldBackUntilMs({ isRequested }: { isRequested: boolean }): number {
  const until = findSetting('RESTORED_UNTIL');
  if (until === undefined || isRequested) return 0;
  const untilMs = Date.parse(until);
  if (Number.isNaN(untilMs)) throw new ConfigError('RESTORED_UNTIL must be an ISO 8601 time');
  return untilMs;
}
