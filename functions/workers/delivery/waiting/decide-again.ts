import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { SendingContexts } from '../../../../shared/database/entities/sending/sending-context.ts';
import { isGoing } from '../../../../shared/domain/routing/routing.ts';
import { type Quiet, quietAt } from '../../../../shared/domain/timing/quiet-hours.ts';
import type { Profile } from '../../../../shared/domain/users/profile.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { LogFields } from '../../../../shared/schemas/logs/log-record.ts';
import { type Intake, readIntake } from '../../../sending/accept/intake.ts';
import { quietInputOf } from '../../../sending/decide/decide.ts';
import { evaluate } from '../../../sending/decide/evaluate.ts';
import { failureFields, withheldEvent } from '../outcome/withheld-event.ts';

/** The decision about a message that waited: `send` also if its content or address is missing, which has a code. */
export type DecidedAgain =
  | { kind: 'send' }
  | Extract<Quiet, { kind: 'held' }>
  | { kind: 'withheld'; fields: LogFields };

/**
 * Decides a message again that waited for its turn or for a retry, by what is stored now: quiet hours, pause, preference,
 * type, environment. Caps are evaluated just before the provider is called.
 */
export async function decideAgain(
  channel: Channel,
  { sendingContexts, liquid }: { sendingContexts: SendingContexts } & Required<Pick<Intake, 'liquid'>>,
  { head, user, nowMs }: { head: StoredLogHead; user: Profile; nowMs: number },
): Promise<DecidedAgain> {
  const context = await sendingContexts.read(head);
  const intake = { ...readIntake(head.request), liquid, contact: {} };
  const moment = { nowMs, mayCreateType: false, isStepDue: true };
  const { routing, messages, failure, type } = evaluate(intake, { context, user, exceeded: [] }, moment);
  const decided = routing[channel];
  if (failure) {
    const fields = failureFields(nowMs, failure.code, failure.because);
    return withheldBecause(channel, decided, { atMs: nowMs, because: failure.because, fields });
  }
  if (decided.failureCode !== undefined) return { kind: 'send' };
  if (!isGoing(decided)) {
    const because =
      messages.find((message) => message.startsWith(`${channel} is not sent: `)) ??
      `${channel} is not sent: the channel is not enabled on the notification type.`;
    return withheldBecause(channel, decided, { atMs: nowMs, because });
  }
  // A digest that is sent has a mode, which routing holds by itself.
  const quiet = quietAt(quietInputOf({ ...context, type }, user, { ...head, nowMs }), channel);
  if (quiet?.kind === 'held') return quiet;
  if (quiet?.kind !== 'dropped') return { kind: 'send' };
  const because = `${channel} is not sent: the quiet hours of the user drop it.`;
  const dropped = { routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' } as const;
  return withheldBecause(channel, dropped, { atMs: nowMs, because });
}

function withheldBecause(...event: Parameters<typeof withheldEvent>): DecidedAgain {
  return { kind: 'withheld', fields: withheldEvent(...event).fields };
}
