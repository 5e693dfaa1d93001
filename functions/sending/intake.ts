import type { ProfileChange } from '../../shared/domain/profile.ts';
import { normalizeContact } from '../../shared/http/contact.ts';
import { assertNoProblems, type Problem } from '../../shared/http/parse.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS, type Channel, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import type { ContentBlocks, SendRequest } from '../../shared/schemas/send-request.ts';
import { ID_BYTES_MAX } from '../../shared/schemas/text.ts';
import { isSchedule, MUST_BE_SCHEDULE, MUST_NAME_RECIPIENT } from './send-body.ts';

/** A send request with its legacy names resolved and its recipient normalized (API 3). */
export type Intake = {
  notificationId: string;
  subNotificationId?: string;
  userId: string;
  contact: ProfileChange;
  content: ContentBlocks;
  request: SendRequest;
};

/**
 * Resolves precedence and identity. Throws MISSING_NOTIFICATION_TYPE, MISSING_RECIPIENT, or INVALID_REQUEST naming every
 * impossible contact field; what is missing is told together.
 */
export function readIntake(request: SendRequest): Intake {
  const notificationId = request.type ?? request.notificationId;
  const recipient = request.to ?? request.user;
  const problems: Problem[] = [];
  const contact = normalizeContact(recipient ?? {}, request.to ? 'body.to' : 'body.user', problems);
  const userId = recipient?.id ?? contact.email ?? contact.number;
  if (userId && Buffer.byteLength(userId) > ID_BYTES_MAX) {
    const must = `must be at most ${ID_BYTES_MAX} bytes where it is the user id: send an id beside it`;
    problems.push({ where: request.to ? 'body.to.email' : 'body.user.email', must });
  }
  const isNamed = Boolean(userId) || recipient?.number !== undefined;
  const isIncomplete = problems.length > 0 || !notificationId || !isNamed;
  if (isIncomplete && request.schedule !== undefined && !isSchedule(request.schedule)) {
    problems.push({ where: 'body.schedule', must: MUST_BE_SCHEDULE });
  }
  if (problems.length > 0) {
    if (!notificationId) problems.push({ where: 'body.type', must: 'is required' });
    if (!isNamed) problems.push({ where: 'body.to', must: MUST_NAME_RECIPIENT });
    assertNoProblems(problems);
  }
  if (!notificationId) throw missingType(isNamed);
  if (!userId) throw new AppError('MISSING_RECIPIENT', { fix: SET_RECIPIENT });
  const subNotificationId = request.subNotificationId ?? request.secondaryId;
  return {
    notificationId,
    ...(subNotificationId === undefined ? {} : { subNotificationId }),
    userId,
    contact,
    content: contentOf(request),
    request,
  };
}

const SET_RECIPIENT = 'Set to.id, to.email or to.number.';

function missingType(isNamed: boolean): AppError {
  const fix = 'Set type to the id of a notification type.';
  if (isNamed) return new AppError('MISSING_NOTIFICATION_TYPE', { fix });
  const message = 'The request names no notification type and no recipient.';
  return new AppError('MISSING_NOTIFICATION_TYPE', { message, fix: `${fix} ${SET_RECIPIENT}` });
}

function contentOf(request: SendRequest): ContentBlocks {
  const { email, inapp, sms, call, web_push, mobile_push, chat } = request;
  return { email, inapp, sms, call, web_push, mobile_push, chat };
}

/** Channels of a type created by its first use: those with content, or the forced ones (API 3). */
export function channelsOfFirstUse(intake: Intake): Channel[] {
  const forced = intake.request.forceChannels;
  return CHANNELS.filter((channel) =>
    forced ? forced.includes(channel) : intake.content[CONTENT_BLOCK[channel]] !== undefined,
  );
}

/** The request as it is logged: chat tokens are credentials and stay out. */
export function loggableRequest(request: SendRequest): SendRequest {
  const { to, user, ...rest } = request;
  return {
    ...rest,
    ...(to ? { to: withoutChatToken(to) } : {}),
    ...(user ? { user: withoutChatToken(user) } : {}),
  };
}

function withoutChatToken<T extends { chatToken?: unknown }>(recipient: T): T {
  const { chatToken: _, ...rest } = recipient;
  return rest as T;
}
