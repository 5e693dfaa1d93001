import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queues } from '../../../shared/messaging/queues.ts';
import { createSqsQueues } from '../../../shared/messaging/sqs.ts';

const MIB = 1024 * 1024;
type Entry = { Id: string; MessageBody: string };

const batches: Entry[][] = [];
let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { Entries: entries }: { Entries: Entry[] } = JSON.parse(await text(request));
    batches.push(entries);
    const successful = entries.map(({ Id, MessageBody }) => ({
      Id,
      MessageId: Id,
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    }));
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ Successful: successful, Failed: [] }));
  });
  await new Promise<void>((opened) => server.listen(0, '127.0.0.1', opened));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  Object.assign(process.env, {
    QUEUE_URL_CALL_WEBHOOKS: `http://127.0.0.1:${port}/000000000000/calls`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(() => {
  server.close();
});

it('sends ten messages a batch at most, and never more bytes than SQS takes', async () => {
  const sizes = [...Array.from({ length: 23 }, () => 10), ...Array.from({ length: 7 }, () => 300 * 1024)];
  const bodies = sizes.map((size, index) => `${index} ${'ü'.repeat(size / 2)}`);
  const refused = await createSqsQueues().send(
    'call-webhooks',
    bodies.map((body) => ({ body })),
  );
  expect(refused).toEqual([]);
  const entries = batches.flat().sort((left, right) => Number(left.Id) - Number(right.Id));
  expect(entries.map(({ MessageBody }) => MessageBody)).toEqual(bodies);
  expect(entries.map(({ Id }) => Id)).toEqual(bodies.map((_, index) => String(index)));
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(10);
    const sizeBytes = batch.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
    expect(sizeBytes).toBeLessThan(MIB);
  }
});

it('has every method of the port in its deployed form, which loads the SDK with the first call', () => {
  expect(Object.keys(queues.create()).sort()).toEqual(Object.keys(createSqsQueues()).sort());
});
