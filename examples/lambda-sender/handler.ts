import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createClient } from 'notification-delivery-client';

type OrderPlaced = { detail: { orderId: string; customerId: string; email: string } };

/** Sends one notification for each order, however often EventBridge delivers the event. */
export async function handler({ detail }: OrderPlaced): Promise<{ trackingId: string }> {
  const client = createClient({ baseUrl: process.env.NDS_URL ?? '', key: await readKey() });
  const { trackingId } = await client.send(
    {
      type: 'order_placed',
      to: { id: detail.customerId, email: detail.email },
      parameters: { order: detail.orderId },
      email: { subject: 'Order {{ order }}', html: '<p>Thank you for order {{ order }}.</p>' },
    },
    {},
    { idempotencyKey: `order-${detail.orderId}` },
  );
  return { trackingId };
}

let key: string | undefined;

async function readKey(): Promise<string> {
  key ??= process.env.NDS_KEY;
  if (key === undefined) {
    const secrets = new SecretsManagerClient();
    const secret = new GetSecretValueCommand({ SecretId: process.env.NDS_KEY_SECRET });
    key = (await secrets.send(secret)).SecretString ?? '';
  }
  return key;
}
