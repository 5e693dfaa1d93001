import * as v from 'valibot';
import { isScheduleText } from '../../shared/domain/schedule.ts';
import { contactProblems } from '../../shared/http/contact.ts';
import { hasMisfits } from '../../shared/http/parse.ts';
import { SendRequest } from '../../shared/schemas/send-request.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Body of POST /send. For a body with invalid fields, the problems that only `readIntake` finds are added, so
 * that all are reported together; missing fields alone have their own error code.
 */
export const SendBody = v.pipe(
  SendRequest,
  v.rawCheck(({ dataset, config, addIssue }) => {
    const body: unknown = dataset.value;
    if (!(dataset.issues || hasMisfits(config)) || !isFields(body)) return;
    for (const [name, message] of laterProblems(body)) addIssue({ message, path: [stepTo(body, name)] });
    const recipient = body.to === undefined ? 'user' : 'to';
    const contact = body[recipient];
    if (!isFields(contact)) return;
    for (const { name, must } of contactProblems(contact)) {
      addIssue({ message: must, path: [stepTo(body, recipient), stepTo(contact, name)] });
    }
  }),
);

/** The path of a field in a valibot issue. */
function stepTo(input: Fields, key: string): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: { ...input }, key, value: input[key] };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function laterProblems(body: Fields): [name: string, must: string][] {
  const { type, notificationId, schedule } = body;
  const recipient = body.to ?? body.user;
  const problems: [string, string][] = [];
  if (type === undefined && notificationId === undefined) problems.push(['type', 'is required']);
  const isNamed =
    isFields(recipient) && ['id', 'email', 'number', 'topic'].some((name) => recipient[name] !== undefined);
  if (recipient === undefined || (isFields(recipient) && !isNamed)) {
    problems.push(['to', MUST_NAME_RECIPIENT]);
  }
  if (typeof schedule === 'string' && !isScheduleText(schedule))
    problems.push(['schedule', MUST_BE_SCHEDULE]);
  return problems;
}

/** The message for a request without a recipient. */
export const MUST_NAME_RECIPIENT = 'must have id, email, number or topic';
/** The message for an invalid schedule. */
export const MUST_BE_SCHEDULE =
  'must be an ISO 8601 time such as 2027-01-31T08:30:00Z, at most one year ahead';
