import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

/** A stream event as Lambda builds it for an event source with a tumbling window, including the shard. */
export type LocalStreamEvent = DynamoDBStreamEvent & {
  shardId: string;
  state: Record<string, never>;
  window: { start: string; end: string };
  isFinalInvokeForWindow: boolean;
  isWindowTerminatedEarly: boolean;
  eventSourceARN: string;
};

/** Returns the event of a batch, in the window around `nowMs`; no state is kept over its invocations. */
export function streamEventOf(
  source: { streamArn: string; shardId: string; windowSeconds: number },
  records: readonly DynamoDBRecord[],
  nowMs: number,
): LocalStreamEvent {
  const windowMs = source.windowSeconds * 1000;
  const startMs = Math.floor(nowMs / windowMs) * windowMs;
  return {
    Records: [...records],
    shardId: source.shardId,
    state: {},
    window: { start: secondsIso(startMs), end: secondsIso(startMs + windowMs) },
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
    eventSourceARN: source.streamArn,
  };
}

/** Lambda writes windows without milliseconds. */
function secondsIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
