import apn from '@parse/node-apn';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEVICE } from '../shared/channels/push/start-apns.ts';
import { makeCertificate } from '../shared/http-client/certificate.ts';
import { APN_CONFIG, APNS_TOPIC, startApnsFake } from '../support/fakes/apns.ts';

describe('the fake APNs', () => {
  test('works with a public APNs client', async () => {
    const fake = await startApnsFake({ tls: makeCertificate('localhost'), devices: [DEVICE] });
    onTestFinished(fake.close);
    const { Key: key, KeyId: keyId, TeamId: teamId } = APN_CONFIG;
    const provider = new apn.Provider({
      token: { key, keyId, teamId },
      ...{ address: 'localhost', port: fake.port },
      rejectUnauthorized: false,
    });
    onTestFinished(() => provider.shutdown());
    const notification = new apn.Notification();
    Object.assign(notification, { topic: APNS_TOPIC, alert: { title: 'a', body: 'b' }, pushType: 'alert' });
    const response = await provider.send(notification, [DEVICE, 'b2'.repeat(32)]);
    expect(response.sent.map(({ device }) => device)).toEqual([DEVICE]);
    expect(response.failed.map(({ status, response }) => [status, response?.reason])).toEqual([
      [400, 'BadDeviceToken'],
    ]);
  });
});
