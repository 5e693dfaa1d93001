import type { SendingRules } from '../../shared/database/entities/sending-rules.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { newTrackingId } from '../../shared/runtime/ids.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import type { Routing, RoutingReason } from '../../shared/schemas/log-record.ts';
import { type Evaluation, type Known, refusedBy } from './evaluate.ts';
import type { Intake } from './intake.ts';

/** What a dry run adds to the response. */
export type Rehearsed = {
  routing: { channel: Channel; routing: Routing; reason?: RoutingReason }[];
};

/** Returns what committing the evaluation would come to, with nothing stored. */
export async function rehearse(
  { sendingRules }: { sendingRules: SendingRules },
  { evaluation }: { intake: Intake; known: Known; evaluation: Evaluation },
  nowMs: number,
): Promise<{ trackingId: string; messages: string[] } & Rehearsed> {
  const refusal = await sendingRules.rehearse()(evaluation.rules, nowMs);
  const { messages, routing } = refusal ? refusedBy(refusal, evaluation) : evaluation;
  return {
    trackingId: newTrackingId(nowMs),
    messages,
    routing: CHANNELS.map((channel) => {
      const { routing: decided, reason } = routing[channel];
      return { channel, routing: decided, ...defined({ reason }) };
    }),
  };
}
