import { describe, expect, it } from 'vitest';
import { handler as createComponent } from '../../../functions/components/create-component.ts';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as tailLogs } from '../../../functions/logs/tail-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf, withSettings } from '../../support/workers.ts';

const pipeline = usePipeline();

const ADA = { id: 'ada', email: 'ada@example.com', number: '+14155550123' };
const DAY_MS = 86_400_000;
const NOT_SENT = 'IGNORE_BY_ENVIRONMENT';

async function succeed(called: ReturnType<typeof call>) {
  const { status, json } = await called;
  expect([status, JSON.stringify(json)]).toEqual([expect.toBeOneOf([200, 201, 204]), expect.anything()]);
  return json;
}

async function shadow(change: object | undefined = { disableSending: CHANNELS }) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const path = { clientId: account.environment.environmentId };
  const update = (body: object) => succeed(call(updateEnvironment, { key, path, body }));
  if (change) await update(change);
  return {
    update,
    save: (body: object) => succeed(call(saveUser, { key, path: { userId: 'ada' }, body })),
    type: (body: object) => succeed(call(createType, { key, body: { title: 'T', ...body } })),
    component: (body: object) => succeed(call(createComponent, { key, body })),
    template: (notificationId: string, channel: string, body: object) =>
      succeed(call(createTemplate, { key, path: { notificationId, channel }, body })),
    topic: (userIds: string[]) =>
      succeed(call(addTopicUsers, { key, path: { topicId: 'all' }, body: { userIds } })),
    bulk: (notifications: object[]) => succeed(call(sendBulk, { key, body: { notifications } })),
    async send(body: object): Promise<string> {
      const { trackingId } = await succeed(call(send, { key, body: { type: 't', to: ADA, ...body } }));
      return trackingId;
    },
    log: (trackingId: string) => recordOf(account, trackingId),
    latest: async () => (await succeed(call(tailLogs, { key }))).logs,
    sent: () => pipeline.sentBy(account),
  };
}

const parameters = { name: 'Ada' };
const EMAIL = { subject: 'Hi', html: '<p>Hi {{ name }}</p>' };
const SMS = { message: 'Hi {{ name }}' };

describe('the log of a notification that the environment does not send', () => {
  it('has the content of every channel, also without an address', async () => {
    const app = await shadow();
    const trackingId = await app.send({
      to: { id: 'ada' },
      parameters,
      email: EMAIL,
      sms: SMS,
      call: { message: 'Call {{ name }}' },
      inapp: { title: 'In {{ name }}' },
      mobile_push: { title: 'Push {{ name }}', message: 'M' },
      web_push: { title: 'Web {{ name }}', message: 'M' },
      chat: { text: 'Chat {{ name }}' },
    });
    await pipeline.settle();
    const log = await app.log(trackingId);
    expect(log).toMatchObject({
      ignored: 'ALL_CHANNELS_IGNORED',
      email_routing: 'IGNORE',
      email_routing_reason: NOT_SENT,
      email_preview: '<p>Hi Ada</p>',
      sms_preview: 'Hi Ada',
      call_preview: 'Call Ada',
    });
    expect(JSON.parse(log.inapp_preview)).toMatchObject({ title: 'In Ada' });
    expect(JSON.parse(log.mobile_push_preview)).toMatchObject({ title: 'Push Ada', message: 'M' });
    expect(JSON.parse(log.web_push_preview)).toMatchObject({ title: 'Web Ada', message: 'M' });
    expect(JSON.parse(log.chat_preview)).toMatchObject({ text: 'Chat Ada' });
    expect(Object.keys(log).filter((name) => /_(sent|failed|delivered)_at$/.test(name))).toEqual([]);
    expect(app.sent()).toEqual([]);
    expect(pipeline.errors).toEqual([]);
  });

  it('has the content of its template, in its layout, with its components, in the language of the user', async () => {
    const app = await shadow();
    await app.component({ componentId: 'frame', name: 'Frame', html: '<main>{{ content }}</main>' });
    await app.component({ componentId: 'foot', name: 'Foot', html: '<i>{{ text }}</i>' });
    await app.type({ notificationId: 't', channels: ['EMAIL'] });
    const html = (hello: string) => `${hello} {{ name }}{% component 'foot', text: 'end' %}`;
    const template = { templateId: 'a', layout: 'frame' };
    await app.template('t', 'EMAIL', { ...template, subject: 'S', html: html('Hello') });
    await app.template('t', 'EMAIL', { ...template, locale: 'de', subject: 'S', html: html('Hallo') });
    await app.save({ locale: 'de-AT' });
    const trackingId = await app.send({ parameters });
    await pipeline.settle();
    expect(await app.log(trackingId)).toMatchObject({
      email_routing_reason: NOT_SENT,
      email_template: 'a',
      email_locale: 'de',
      email_preview: expect.stringContaining('<main>Hallo Ada<i>end</i></main>'),
    });
  });

  it('has the digest of the item, if the user collects the channel', async () => {
    const app = await shadow();
    const daily = { defaultDeliveryOption: 'daily', daily: { enabled: true } };
    await app.type({
      notificationId: 't',
      channels: ['EMAIL', 'SMS'],
      options: { EMAIL: daily, SMS: daily },
    });
    const html = '{{ _items.size }}: {% for each in _items %}{{ each.name }}{% endfor %}';
    await app.template('t', 'EMAIL', { templateId: 'daily', subject: 'S', html });
    const trackingId = await app.send({ parameters, sms: SMS });
    await pipeline.settle();
    expect(await app.log(trackingId)).toMatchObject({ email_preview: '1: Ada', sms_preview: 'Hi Ada' });
  });

  it('has the content of each step and of a schedule once it is due', async () => {
    const app = await shadow();
    const schedule = new Date(pipeline.clock.nowMs + DAY_MS).toISOString();
    const steps = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT1H', when: 'always' }];
    const stepped = await app.send({ parameters, email: EMAIL, sms: SMS, options: { steps } });
    const scheduled = await app.send({ parameters, email: EMAIL, schedule });
    await pipeline.settle();
    expect(await app.log(stepped)).toMatchObject({ email_preview: '<p>Hi Ada</p>', sms_routing: 'SCHEDULE' });
    expect(await app.log(stepped)).not.toHaveProperty('sms_preview');
    expect(await app.log(scheduled)).not.toHaveProperty('email_preview');
    await pipeline.goTo(pipeline.clock.nowMs + DAY_MS + 1000);
    expect(await app.log(stepped)).toMatchObject({ sms_routing_reason: NOT_SENT, sms_preview: 'Hi Ada' });
    expect(await app.log(scheduled)).toMatchObject({ email_preview: '<p>Hi Ada</p>' });
  });

  it('has the content of each member of a topic, and of each entry of a bulk request', async () => {
    const app = await shadow();
    await app.save({ email: 'ada@example.com' });
    await app.topic(['ada']);
    await app.send({ to: { topic: 'all' }, email: { subject: 'S', html: 'For {{ user.id }}' } });
    const { results } = await app.bulk(
      ['a', 'b'].map((name) => ({
        type: 't',
        to: ADA,
        parameters: { name },
        sms: SMS,
        forceChannels: ['SMS'],
      })),
    );
    await pipeline.settle();
    const logs = await Promise.all(
      results.map(({ trackingId }: { trackingId: string }) => app.log(trackingId)),
    );
    expect(logs.map(({ sms_preview }) => sms_preview)).toEqual(['Hi a', 'Hi b']);
    const previews = (await app.latest()).map((each: { email_preview?: string }) => each.email_preview);
    expect(previews.filter(Boolean)).toEqual(['For ada']);
    expect(app.sent()).toEqual([]);
  });

  it.each([
    [{ onlyTo: ['example.org'] }, '<p>Hi Ada</p>'],
    [{ onlyTo: ['example.com'] }, '<p>Hi Ada</p>'],
    [{ disableSending: ['EMAIL'] }, '<p>Hi Ada</p>'],
  ])('has the content with %j', async (change, preview) => {
    const app = await shadow(change);
    const trackingId = await app.send({ parameters, email: EMAIL });
    await pipeline.settle();
    expect(await app.log(trackingId)).toMatchObject({ email_preview: preview });
  });

  it('has the content of what waited when the environment stopped sending', async () => {
    const app = await shadow(undefined);
    const hourly = { defaultDeliveryOption: 'hourly', hourly: { enabled: true } };
    await app.type({ notificationId: 't', channels: ['EMAIL', 'SMS'], options: { EMAIL: hourly } });
    await app.save({ pausedUntil: new Date(pipeline.clock.nowMs + DAY_MS).toISOString() });
    const trackingId = await app.send({ parameters, email: EMAIL, sms: SMS });
    await pipeline.settle();
    await app.update({ disableSending: CHANNELS });
    await pipeline.goTo(pipeline.clock.nowMs + 2 * DAY_MS);
    expect(await app.log(trackingId)).toMatchObject({
      email_routing_reason: NOT_SENT,
      email_preview: '<p>Hi Ada</p>',
      sms_routing_reason: NOT_SENT,
      sms_preview: 'Hi Ada',
    });
    expect(app.sent()).toEqual([]);
  });

  it('names why there is no content', async () => {
    const app = await shadow();
    await app.type({ notificationId: 't', channels: ['EMAIL'] });
    const trackingId = await app.send({
      parameters: { last: 999_999 },
      email: { subject: 'S', html: '{% for each in (1..last) %}{{ each }}{% endfor %}' },
    });
    await pipeline.settle();
    const log = await app.log(trackingId);
    expect(log).not.toHaveProperty('email_preview');
    expect(log.email_failed_internal).toContain('could not be rendered');
  });

  it('has no content of a sensitive notification, and none on a channel that the deployment does not have', async () => {
    const app = await shadow();
    const secret = await app.send({ sensitive: true, parameters, email: EMAIL, sms: SMS });
    await pipeline.settle();
    expect(JSON.stringify(await app.log(secret))).not.toMatch(/_preview|Ada/);
    await withSettings({ CHANNELS_OFF: 'SMS' }, async () => {
      const trackingId = await app.send({ parameters, email: EMAIL, sms: SMS });
      await pipeline.settle();
      const log = await app.log(trackingId);
      expect(log).toMatchObject({ sms_routing_reason: NOT_SENT, email_preview: '<p>Hi Ada</p>' });
      expect(log).not.toHaveProperty('sms_preview');
    });
  });
});
