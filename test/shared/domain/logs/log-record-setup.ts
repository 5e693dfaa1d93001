import type { LogEvent, LogHead } from '../../../../shared/domain/logs/log.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../../shared/schemas/logs/log-record.ts';
import type { Stage } from '../../../../shared/schemas/logs/stage.ts';

export const RECEIVED_MS = Date.parse('2026-11-21T08:30:00.000Z');

export function headWith(overrides: Partial<LogHead> = {}): LogHead {
  return {
    trackingId: 'tracking',
    accountId: 'account',
    environmentId: 'environment',
    userId: 'ada',
    notificationId: 'welcome',
    state: 'accepted',
    receivedAtMs: RECEIVED_MS,
    processedAtMs: RECEIVED_MS,
    routing: { EMAIL: { routing: 'SEND' } },
    messages: [],
    request: { type: 'welcome', to: { id: 'ada' } },
    ...overrides,
  };
}

export const eventOf = (
  channel: Channel,
  stage: Stage,
  afterMs: number,
  fields: LogFields = {},
): LogEvent => ({
  channel,
  stage,
  atMs: RECEIVED_MS + afterMs,
  fields,
});
