import { describe, expect, it } from 'vitest';
import { handler as markMessages } from '../../../functions/inapp/mark-messages.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { pipeline, stepsAccount, useSteps } from '../schedules/steps-setup.ts';

useSteps();

const TO = {
  PUSH: { pushTokens: [{ type: 'FCM', token: 'token-1' }] },
  WEB_PUSH: {
    webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } } }],
  },
};
const CHANNELS = [
  ['PUSH', 'mobile_push'],
  ['WEB_PUSH', 'web_push'],
] as const;

async function pushed(channel: 'PUSH' | 'WEB_PUSH') {
  const steps = [{ channels: [channel] }, { channels: ['SMS'], after: 'PT30M', when: 'unseen' }];
  const account = await stepsAccount(steps, TO[channel], ['PUSH', 'WEB_PUSH']);
  const content = { title: 'Hello', message: 'You', url: 'https://example.com' };
  const trackingId = await account.send({ mobile_push: content, web_push: content });
  const report = (body: object, more: object = {}) =>
    call(markMessages, {
      key: account.key,
      query: { userId: 'ada' },
      body: { trackingIds: [trackingId], channel, ...body },
      ...more,
    });
  return { account, trackingId, report };
}

describe('PATCH /user/messages', () => {
  it.each(
    CHANNELS.flatMap(([channel, prefix]) =>
      (['opened', 'clicked'] as const).map((mark) => [channel, prefix, mark] as const),
    ),
  )(
    'records that a %s was seen (%s_%s_at): the step for what is unseen is skipped',
    async (channel, prefix, mark) => {
      const { account, trackingId, report } = await pushed(channel);
      const at = new Date(pipeline.clock.nowMs).toISOString();
      expect(await report({ [mark]: true })).toMatchObject({
        status: 200,
        json: { trackingIds: [trackingId] },
      });
      await pipeline.goTo(pipeline.clock.nowMs + 40 * 60_000);
      expect((await report({ [mark]: true })).status).toBe(200);
      expect(await account.log(trackingId)).toMatchObject({
        [`${prefix}_${mark}_at`]: at,
        sms_skipped_reason: 'SEEN',
      });
      expect(account.sent()).not.toContain('SMS');
    },
  );

  it('changes nothing for another user, channel, environment or ID', async () => {
    const { account, trackingId, report } = await pushed('PUSH');
    const stranger = await createTestAccount(pipeline);
    for (const refused of [
      await report({ opened: true }, { query: { userId: 'bob' } }),
      await report({ opened: true, channel: 'WEB_PUSH' }),
      await report({ opened: true }, { key: stranger.secret.key }),
      await report({ opened: true, trackingIds: ['unknown'] }),
    ])
      expect([refused.status, refused.json.error.code]).toEqual([400, 'RESOURCE_NOT_FOUND']);
    for (const wrong of [
      {},
      { opened: false },
      { opened: true, channel: 'SMS' },
      { opened: true, trackingIds: [] },
    ])
      expect((await report(wrong)).json.error.code).toBe('INVALID_REQUEST');
    expect((await report({ opened: true }, { query: {} })).status).toBe(400);
    await pipeline.goTo(pipeline.clock.nowMs + 40 * 60_000);
    expect(account.sent()).toContain('SMS');
    expect(await account.log(trackingId)).not.toHaveProperty('mobile_push_opened_at');
  });
});
