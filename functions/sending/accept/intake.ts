import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import type { ProfileChange } from '../../../shared/domain/users/profile.ts';
import { normalizeContact } from '../../../shared/http/problems/contact.ts';
import { loadLiquid } from '../../../shared/rendering/load-liquid.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { ContentBlocks, SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { assertRequest } from '../content/request-problems.ts';

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
  /** The evaluator of conditions; an endpoint loads it only if the request has one. */
  liquid?:
    | Pick<typeof import('../../../shared/rendering/liquid/condition.ts'), 'findUnmetCondition'>
    | undefined;
};

/** Reads a request after checking it. Throws one error with all its problems. */
export async function readCheckedIntake(body: SendRequest): Promise<Intake> {
  const intake = readIntake(body);
  await assertRequest(intake.request);
  return withLiquid(intake);
}

/** The error, with the way out if it is about fields of a stored request: the caller did not send those. */
export function aboutStored(error: unknown, change: object, way: (field: string) => string): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_REQUEST') return error;
  const fields = error.errors?.map(({ path }) => path.split(/[.[]/)[0] ?? '') ?? [];
  const stored = fields.find((field) => field !== '' && !Object.hasOwn(change, field));
  if (stored === undefined) return error;
  const { code, message, errors = [] } = error;
  return new AppError(code, { message, errors, fix: `It is stored: ${way(stored)}` });
}

/** The intake with the evaluator of its condition: Liquid is loaded only if it is needed. */
export async function withLiquid(intake: Intake): Promise<Intake> {
  if (intake.request.options?.email?.condition === undefined) return intake;
  return { ...intake, liquid: await loadLiquid() };
}

/** Resolves precedence and identity of a request that has been checked, or is about to be. */
export function readIntake(body: SendRequest): Intake {
  const request = withoutEmptyLists(body);
  const recipient = request.to ?? request.user;
  const { topic: topicId, exclude: _, ...named } = request.to ?? {};
  const contact = normalizeContact(request.to ? named : (recipient ?? {}));
  const userId = recipient?.id ?? (contact.email ? mailboxOf(contact.email) : contact.number);
  return {
    notificationId: request.type ?? request.notificationId ?? '',
    subNotificationId: request.subNotificationId ?? request.secondaryId,
    userId: userId ?? '',
    topicId,
    contact,
    content: contentOf(request),
    request,
  };
}

function contentOf(request: SendRequest): ContentBlocks {
  const { email, inapp, sms, call, web_push, mobile_push, chat } = request;
  return { email, inapp, sms, call, web_push, mobile_push, chat };
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

/** The request as if its user had this language. */
export function inLocale(intake: Intake, locale: string | undefined): Intake {
  return locale === undefined ? intake : { ...intake, contact: { ...intake.contact, locale } };
}
