import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createClient } from 'notification-delivery-client';

type Stored = { dynamodb: { NewImage: Record<'id' | 'customer' | 'email', { S: string }> } };

const secrets = new SecretsManagerClient();
const client = createClient({
  baseUrl: process.env.NDS_URL ?? '',
  key: async () => {
    const secret = new GetSecretValueCommand({ SecretId: process.env.NDS_KEY_SECRET });
    return (await secrets.send(secret)).SecretString ?? '';
  },
});

/** Sends one notification for each order, however often the stream delivers it. */
export async function handler({ Records }: { Records: Stored[] }): Promise<void> {
  for (const { dynamodb } of Records) {
    const { id, customer, email } = dynamodb.NewImage;
    await client.send(
      {
        type: 'order_stored',
        to: { id: customer.S, email: email.S },
        parameters: { order: id.S },
        email: { subject: 'Order {{ order }}', html: '<p>Thank you for order {{ order }}.</p>' },
      },
      {},
      { idempotencyKey: `order-${id.S}` },
    );
  }
}
