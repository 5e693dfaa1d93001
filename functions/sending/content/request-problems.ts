import { senderNumber } from '../../../shared/channels/phone/numbers/phone-number.ts';
import { isScheduleText } from '../../../shared/domain/timing/schedule.ts';
import { type Fields, fieldsOf, type RequestCheck, textOf } from '../../../shared/http/problems/check.ts';
import { contactProblemsAt } from '../../../shared/http/problems/contact.ts';
import { assertNoProblems, type Problem } from '../../../shared/http/problems/problems.ts';
import { loadLiquid } from '../../../shared/rendering/load-liquid.ts';
import { hasTags, mayFailToRender } from '../../../shared/rendering/syntax/tags.ts';
import { AppError, ERRORS } from '../../../shared/runtime/errors.ts';
import { MUST_BE_SENDER } from '../../../shared/schemas/account/phone-numbers.ts';
import { CHANNELS, CONTENT_BLOCK } from '../../../shared/schemas/channel.ts';
import { ID_BYTES_MAX } from '../../../shared/schemas/fields/text.ts';
import { templateProblems } from '../../templates/invalid-template.ts';
import { publicUrlProblems, subscriptionUrls } from '../../users/public-urls.ts';

/** A dry run, and the language to show it in if not the user's. */
export type DryRun = { dryRun: boolean; locale?: string | undefined };

/** Reads the query: `?dryRun`, `?dryRun=true` and `?dryRun=1` request a dry run. */
export function readDryRun({
  dryRun,
  locale,
}: {
  dryRun?: string | undefined;
  locale?: string | undefined;
}): DryRun {
  return { dryRun: isDryRun(dryRun), locale };
}

/** Only a dry run accepts a locale. */
export function localeProblems({ dryRun, locale }: { dryRun?: unknown; locale?: unknown }): Problem[] {
  if (locale === undefined || isDryRun(dryRun)) return [];
  const must = 'is for dry runs only: add dryRun=true, or set the locale of the user';
  return [{ where: 'query.locale', must }];
}

function isDryRun(dryRun: unknown): boolean {
  return dryRun === '' || dryRun === 'true' || dryRun === '1';
}

/** The problems of POST /send. A request of a valid shape is checked by the operation, which also knows stored data. */
export const sendProblems: RequestCheck = async ({ query, body, isInvalid }) => {
  const locale = localeProblems(query);
  if (!isInvalid && locale.length === 0) return [];
  return body === undefined ? locale : [...locale, ...(await requestProblems(fieldsOf(body)))];
};

/** As `sendProblems`, of a change: what it does not name is stored. */
export const changeProblems: RequestCheck = async ({ body, isInvalid }) => {
  const change = fieldsOf(body);
  const stored = { type: 'stored', ...(change.user === undefined && { to: { id: 'stored' } }) };
  return isInvalid ? requestProblems({ ...stored, ...change }) : [];
};

/** Throws one error with all problems of a send request that no schema finds. */
export async function assertRequest(request: object): Promise<void> {
  const problems = await requestProblems(fieldsOf(request));
  // An invalid schedule alone is recorded when it is read.
  if (problems.some(({ where }) => where !== 'body.schedule')) assertNoProblems(problems);
}

/** The problems of a send request of any shape: its recipient, contact data, numbers, schedule and Liquid. */
export async function requestProblems(request: Fields): Promise<Problem[]> {
  return [
    ...fieldProblems(request),
    ...(await urlProblems(request)),
    ...(await sizeProblems(request)),
    ...(await liquidProblems(request)),
  ];
}

function fieldProblems(request: Fields): Problem[] {
  const where = request.to === undefined && request.user !== undefined ? 'body.user' : 'body.to';
  const recipient = fieldsOf(request.to ?? request.user);
  const { topic, exclude, ...named } = recipient;
  const problems = [...identityProblems(request, recipient), ...contactProblemsAt(where, recipient)];
  if (topic !== undefined && Object.values(named).some((value) => value !== undefined)) {
    problems.push({ where: `${where}.topic`, must: 'must be the only field of to, besides exclude' });
  }
  if (exclude !== undefined && topic === undefined) {
    problems.push({ where: `${where}.exclude`, must: 'needs a topic' });
  }
  const { id, email } = recipient;
  if (id === undefined && typeof email === 'string' && Buffer.byteLength(email) > ID_BYTES_MAX) {
    const must = `must be at most ${ID_BYTES_MAX} bytes if it is the user ID: send to.id as well`;
    problems.push({ where: `${where}.email`, must });
  }
  if (!isSendingNumber(textOf(fieldsOf(request.sms).from))) {
    problems.push({ where: 'body.sms.from', must: MUST_BE_SENDER });
  }
  const schedule = textOf(request.schedule);
  if (schedule !== undefined && !isScheduleText(schedule)) {
    problems.push({ where: 'body.schedule', must: MUST_BE_SCHEDULE });
  }
  return problems;
}

const IDENTITIES = ['id', 'email', 'number', 'topic'];

function identityProblems({ type, notificationId }: Fields, recipient: Fields): Problem[] {
  const isTyped = Boolean(type || notificationId);
  const missing = (code: 'MISSING_NOTIFICATION_TYPE' | 'MISSING_RECIPIENT', fix: string) =>
    // Of both, the type's code is the error's.
    new AppError(isTyped ? code : 'MISSING_NOTIFICATION_TYPE', { message: ERRORS[code].message, fix });
  const problems: Problem[] = [];
  if (!isTyped) {
    const error = missing('MISSING_NOTIFICATION_TYPE', 'Set type to the ID of a notification type.');
    problems.push({ where: 'body.type', must: 'is required', error });
  }
  if (!IDENTITIES.some((name) => recipient[name])) {
    const error = missing('MISSING_RECIPIENT', 'Set to.id, to.email, to.number or to.topic.');
    problems.push({ where: 'body.to', must: 'must have id, email, number or topic', error });
  }
  return problems;
}

function urlProblems({ to, user, options, sms }: Fields): Promise<Problem[]> {
  const { attachments } = fieldsOf(fieldsOf(options).email);
  const { mediaUrls } = fieldsOf(sms);
  return publicUrlProblems([
    ...subscriptionUrls(to === undefined ? 'body.user' : 'body.to', fieldsOf(to ?? user)),
    ...listOf(attachments).map((each, index) => ({
      where: `body.options.email.attachments[${index}].url`,
      url: textOf(fieldsOf(each).url),
    })),
    ...listOf(mediaUrls).map((each, index) => ({ where: `body.sms.mediaUrls[${index}]`, url: textOf(each) })),
  ]);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Sizes are only counted for pushes that may be over a limit. */
async function sizeProblems(request: Fields): Promise<Problem[]> {
  const { mobile_push, web_push, options } = request;
  if (JSON.stringify([mobile_push, web_push, fieldsOf(options).push]).length < SMALL_PUSH) return [];
  const { pushSizeProblems } = await import('./push-size-problems.ts');
  return pushSizeProblems(request);
}

/** A character has at most six bytes as JSON in UTF-8. */
const SMALL_PUSH = 600;

/** Liquid is loaded only for a request that uses it, or has content near a limit. */
async function liquidProblems(request: Fields): Promise<Problem[]> {
  const blocks = CHANNELS.map((channel) => CONTENT_BLOCK[channel]);
  const content = Object.fromEntries(blocks.map((name) => [name, fieldsOf(request[name])]));
  const condition = textOf(fieldsOf(fieldsOf(request.options).email).condition);
  if (condition === undefined && !mayFailToRender(content)) return [];
  const liquid = await loadLiquid();
  return templateProblems(liquid.inlineProblems(content, condition));
}

const MUST_BE_SCHEDULE = 'must be an ISO 8601 time such as 2027-01-31T08:30:00Z, at most one year ahead';

/** A number in E.164 or with ten digits, a short code, or Liquid, whose value is known when it is sent. */
function isSendingNumber(from: string | undefined): boolean {
  return !from || hasTags(from) || senderNumber(from) !== undefined;
}
