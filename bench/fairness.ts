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

/** Times of single emails alone, and of those sent one after the other until every member of a topic is reached. */
export async function measureFairness(service: MeasuredService, members: number): Promise<Figure[]> {
  await addMembers(service, members);
  const alone: number[] = [];
  for (let position = 0; position < ALONE; position += 1) alone.push(await singleMs(service, position));
  const beganAtMs = performance.now();
  const fan = await service.send({ type: 'fairness', to: { topic: 'fairness' }, inapp: CONTENT.inapp });
  const during: Promise<number>[] = [];
  while ((await readRecord(service, fan.trackingId)).topic_state !== 'fanned_out') {
    during.push(singleMs(service, ALONE + during.length));
    await pause(PAUSE_MS);
  }
  const seconds = Math.round((performance.now() - beganAtMs) / 1000);
  const busy = await Promise.all(during);
  await service.machine.settle();
  const figures = (name: string, values: number[], note: string): Figure[] =>
    [50, 99].map((share) => ({
      ...{ part: PART, name: `${name}, p${share}`, unit: 'ms', note },
      value: percentileOf(values, share),
    }));
  return [
    ...figures('alone', alone, `${alone.length} emails`),
    ...figures('during the fan-out', busy, `${busy.length} emails, ${members} members in ${seconds} s`),
  ];
}

async function addMembers({ account }: MeasuredService, members: number): Promise<void> {
  const { handler } = await import('../functions/topics/add-topic-users.ts');
  await inParallel(Math.ceil(members / PUT_MAX), CONCURRENCY, async (request) => {
    const first = (request - 1) * PUT_MAX;
    const count = Math.min(PUT_MAX, members - first);
    const answer = await handler({
      headers: { authorization: `Bearer ${account.secretKey}` },
      pathParameters: { topicId: 'fairness' },
      body: JSON.stringify({
        userIds: Array.from({ length: count }, (_, index) => `member-${first + index}`),
      }),
    });
    if (answer.statusCode !== 200)
      throw new Error(`PUT /topics returned ${answer.statusCode}: ${answer.body}`);
  });
}

/** Returns the time from acceptance to the sent stage, as the log has it. */
async function singleMs(service: MeasuredService, position: number): Promise<number> {
  const untilMs = performance.now() + WAIT_MS_MAX;
  const { trackingId } = await service.send({ ...sendBody(['email'], position), type: 'single' });
  for (;;) {
    const { received_at: receivedAt, email_sent_at: sentAt } = await readRecord(service, trackingId);
    if (receivedAt && sentAt) return Date.parse(sentAt) - Date.parse(receivedAt);
    if (performance.now() > untilMs) throw new Error(`${trackingId} was not sent`);
    await pause(LOOK_MS);
  }
}

type LogRecord = { received_at?: string; email_sent_at?: string; topic_state?: string };

async function readRecord({ account }: MeasuredService, trackingId: string): Promise<LogRecord> {
  const { handler } = await import('../functions/logs/get-logs.ts');
  const answer = await handler({
    headers: { authorization: `Bearer ${account.secretKey}` },
    pathParameters: { trackingIds: trackingId },
  });
  if (answer.statusCode !== 200) throw new Error(`GET /logs returned ${answer.statusCode}: ${answer.body}`);
  const { logs }: { logs: LogRecord[] } = JSON.parse(answer.body);
  return logs[0] ?? {};
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
