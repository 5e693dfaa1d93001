import * as v from 'valibot';
import { getUserRoute } from '../../functions/users/routes.ts';
import { getEventWebhookRoute, testEventWebhookRoute } from '../../functions/webhooks/routes.ts';
import type { Deployed } from './deployed.ts';
import { failed, type Row, works } from './rows.ts';
import { reasonOf, type Service } from './service.ts';

/** A user's ID with everything that a path gives a meaning to. */
const HARD_ID = 'verify/50%25?#é';
/** The form of an ID in a path that no decoding changes (docs/api.md). */
const safeForm = (id: string) => `~${Buffer.from(id).toString('base64url')}`;

/**
 * The API finds the user that a path names. AWS does not document how often API Gateway decodes a path: the form that does not
 * depend on it has to work, and the row says what became of the usual one.
 */
export async function verifyPaths(service: Service): Promise<Row> {
  const part = 'IDs in paths';
  const find = async (text: string) => {
    const { status, body } = await service.ask('GET', `/users/${text}`);
    return status === 200 && v.is(getUserRoute.response.body, body) && body.id === HARD_ID;
  };
  const { status } = await service.ask('POST', `/users/${safeForm(HARD_ID)}`, {});
  if (status !== 200)
    return failed(
      part,
      `A user with a difficult ID cannot be saved: status ${status}.`,
      'Use IDs of A-Za-z0-9._- only.',
    );
  if (!(await find(safeForm(HARD_ID))))
    return failed(part, 'The user found is not the user in the path.', 'Use IDs of A-Za-z0-9._- only.');
  return (await find(encodeURIComponent(HARD_ID)))
    ? works(part, 'as ~base64url and percent-encoded')
    : works(part, 'as ~base64url; API Gateway decodes percent-encoded paths differently than expected');
}

/** A notification is scheduled and cancelled, and the log knows it. */
export async function verifySchedule(service: Service, nowMs: number): Promise<Row> {
  const part = 'schedules';
  const trackingId = await service.send({
    type: 'verification-schedule',
    to: { id: 'later' },
    inapp: { title: 'Never sent' },
    schedule: new Date(nowMs + 3_600_000).toISOString(),
  });
  const { status } = await service.ask('DELETE', `/sender/scheduler/${trackingId}`);
  return status === 200
    ? works(part, 'one in an hour, cancelled')
    : failed(part, `It could not be cancelled: status ${status}.`, 'docs/runbook.md, section api-errors.');
}

/** A sample event is posted to this API itself, which answers: any status shows that the call left and arrived. */
export async function verifyWebhook(
  service: Service,
  { baseUrl }: Deployed,
  { pause, tries = 60 }: { pause: () => Promise<unknown>; tries?: number },
): Promise<Row> {
  const part = 'webhooks';
  const fix = 'Check the log group of call-webhooks.';
  const webhook = { webhook: `${baseUrl}/status`, events: ['EMAIL_DELIVERED'] };
  const saved = await service.ask('PUT', '/webhooks/events', webhook);
  if (saved.status !== 200)
    return failed(
      part,
      `The webhook was not saved: ${reasonOf(saved)}.`,
      'docs/runbook.md, section api-errors.',
    );
  const response = await service.ask('POST', '/webhooks/events/test', {});
  const tested = v.safeParse(testEventWebhookRoute.response.body, response.body);
  if (!tested.success) return failed(part, `The sample event was not accepted: ${reasonOf(response)}.`, fix);
  const { webhookMessageId } = tested.output;
  for (let left = tries; left > 0; left -= 1) {
    const { body } = await service.ask('GET', '/webhooks/events');
    const made = v.is(getEventWebhookRoute.response.body, body)
      ? body.attempts.find((each) => each.webhookMessageId === webhookMessageId)
      : undefined;
    if (made)
      return made.status > 0
        ? works(part, `a signed event, answered with ${made.status}`)
        : failed(part, `The call failed: ${made.error ?? 'no response'}.`, fix);
    await pause();
  }
  return failed(part, 'No call was made in time.', fix);
}
