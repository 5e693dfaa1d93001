import { afterEach, beforeEach, expect, it } from 'vitest';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as resendLog } from '../../../functions/sending/resend-log.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { explain } from '../../../scripts/logs/explanation.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();
const inMinutes = (minutes: number) => new Date(pipeline.clock.nowMs + minutes * 60_000).toISOString();
const optionsWith = (url: string) => ({ email: { attachments: [{ filename: 'a.pdf', url }] } });

beforeEach(() => {
  process.env.EGRESS_ALLOW_HOSTS = 'files.internal:*';
});
afterEach(() => {
  process.env.EGRESS_ALLOW_HOSTS = '';
});

it('a stored attachment that may no longer be fetched leaves a way out, which every error and the log name', async () => {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const body = {
    type: 'invoice',
    to: { id: 'ada', email: 'ada@example.com' },
    email: { subject: 's', html: 'h' },
    options: optionsWith('https://files.internal/a.pdf'),
    schedule: inMinutes(10),
  };
  const { trackingId } = (await call(send, { key, body })).json;
  process.env.EGRESS_ALLOW_HOSTS = '';
  const change = (changed: object) => call(reschedule, { key, path: { trackingId }, body: changed });
  expect((await change({ schedule: inMinutes(11) })).status).toBe(200);
  const subject = await change({ email: { subject: 'other', html: 'h' } });
  expect([subject.status, subject.json.error]).toMatchObject([
    400,
    {
      errors: [{ path: 'options.email.attachments[0].url' }],
      fix: expect.stringMatching(/^It is stored: send options /),
    },
  ]);
  const own = await change({ options: optionsWith('https://files.internal/b.pdf') });
  expect([own.status, own.json.error.fix]).toEqual([400, expect.not.stringContaining('stored')]);
  await pipeline.settle();
  pipeline.clock.nowMs += 12 * 60_000;
  await pipeline.settle();
  const log = await recordOf(account, trackingId);
  expect(log).toMatchObject({ email_failed_code: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE' });
  expect(explain(log).join()).toContain('Send again with another URL for the attachment');
  const again = await call(resendLog, { key, path: { trackingId }, body: {} });
  expect([again.status, again.json.error.fix]).toEqual([
    400,
    expect.stringMatching(/^It is stored: send the notification anew/),
  ]);
});

it('a waiting notification gets another attachment with its options', async () => {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const body = {
    type: 'invoice',
    to: { id: 'eve', email: 'eve@example.com' },
    email: { subject: 's', html: 'h' },
  };
  const old = { ...body, options: optionsWith('https://files.internal/a.pdf'), schedule: inMinutes(10) };
  const { trackingId } = (await call(send, { key, body: old })).json;
  process.env.EGRESS_ALLOW_HOSTS = '';
  const options = optionsWith('https://files.example.com/a.pdf');
  expect((await call(reschedule, { key, path: { trackingId }, body: { options } })).status).toBe(200);
  await pipeline.settle();
  pipeline.clock.nowMs += 12 * 60_000;
  await pipeline.settle();
  expect(await recordOf(account, trackingId)).toMatchObject({ email_sent_at: expect.any(String) });
});
