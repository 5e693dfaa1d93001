import { beforeEach, describe, expect, it } from 'vitest';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as trackClick } from '../../../functions/tracking/track-click.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { writeClickToken } from '../../../shared/tokens/tracking-token.ts';
import { call } from '../../support/app.ts';
import { everythingIn } from '../../support/everything.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
let key: string;
beforeEach(async () => {
  key = account.secret.key;
  const type = { title: 't', channels: ['EMAIL', 'SMS', 'INAPP_WEB'] };
  await call(createType, { key, body: { ...type, notificationId: 'login', sensitive: true } });
  await call(createType, { key, body: { ...type, notificationId: 'plain' } });
});

const CODE = 'K9X4-77';
const TEXT = `Your code is ${CODE}`;
const content = {
  to: { id: 'ada', email: 'ada@example.com', number: '+14155550123' },
  parameters: { code: CODE, nested: { token: [CODE] } },
  email: { subject: TEXT, html: `<p>${TEXT}</p>` },
  sms: { message: '{{ code }}' },
  inapp: { title: 'Sign in {{ "x" }}' },
};
const accept = async (body: object) => (await call(send, { key, body: { ...content, ...body } })).json;
const logOf = (trackingId: string) => recordOf(account, trackingId);
/** What is stored of a notification, apart from what the provider of this machine got. */
const storedOf = async (trackingId: string) =>
  (await everythingIn(app))
    .split('{"pk"')
    .filter((each) => each.includes(trackingId))
    .join('\n');

describe('a sensitive notification', () => {
  it.each([
    ['by its type', { type: 'login' }],
    ['by its request', { type: 'plain', sensitive: true }],
    ['with a request in the blob store', { type: 'login', parameters: { code: CODE, noise: noise() } }],
  ])('reaches its channels and is shown nowhere, %s', async (_, body) => {
    const { trackingId } = await accept(body);
    const before = await logOf(trackingId);
    expect(JSON.stringify(before)).not.toContain(CODE);
    expect(JSON.parse(before.request)).toMatchObject({ to: content.to, parameters: { code: '…' } });
    const list = await call(listLogs, { key });
    expect(list.json.messages).toHaveLength(1);
    expect(JSON.stringify(list.json)).not.toContain(CODE);
    await app.settle();
    expect(JSON.stringify(app.sentBy(account))).toContain(TEXT);
    const after = await logOf(trackingId);
    expect(after).toMatchObject({ email_sent_at: expect.any(String), sms_sent_at: expect.any(String) });
    expect(JSON.stringify(after)).not.toContain(CODE);
    expect(await storedOf(trackingId)).not.toContain(CODE);
    expect([...app.blobs.keys()].filter((name) => name.includes(trackingId))).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  it('keeps its content until the last channel has its outcome', async () => {
    const { trackingId } = await accept({
      type: 'login',
      options: { steps: [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT10M', when: 'always' }] },
    });
    await app.settle();
    expect(await storedOf(trackingId)).toContain(CODE);
    await app.goTo(app.clock.nowMs + 11 * 60_000);
    expect(await logOf(trackingId)).toHaveProperty('sms_sent_at');
    expect(await storedOf(trackingId)).not.toContain(CODE);
  });

  it('keeps nothing if nothing is sent', async () => {
    const { trackingId } = await accept({ type: 'login', forceChannels: ['CALL'], to: { id: 'eve' } });
    expect(await storedOf(trackingId)).not.toContain(CODE);
  });

  it('stores links without their query', async () => {
    const { trackingId } = await accept({ type: 'login' });
    await app.settle();
    const link = `https://example.com/reset?token=${CODE}#x`;
    const token = await writeClickToken(resolve(signer), { trackingId, link, tags: {} });
    // Sooner, a click counts as a machine's.
    app.clock.nowMs += 3000;
    const { response } = await call(trackClick, { path: { token } });
    expect(response.headers.location).toBe(link);
    await call(trackClick, { path: { token } });
    const log = await logOf(trackingId);
    expect(log).toMatchObject({ email_clicked_link: 'https://example.com/reset' });
    expect(log).not.toHaveProperty('email_clicked_machine');
    expect(await storedOf(trackingId)).not.toContain(CODE);
  });

  it('has no parameters in its in-app item', async () => {
    await accept({ type: 'login', inapp: { title: 'Hi {{ code }}' } });
    await app.settle();
    const items = (await everythingIn(app)).split('{"pk"').filter((each) => each.includes('"sk":"INAPP#'));
    const own = items.find((each) => each.includes('Hi K9X4'));
    expect(own).toBeDefined();
    expect(own).not.toContain('token');
  });
});

it.each([
  [{ parameters: { loginCode: 1, reset_token: 2, encoder: 3 } }, 'loginCode, reset_token'],
  [{ parameters: { zipped: 1, tokens: 2 } }, undefined],
  [{ parameters: { otp: 1 }, sensitive: true }, undefined],
])('the dry run of %j advises sensitive for %s', async (body, names) => {
  const { json } = await call(send, {
    key,
    query: { dryRun: 'true' },
    body: { ...content, type: 'plain', ...body },
  });
  const advice = json.messages.filter((each: string) => each.includes('sensitive'));
  expect(advice).toHaveLength(names === undefined ? 0 : 1);
  if (names !== undefined) expect(advice[0]).toContain(names);
});

it('shows the request, previews and the subject of others', async () => {
  const { trackingId } = await accept({ type: 'plain' });
  await app.settle();
  const record = await logOf(trackingId);
  expect(record.request).toContain(CODE);
  expect(record.email_preview).toContain(CODE);
});

function noise(): string {
  return Array.from({ length: 2000 }, (_, index) => Math.sin(index + 1).toString(36)).join('');
}
