import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startService, type TestService } from 'notification-delivery-client/testing';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service?.stop());

/** Stands for the code of your app. */
const shipOrder = (order: string, email: string) =>
  service.client.send({
    type: 'order_shipped',
    to: { id: email, email },
    parameters: { order },
    email: { subject: 'Order {{ order }} is on its way', html: '<p>Order {{ order }} has shipped.</p>' },
  });

test('the customer gets an email when the order ships', async () => {
  await shipOrder('A-1001', 'ada@example.com');
  const { message } = await service.outbox.next({ to: 'ada@example.com', channel: 'EMAIL' });
  assert.equal(message.subject, 'Order A-1001 is on its way');
});
