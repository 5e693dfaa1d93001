import { normalizeNumber } from '../../shared/channels/phone/phone-number.ts';
import type { ProfileChange } from '../../shared/domain/profile.ts';
import { isScheduleText } from '../../shared/domain/schedule.ts';
import { normalizeContact } from '../../shared/http/contact.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { hasTags, hasTagsInside } from '../../shared/rendering/tags.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { CHANNELS, type Channel, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import type { ContentBlocks, SendRequest } from '../../shared/schemas/send-request.ts';
import { ID_BYTES_MAX } from '../../shared/schemas/text.ts';
import type { Recipient } from '../../shared/schemas/user.ts';
import { assertTemplate } from '../templates/invalid-template.ts';
import { MUST_BE_SCHEDULE, MUST_NAME_RECIPIENT } from './send-body.ts';

/** A send request with its legacy names resolved and its recipient normalized. */
export type Intake = {
  notificationId: string;
  subNotificationId: string | undefined;
  /** Empty for a topic. */
  userId: string;
  /** The topic whose members are notified. */
  topicId?: string | undefined;
  contact: ProfileChange;
  content: ContentBlocks;
  request: SendRequest;
  /** Loaded if the request has a condition. */
  liquid?: Pick<typeof import('../../shared/rendering/condition.ts'), 'evaluateCondition'> | undefined;
};

/** Reads a request and checks its Liquid. Throws as `readIntake`, and INVALID_TEMPLATE. */
export async function readCheckedIntake(body: SendRequest): Promise<Intake> {
  const intake = readIntake(body);
  const { content, request } = intake;
  if (request.options?.email?.condition === undefined && !hasTagsInside(content)) return intake;
  const { inlineProblems } = await import('../../shared/rendering/template-check.ts');
  assertTemplate(inlineProblems(request));
  return withLiquid(intake);
}

/** The intake with the evaluator of its condition: Liquid is loaded only if it is needed. */
export async function withLiquid(intake: Intake): Promise<Intake> {
  if (intake.request.options?.email?.condition === undefined) return intake;
  return { ...intake, liquid: await import('../../shared/rendering/condition.ts') };
}

/**
 * Resolves precedence and identity. Throws MISSING_NOTIFICATION_TYPE, MISSING_RECIPIENT, or INVALID_REQUEST
 * with every impossible field. All missing fields are reported together.
 */
export function readIntake(body: SendRequest): Intake {
  const request = withoutEmptyLists(body);
  const notificationId = request.type ?? request.notificationId;
  const recipient = request.to ?? request.user;
  const problems: Problem[] = [];
  const { topic: topicId, ...named } = request.to ?? {};
  const contact = normalizeContact(
    request.to ? named : (recipient ?? {}),
    request.to ? 'body.to' : 'body.user',
    problems,
  );
  if (topicId !== undefined && Object.values(named).some((value) => value !== undefined)) {
    problems.push({ where: 'body.to.topic', must: 'must be the only field of to' });
  }
  const userId = recipient?.id ?? contact.email ?? contact.number;
  if (userId && Buffer.byteLength(userId) > ID_BYTES_MAX) {
    const must = `must be at most ${ID_BYTES_MAX} bytes if it is the user ID: send to.id as well`;
    problems.push({ where: request.to ? 'body.to.email' : 'body.user.email', must });
  }
  if (!isSendingNumber(request.sms?.from)) {
    problems.push({ where: 'body.sms.from', must: MUST_BE_OWN_NUMBER });
  }
  const isNamed = Boolean(userId) || recipient?.number !== undefined || topicId !== undefined;
  const isIncomplete = problems.length > 0 || !notificationId || !isNamed;
  if (isIncomplete && request.schedule !== undefined && !isScheduleText(request.schedule)) {
    problems.push({ where: 'body.schedule', must: MUST_BE_SCHEDULE });
  }
  if (problems.length > 0) {
    if (!notificationId) problems.push({ where: 'body.type', must: 'is required' });
    if (!isNamed) problems.push({ where: 'body.to', must: MUST_NAME_RECIPIENT });
    assertNoProblems(problems);
  }
  if (!notificationId) throw missingType(isNamed);
  if (!userId && topicId === undefined) throw new AppError('MISSING_RECIPIENT', { fix: SET_RECIPIENT });
  return {
    notificationId,
    subNotificationId: request.subNotificationId ?? request.secondaryId,
    userId: userId ?? '',
    topicId,
    contact,
    content: contentOf(request),
    request,
  };
}

const SET_RECIPIENT = 'Set to.id, to.email, to.number or to.topic.';

function missingType(isNamed: boolean): AppError {
  const fix = 'Set type to the ID of a notification type.';
  if (isNamed) return new AppError('MISSING_NOTIFICATION_TYPE', { fix });
  const message = 'The notification type and the recipient are missing from the request.';
  return new AppError('MISSING_NOTIFICATION_TYPE', { message, fix: `${fix} ${SET_RECIPIENT}` });
}

function contentOf(request: SendRequest): ContentBlocks {
  const { email, inapp, sms, call, web_push, mobile_push, chat } = request;
  return { email, inapp, sms, call, web_push, mobile_push, chat };
}

/** The message for an impossible sending number. */
export const MUST_BE_OWN_NUMBER =
  'must be a number of the account in E.164, such as +14155550123, or a short code';

/** A number in E.164 or with ten digits, a short code, or Liquid, whose value is known when it is sent. */
export function isSendingNumber(from: string | undefined): boolean {
  return !from || hasTags(from) || /^\d{3,8}$/.test(from) || normalizeNumber(from) !== undefined;
}

/** An empty list counts as absent. */
function withoutEmptyLists(request: SendRequest): SendRequest {
  const { forceChannels, chat, sms, options } = request;
  const next = { ...request };
  if (forceChannels?.length === 0) delete next.forceChannels;
  if (chat?.blocks?.length === 0) next.chat = { ...chat, blocks: undefined };
  if (sms?.mediaUrls?.length === 0) next.sms = { ...sms, mediaUrls: undefined };
  if (options?.email?.attachments?.length === 0) {
    next.options = { ...options, email: { ...options.email, attachments: undefined } };
  }
  if (options?.steps?.length === 0) next.options = { ...next.options, steps: undefined };
  return next;
}

/** Channels of a type created by its first use: those with content, or the forced ones. */
export function channelsOfFirstUse({ request: { forceChannels }, content }: Intake): Channel[] {
  return CHANNELS.filter((channel) =>
    forceChannels ? forceChannels.includes(channel) : content[CONTENT_BLOCK[channel]] !== undefined,
  );
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
