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

const WINDOW_MS = 10_000;

/** Returns the event of a batch, in the window around `nowMs`; no state is kept over its invocations. */
export function streamEventOf(
  source: { streamArn: string; shardId: string },
  records: readonly DynamoDBRecord[],
  nowMs: number,
): LocalStreamEvent {
  const startMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS;
  return {
    Records: [...records],
    shardId: source.shardId,
    state: {},
    window: { start: secondsIso(startMs), end: secondsIso(startMs + WINDOW_MS) },
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
    eventSourceARN: source.streamArn,
  };
}

/** Lambda writes windows without milliseconds. */
function secondsIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
