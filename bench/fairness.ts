import { CONTENT, inParallel, type MeasuredService, sendBody } from './measured-service.ts';
import { type Figure, percentileOf } from './report.ts';

const PART = 'A single email while a topic is notified, from acceptance to the sent stage, on this machine';
const ALONE = 30;
const PUT_MAX = 100;
const CONCURRENCY = 8;
/** Between two single emails. */
const PAUSE_MS = 250;
const LOOK_MS = 100;
const WAIT_MS_MAX = 60_000;

/** The service, whether it is in this process or behind HTTP. */
export type Reached = {
  send(body: unknown): Promise<{ trackingId: string }>;
  addToTopic(topicId: string, userIds: readonly string[]): Promise<void>;
  readLog(trackingId: string): Promise<LogRecord>;
};
type LogRecord = {
  received_at?: string;
  email_sent_at?: string;
  topic_state?: string;
};

/** Times of single emails alone, and of those sent one after the other until every member of a topic is reached. */
export async function measureFairness(service: MeasuredService, members: number): Promise<Figure[]> {
  const { alone, during, seconds } = await timesBesideTopic(reachedInProcess(service), members);
  await service.machine.settle();
  const figures = (name: string, values: number[], note: string): Figure[] =>
    [50, 99].map((share) => ({
      ...{ part: PART, name: `${name}, p${share}`, unit: 'ms', note },
      value: percentileOf(values, share),
    }));
  return [
    ...figures('alone', alone, `${alone.length} emails`),
    ...figures('during the fan-out', during, `${during.length} emails, ${members} members in ${seconds} s`),
  ];
}

/** The same, as times in ms; `seconds` is how long the topic took. */
export async function timesBesideTopic(
  service: Reached,
  members: number,
): Promise<{ alone: number[]; during: number[]; seconds: number }> {
  await addMembers(service, members);
  const alone: number[] = [];
  for (let position = 0; position < ALONE; position += 1) alone.push(await singleMs(service, position));
  const beganAtMs = performance.now();
  const fan = await service.send({ type: 'fairness', to: { topic: 'fairness' }, inapp: CONTENT.inapp });
  const during: Promise<number>[] = [];
  while ((await service.readLog(fan.trackingId)).topic_state !== 'fanned_out') {
    during.push(singleMs(service, ALONE + during.length));
    await pause(PAUSE_MS);
  }
  const seconds = Math.round((performance.now() - beganAtMs) / 1000);
  return { alone, during: await Promise.all(during), seconds };
}

async function addMembers(service: Reached, members: number): Promise<void> {
  await inParallel(Math.ceil(members / PUT_MAX), CONCURRENCY, async (request) => {
    const first = (request - 1) * PUT_MAX;
    const count = Math.min(PUT_MAX, members - first);
    const userIds = Array.from({ length: count }, (_, index) => `member-${first + index}`);
    await service.addToTopic('fairness', userIds);
  });
}

/** Returns the time from acceptance to the sent stage, as the log has it. */
async function singleMs(service: Reached, position: number): Promise<number> {
  const untilMs = performance.now() + WAIT_MS_MAX;
  const { trackingId } = await service.send({ ...sendBody(['email'], position), type: 'single' });
  for (;;) {
    const { received_at: receivedAt, email_sent_at: sentAt } = await service.readLog(trackingId);
    if (receivedAt && sentAt) return Date.parse(sentAt) - Date.parse(receivedAt);
    if (performance.now() > untilMs) throw new Error(`${trackingId} was not sent`);
    await pause(LOOK_MS);
  }
}

function reachedInProcess({ account, send }: MeasuredService): Reached {
  const headers = { authorization: `Bearer ${account.secretKey}` };
  return {
    send,
    async addToTopic(topicId, userIds) {
      const { handler } = await import('../functions/topics/add-topic-users.ts');
      const response = await handler({
        headers,
        pathParameters: { topicId },
        body: JSON.stringify({ userIds }),
      });
      if (response.statusCode !== 200)
        throw new Error(`PUT /topics returned ${response.statusCode}: ${response.body}`);
    },
    async readLog(trackingIds) {
      const { handler } = await import('../functions/logs/get-logs.ts');
      const response = await handler({ headers, pathParameters: { trackingIds } });
      if (response.statusCode !== 200)
        throw new Error(`GET /logs returned ${response.statusCode}: ${response.body}`);
      const { logs }: { logs: LogRecord[] } = JSON.parse(response.body);
      return logs[0] ?? {};
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
