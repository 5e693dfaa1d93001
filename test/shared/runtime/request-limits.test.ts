import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { requestLimits } from '../../../shared/runtime/request-limits.ts';

it('ends a request to a server that accepts it and never responds', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestHandler: requestLimits({ responseMs: 50 }),
  });
  onTestFinished(() => client.destroy());
  const asked = client.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: '1' } } }));
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
});
