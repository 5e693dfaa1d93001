import { beforeEach, describe, expect, it } from 'vitest';
import { handler as listConsents } from '../../../functions/preferences/list-consents.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as ingestSes } from '../../../functions/workers/receipts/ingest-ses.ts';
import { SANDBOX_NUMBER } from '../../../shared/channels/sandbox/sandbox-number.ts';
import { INBOUND_SMS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { complaintEvent } from '../../shared/channels/email/ses-event-fixtures.ts';
import { call } from '../../support/app.ts';
import { toSnsNotification } from '../../support/fakes/aws-sms.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { useAccount } from '../../support/use-app.ts';
import { publish } from '../../support/workers.ts';

const app = usePipeline();
const account = useAccount(app, 'test');
const NUMBER = '+491701234567';
let key: string;
beforeEach(async () => {
  key = account.secret.key;
  app.clock.nowMs += 60_000;
  for (const notificationId of ['news', 'offers', 'tips'])
    await call(createType, {
      key,
      body: { notificationId, title: notificationId, channels: ['EMAIL', 'SMS'] },
    });
  const body = { email: 'ada@person.example', number: NUMBER };
  await call(saveUser, { key, path: { userId: 'ada' }, body });
});

const history = async (query = {}) =>
  (await call(listConsents, { key, path: { userId: 'ada' }, query })).json;
const notify = async (content: object) => {
  const { json } = await call(send, { key, body: { type: 'news', to: { id: 'ada' }, ...content } });
  await app.settle();
  return String(json.trackingId);
};

describe('the history of consent', () => {
  it('has a complaint once, not the complaint of somebody who got a copy', async () => {
    const email = { subject: 's', html: 'h' };
    const trackingId = await notify({ email, options: { email: { ccAddresses: ['bob@person.example'] } } });
    const report = (address: string) => {
      const event: { mail: object } = JSON.parse(
        JSON.stringify(complaintEvent('abuse')).replaceAll(
          /"emailAddress":"[^"]*"/g,
          `"emailAddress":"${address}"`,
        ),
      );
      const { accountId } = account.account;
      const tags = {
        trackingId: [trackingId],
        accountId: [accountId],
        envId: [account.environment.environmentId],
      };
      return publish(ingestSes, toSnsNotification({ ...event, mail: { ...event.mail, tags } }));
    };
    await report('bob@person.example');
    expect((await history()).consents).toEqual([]);
    await report('ada@person.example');
    await report('ada@person.example');
    const entry = { notificationId: 'news', channel: 'EMAIL', state: 'withdrawn', source: 'complaint' };
    expect((await history()).consents).toEqual([expect.objectContaining({ ...entry, actor: 'person' })]);
  });

  it('has STOP and START, newest first', async () => {
    await notify({ sms: { message: 'Hi' } });
    for (const messageBody of ['STOP', 'START']) {
      app.clock.nowMs += 1000;
      const event = { originationNumber: NUMBER, destinationNumber: SANDBOX_NUMBER, messageBody };
      const body = toSnsNotification(
        { ...event, inboundMessageId: `in-${messageBody}` },
        new Date(app.clock.nowMs).toISOString(),
      );
      app.queues.send(INBOUND_SMS_QUEUE, [{ body }, { body }]);
      await app.settle();
    }
    const { consents } = await history();
    const marketing = { purpose: 'marketing', channel: 'SMS', actor: 'person' };
    expect(consents).toEqual([
      expect.objectContaining({ ...marketing, state: 'reset', source: 'START' }),
      expect.objectContaining({ ...marketing, state: 'withdrawn', source: 'STOP' }),
    ]);
  });

  it.each([1, 2, 3, 4, 7])('is read in pages of %d, also within one request', async (limit) => {
    const types = ['news', 'offers', 'tips'];
    for (const delivery of ['off', 'instant']) {
      app.clock.nowMs += 1000;
      const body = types.map((notificationId) => ({ notificationId, channel: 'EMAIL', delivery }));
      expect((await call(savePreferences, { key, path: { userId: 'ada' }, body })).status).toBe(200);
    }
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await history({ limit: String(limit), ...(cursor ? { cursor } : {}) });
      expect(page.consents.length).toBeLessThanOrEqual(limit);
      for (const { notificationId, state } of page.consents) read.push(`${notificationId} ${state}`);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(read).toEqual([
      ...types.map((each) => `${each} given`),
      ...types.map((each) => `${each} withdrawn`),
    ]);
  });
});
