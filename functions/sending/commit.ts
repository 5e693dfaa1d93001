import type { StoredLogHead } from '../../shared/database/entities/log-head.ts';
import type { Logs } from '../../shared/database/entities/logs.ts';
import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import type { Rules, SendingRules } from '../../shared/database/entities/sending-rules.ts';
import { contentHash } from '../../shared/domain/deduplication.ts';
import type { LogHead } from '../../shared/domain/log-record.ts';
import { isGoing } from '../../shared/domain/routing.ts';
import { throttleKey } from '../../shared/domain/throttling.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type { Intake } from './intake.ts';
import { type TraceDependencies, traced } from './traced.ts';

/** What committing a head needs. */
export type CommitDependencies = { logs: Logs; sendingRules: SendingRules };

/** How a head is stored: its feed's shards and its expiry, epoch seconds. */
export type HeadOptions = { feedShards: number; expiresAtSeconds: number };

/** What was committed; `repeated` is the stored head when the tracking ID was taken. */
export type Committed = { messages: string[]; repeated?: StoredLogHead };

/**
 * Appends the head, in one conditional write; together with deduplication marker and throttle state in one transaction
 * when the type asks for them and something is to go out now. What they refuse is recorded as refused.
 */
export async function commitHead(
  deps: TraceDependencies,
  head: LogHead,
  type: StoredType,
  intake: Intake,
  options: HeadOptions,
): Promise<Committed> {
  const rules = head.state === 'accepted' ? rulesOf(head, type, intake) : undefined;
  if (!rules) return traced(deps, head, options.feedShards, () => plainCommit(deps, head, options));
  const item = await deps.logs.headItem(head, options);
  const outcome = await deps.sendingRules.commit(
    { put: item, condition: 'attribute_not_exists(pk)' },
    rules,
    head.receivedAtMs,
  );
  switch (outcome.kind) {
    case 'committed':
      return { messages: head.messages };
    case 'taken': {
      if (!outcome.current) throw new Error('a taken tracking ID has no head');
      const repeated = await deps.logs.readHead(outcome.current);
      return { messages: repeated.messages, repeated };
    }
    default:
      return plainCommit(deps, refusedHead(head, outcome.kind), options);
  }
}

async function plainCommit(
  deps: CommitDependencies,
  head: LogHead,
  options: HeadOptions,
): Promise<Committed> {
  const outcome = await deps.logs.accept(head, options);
  return outcome.accepted
    ? { messages: head.messages }
    : { messages: outcome.stored.messages, repeated: outcome.stored };
}

/** Rules that a head about to go out must pass; undefined when there are none. */
export function rulesOf(head: LogHead, type: StoredType, intake: Intake): Rules | undefined {
  const channels = CHANNELS.filter((channel) => isGoing(head.routing[channel]));
  if (channels.length === 0 || (!type.deduplication && !type.throttling)) return undefined;
  const { environmentId, userId, notificationId } = head;
  const { request } = intake;
  return {
    ...(type.deduplication
      ? {
          deduplication: {
            windowSeconds: type.deduplication.duration,
            hash: contentHash({
              environmentId,
              userId,
              notificationId,
              channels,
              parameters: { ...request.mergeTags, ...request.parameters },
              replace: request.replace,
              blocks: intake.content,
              attachments: request.options?.email?.attachments ?? [],
            }),
          },
        }
      : {}),
    ...(type.throttling
      ? {
          throttling: {
            environmentId,
            scope: throttleKey(type.throttling.scope, userId, notificationId),
            config: type.throttling,
          },
        }
      : {}),
  };
}

/** The head as deduplication or throttling leaves it: nothing goes out, and the log says why. */
export function refusedHead(head: LogHead, kind: 'duplicate' | 'throttled'): LogHead {
  const routing = { ...head.routing };
  const messages = [...head.messages];
  for (const channel of CHANNELS) {
    if (!isGoing(routing[channel])) continue;
    routing[channel] = { routing: kind === 'duplicate' ? 'DEDUPLICATED' : 'THROTTLED' };
    messages.push(
      kind === 'duplicate'
        ? `${channel} is not sent: the same notification was accepted within the deduplication window.`
        : `${channel} is not sent: the throttling limit of the notification type is reached.`,
    );
  }
  return { ...head, routing, messages, ignored: kind === 'duplicate' ? 'DEDUPLICATION' : 'THROTTLING' };
}
