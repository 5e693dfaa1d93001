import { describe, expect, it } from 'vitest';
import { openLocalQueues, openQueueStore } from '../../../../infra/local/queue/queue.ts';
import { consumeQueue } from '../../../../infra/local/queue/queue-consumer.ts';
import { createQueueRoutes } from '../../../../infra/local/sandbox/queue-routes.ts';

const QUEUE = 'deliver-sms';

function createWorld() {
  let nowMs = 0;
  const queues = openLocalQueues({ store: openQueueStore(':memory:'), now: () => nowMs });
  const rules = { visibilityTimeoutSeconds: 1, fifo: false };
  queues.createQueue({ name: `${QUEUE}-dead`, ...rules, receiveCountMax: 1e6 });
  queues.createQueue({ name: QUEUE, ...rules, receiveCountMax: 2, deadLetterQueue: `${QUEUE}-dead` });
  const routes = createQueueRoutes(queues, { isPaused: false });
  const ask = async (method: string, path: string, body = '') => {
    const response = await routes({ method, path: `/_sandbox/${path}`, body: Buffer.from(body) });
    return response && JSON.parse(response.body);
  };
  return { queues, ask, pass: (ms: number) => (nowMs += ms) };
}

describe('the dead-letter routes', () => {
  it('list messages with their last error and requeue single ones', async () => {
    const { queues, ask, pass } = createWorld();
    queues.send(QUEUE, [{ body: '{"trackingId":"t-1"}' }, { body: 'no json' }]);
    const consumer = consumeQueue({
      queues,
      queue: QUEUE,
      batchSize: 1,
      concurrency: 1,
      now: () => 0,
      onError: () => {},
      handler: async ({ Records: [record] }) => {
        throw new TypeError(`cannot read ${record?.body.length}`);
      },
    });
    for (let receive = 0; receive < 3; receive += 1) {
      await consumer.drain();
      pass(2000);
      consumer.wake();
    }
    await expect.poll(() => queues.depth(`${QUEUE}-dead`).visible).toBe(2);
    await consumer.stop();
    const { deadLetters } = await ask('GET', `queues/${QUEUE}/dead-letters`);
    expect(deadLetters).toMatchObject([
      { message: { trackingId: 't-1' }, receiveCount: 2, error: 'TypeError: cannot read 20' },
      { message: 'no json', error: 'TypeError: cannot read 7' },
    ]);
    const ids = JSON.stringify({ ids: [deadLetters[1].id] });
    expect(await ask('POST', `queues/${QUEUE}/dead-letters`, ids)).toEqual({ moved: 1 });
    expect(queues.depth(QUEUE).visible).toBe(1);
    expect(await ask('POST', `queues/${QUEUE}/dead-letters`)).toEqual({ moved: 1 });
    expect(queues.depth(`${QUEUE}-dead`).visible).toBe(0);
  });

  it('return 404 for an unknown queue and 400 unless IDs are a list', async () => {
    const { ask } = createWorld();
    expect(await ask('GET', 'queues/nothing/dead-letters')).toBeUndefined();
    await expect(ask('POST', `queues/${QUEUE}/dead-letters`, '{"ids":"all"}')).rejects.toThrow('ids must be');
  });
});

describe('an event sent to a worker', () => {
  const TEXT = {
    originationNumber: '+14155550177',
    destinationNumber: '+15005550006',
    messageBody: 'STOP',
    inboundMessageId: '1',
  };
  it.each([
    ['ses', '{'],
    ['ses', '[]'],
    ['ses', '{"hello":"world"}'],
    ['two-way-sms', '{"messageBody":"STOP"}'],
    ['two-way-sms', 'STOP'],
    ['sms-voice', JSON.stringify(TEXT)],
  ])('fails for %s as %s', async (source, body) => {
    const { ask } = createWorld();
    await expect(ask('POST', `events/${source}`, body)).rejects.toThrow(`not an event of ${source}`);
  });

  it('reaches the queue when its worker can read it', async () => {
    const { queues, ask } = createWorld();
    queues.createQueue({ name: 'ingest-inbound-sms', visibilityTimeoutSeconds: 1, receiveCountMax: 1 });
    expect(await ask('POST', 'events/two-way-sms', JSON.stringify(TEXT))).toEqual({
      queue: 'ingest-inbound-sms',
    });
    expect(queues.depth('ingest-inbound-sms').visible).toBe(1);
  });
});

describe('the pause route', () => {
  it('pauses and resumes, and the list of queues shows it', async () => {
    const { ask } = createWorld();
    expect(await ask('GET', 'queues')).toMatchObject({ isPaused: false });
    expect(await ask('POST', 'pause', '{"isPaused":true}')).toEqual({ isPaused: true });
    expect(await ask('GET', 'queues')).toMatchObject({ isPaused: true });
    expect(await ask('POST', 'pause', '{"isPaused":false}')).toEqual({ isPaused: false });
  });

  it.each(['', '{}', '[]', '{"isPaused":"yes"}', '{"isPaused":true,"x":1}'])(
    'changes nothing for %j',
    async (body) => {
      const { ask } = createWorld();
      await ask('POST', 'pause', '{"isPaused":true}');
      await expect(ask('POST', 'pause', body)).rejects.toThrow('must be true or false');
      expect(await ask('GET', 'queues')).toMatchObject({ isPaused: true });
    },
  );
});
