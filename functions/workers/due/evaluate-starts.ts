import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { Rules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { findHitCap } from '../../../shared/domain/costs/usage-caps.ts';
import type { LogEvent } from '../../../shared/domain/logs/log.ts';
import type { Progress } from '../../../shared/domain/routing/steps.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { readIntake, withLiquid } from '../../sending/accept/intake.ts';
import type { ContextDependencies } from '../../sending/decide/context.ts';
import { completed } from '../../sending/decide/context.ts';
import { evaluate } from '../../sending/decide/evaluate.ts';
import { capMessage } from '../../sending/decide/usage-limit.ts';
import { failureFields, withheldEvent } from '../delivery/outcome/withheld-event.ts';
import type { ReadyChannel } from '../delivery/waiting/ready-message.ts';

export type StartDependencies = ContextDependencies & { sendingContexts: SendingContexts };

type Starts = {
  ready: ReadyChannel[];
  withheld: { channel: Channel; event: LogEvent }[];
  held: Progress['held'];
  /** The held channels that a pause holds. */
  paused: Channel[];
  /** The throttling that starting channels must pass. */
  rules: Rules | undefined;
};

export async function evaluateStarts(
  deps: StartDependencies,
  { head }: Log,
  channels: readonly Channel[],
  { nowMs, released }: { nowMs: number; released: readonly Channel[] | undefined },
): Promise<Starts> {
  const starts: Starts = { ready: [], withheld: [], held: {}, paused: [], rules: undefined };
  if (channels.length === 0) return starts;
  const { trackingId } = head;
  const context = await deps.sendingContexts.read(head);
  const intake = { ...(await withLiquid(readIntake(head.request))), contact: {} };
  const known = await completed(deps, context, nowMs);
  const evaluation = evaluate(intake, known, { nowMs, mayCreateType: false, isStepDue: true, released });
  const { routing, messages, failure, rules } = evaluation;
  if (rules?.throttling) starts.rules = { ...rules, deduplication: undefined };
  for (const channel of channels) {
    const decided = routing[channel];
    const cap = findHitCap(known.exceeded, [channel]);
    const withhold = (because: string | undefined, code?: 'MISSING_NOTIFICATION_TYPE' | 'UNKNOWN') => {
      const fields = code && because ? failureFields(nowMs, code, because) : {};
      const event = withheldEvent(channel, decided, { atMs: nowMs, because, fields });
      starts.withheld.push({ channel, event });
    };
    if (failure) withhold(failure.because, failure.code);
    else if (decided.routing === 'SCHEDULE' && decided.heldUntilMs !== undefined) {
      starts.held[channel] = decided.heldUntilMs;
      if (decided.isPaused) starts.paused.push(channel);
    } else if (decided.routing !== 'SEND' && decided.routing !== 'BATCH')
      withhold(messages.find((message) => message.startsWith(`${channel} is not sent: `)));
    else if (cap) withhold(capMessage(cap), 'UNKNOWN');
    else {
      const { template, locale, mode } = decided;
      const started = defined({ template, locale, mode, atMs: nowMs });
      const isReleased = released?.includes(channel) || undefined;
      starts.ready.push({ trackingId, channel, routing: decided.routing, started, isReleased });
    }
  }
  return starts;
}
