import type { FanOut, LogHead } from '../../../shared/domain/logs/log.ts';
import type { RoutingResult } from '../../../shared/domain/routing/routing.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import type { RequestFacts } from '../../../shared/http/endpoint/endpoint.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { Recipient } from '../../../shared/schemas/users/user.ts';
import type { Intake } from '../accept/intake.ts';
import type { Evaluation } from './evaluate.ts';

const AGENT_LENGTH_MAX = 512;

export function receivedHead(
  { caller, facts, body }: { caller: Caller; facts: RequestFacts; body: SendRequest },
  more: Pick<LogHead, 'userId' | 'notificationId' | 'state'>,
) {
  const { accountId, environmentId } = caller;
  return {
    accountId,
    environmentId,
    ...more,
    receivedAtMs: facts.receivedAtMs,
    ...defined({ ip: facts.ip, agent: facts.agent?.slice(0, AGENT_LENGTH_MAX) }),
    request: loggableRequest(body),
    ...(body.sensitive ? { isSensitive: true } : undefined),
  };
}

/** The head with the decisions made at `atMs`, replacing earlier decisions. */
export function decidedHead<H extends object>(base: H, decided: Evaluation, atMs: number) {
  const { routing, messages, ignored, failure, type, user, dueAtMs, steps } = decided;
  return defined({
    ...base,
    routing: notOff(routing),
    messages,
    ignored: dueAtMs === undefined ? ignored : undefined,
    failedAtMs: failure && atMs,
    failedCode: failure?.code,
    failedInternal: failure?.because,
    steps,
    isUrgent: type?.urgent || undefined,
    ...(type?.sensitive ? { isSensitive: true } : undefined),
    userChangedAtMs: user?.updatedAtMs,
    email: user?.email,
    number: user?.number,
  });
}

/** The decisions that a head stores: an absent channel is OFF. */
function notOff(routing: RoutingResult['routing']): LogHead['routing'] {
  const decided: LogHead['routing'] = {};
  for (const channel of CHANNELS) if (routing[channel].routing !== 'OFF') decided[channel] = routing[channel];
  return decided;
}

/** The request as it is logged: without chat tokens, which are credentials, and without attributes. */
export function loggableRequest(request: SendRequest): SendRequest {
  const { to, user } = request;
  const logged = { ...request };
  if (to) logged.to = loggableRecipient(to);
  if (user) logged.user = loggableRecipient(user);
  return logged;
}

function loggableRecipient<T extends Recipient>(recipient: T): Omit<T, 'chatToken' | 'attributes'> {
  const { chatToken: _, attributes: __, ...rest } = recipient;
  return rest;
}

/**
 * The fan-out of a notification to a topic that begins now; undefined if it is for a user, or nothing is to
 * be sent.
 */
export function fanOutOf(
  { topicId }: Pick<Intake, 'topicId'>,
  { ignored, failure }: Pick<Evaluation, 'ignored' | 'failure'>,
  nowMs: number,
): FanOut | undefined {
  if (topicId === undefined || ignored !== undefined || failure !== undefined) return undefined;
  return { dueAtMs: nowMs, members: 0, accepted: 0, ignored: 0, channels: [] };
}
