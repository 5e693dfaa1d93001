import { WORKERS } from '../functions/workers.ts';
import { showProgress, withSeconds } from '../infra/progress.ts';
import { CommandError, EXIT, option, runCommand } from '../scripts/frame/command.ts';
import { HOUR_MS } from '../shared/runtime/values/durations.ts';
import { isTick } from './ledger.ts';
import {
  allDelivered,
  type CONTENT,
  inParallel,
  type MeasuredService,
  sendBody,
  skipTime,
  startMeasuredService,
} from './measured-service.ts';
import { tableOf } from './report.ts';

/** One usual way to notify, as the request of one notification of many. */
type Shape = {
  name: string;
  blocks: readonly (keyof typeof CONTENT)[];
  /** Delay of the message after its request. */
  delayMs?: number;
  /** Delivery option of the type; `hourly` collects what arrives within an hour. */
  delivery?: 'hourly';
  steps?: readonly object[];
  /** One request to a topic of all users. */
  isToTopic?: boolean;
  /** Notifications to one user, one after the other. */
  perUser?: number;
};

const ALL = ['email', 'inapp', 'mobile_push', 'sms', 'call', 'web_push', 'chat'] as const;
const SHAPES: readonly Shape[] = [
  { name: 'one email', blocks: ['email'] },
  { name: 'one in-app message', blocks: ['inapp'] },
  { name: 'one in-app message to a topic', blocks: ['inapp'], isToTopic: true },
  { name: 'seven channels', blocks: ALL },
  { name: 'one email, scheduled', blocks: ['email'], delayMs: HOUR_MS },
  { name: 'three channels', blocks: ['inapp', 'email', 'sms'] },
  {
    name: 'three channels in three steps',
    blocks: ['inapp', 'email', 'sms'],
    steps: [
      { channels: ['INAPP_WEB'] },
      { channels: ['EMAIL'], after: 'PT30M', when: 'always' },
      { channels: ['SMS'], after: 'PT30M', when: 'always' },
    ],
  },
  { name: 'digest of 20 by email', blocks: ['email'], delivery: 'hourly', perUser: 20 },
];
const COUNT = 100;
const CONCURRENCY = 16;

/** List prices, us-east-1, dollars per million requests, units and GB-s, and per KB stored for a month. */
const PRICE = {
  http: 1,
  invocation: 0.2,
  gbSecond: 13.33,
  write: 0.625,
  read: 0.125,
  sqs: 0.4,
  kbMonth: 0.238,
};
/** One call of the SDK costs about a millisecond of CPU and four of waiting; a provider responds in 50. */
const CPU_GB_SECONDS_PER_CALL = (0.001 * 1769) / 1024;
const WAIT_GB_SECONDS_PER_CALL = 0.004 * 0.5;
const WAIT_GB_SECONDS_PER_MESSAGE = 0.05 * 0.5;

/** The consumption of one notification of a shape. */
type Counts = {
  requests: number;
  write: number;
  read: number;
  databaseCalls: number;
  storedKb: number;
  invocations: number;
  sqsRequests: number;
  messages: number;
};

async function measure(service: MeasuredService, shape: Shape): Promise<Counts> {
  const { blocks, perUser = 1, delayMs } = shape;
  const users = COUNT / perUser;
  const type = shape.name.replaceAll(' ', '-');
  const body = (position: number) => ({ ...sendBody(blocks, position % users), type });
  // The first notification creates users and the type: that is paid once.
  service.ledger.reset();
  await inParallel(users, 1, (position) => service.send(body(position)));
  await allDelivered(service, users, blocks);
  if (shape.delivery) await collectHourly(service, type);
  if (shape.isToTopic) await addAllToTopic(service, users);
  await service.machine.settle();
  const { clock } = service.machine;
  const schedule = delayMs === undefined ? {} : { schedule: new Date(clock.now() + delayMs).toISOString() };
  const options = shape.steps ? { options: { steps: shape.steps } } : {};
  service.ledger.reset();
  service.takeInvocations();
  if (shape.isToTopic) await service.send({ ...body(0), to: { topic: 'all' } });
  else {
    await inParallel(COUNT, CONCURRENCY, (position) =>
      service.send({ ...body(position), ...schedule, ...options }),
    );
  }
  await service.machine.settle();
  for (const _ of shape.steps ?? []) await skipTime(service, 0.6 * HOUR_MS);
  if (delayMs !== undefined || shape.delivery)
    await service.machine.moveClock((nowMs) => nowMs + 1.5 * HOUR_MS);
  await allDelivered(service, COUNT / perUser, blocks);
  await service.machine.settle();
  return countsOf(service, shape.isToTopic ? 1 / COUNT : 1);
}

async function addAllToTopic(service: MeasuredService, users: number): Promise<void> {
  const { handler } = await import('../functions/topics/add-topic-users.ts');
  const response = await handler({
    headers: { authorization: `Bearer ${service.account.secretKey}` },
    pathParameters: { topicId: 'all' },
    body: JSON.stringify({ userIds: Array.from({ length: users }, (_, index) => `user-${index}`) }),
  });
  if (response.statusCode !== 200)
    throw new Error(`PUT /topics returned ${response.statusCode}: ${response.body}`);
}

async function collectHourly(service: MeasuredService, type: string): Promise<void> {
  const { handler } = await import('../functions/types/update-type.ts');
  const response = await handler({
    headers: { authorization: `Bearer ${service.account.secretKey}` },
    pathParameters: { notificationId: type },
    body: JSON.stringify({ options: { EMAIL: { defaultDeliveryOption: 'hourly' } } }),
  });
  if (response.statusCode !== 200)
    throw new Error(`PATCH /types returned ${response.statusCode}: ${response.body}`);
}

function countsOf({ ledger, takeInvocations }: MeasuredService, requests: number): Counts {
  const steps = ledger.steps().filter(({ name }) => !isTick(name));
  const total = (of: (step: (typeof steps)[number]) => number) =>
    steps.reduce((sum, step) => sum + of(step), 0) / COUNT;
  // Only ticks read the due index.
  const readOf = ({ name, read }: (typeof steps)[number]) => (name === 'due index' ? 0 : read);
  const kinds = new Map(WORKERS.map(({ name, trigger }) => [name, trigger.kind]));
  const events = [...takeInvocations()].filter(([name]) => kinds.get(name) !== 'schedule');
  const eventsOf = (isIncluded: (name: string) => boolean) =>
    events.filter(([name]) => isIncluded(name)).reduce((sum, [, { events: each }]) => sum + each, 0) / COUNT;
  const records = events
    .filter(([name]) => name.startsWith('deliver-'))
    .reduce((sum, [, { records: each }]) => sum + each, 0);
  return {
    write: total(({ write }) => write),
    read: total(readOf),
    databaseCalls: total(({ calls }) => calls),
    storedKb: total(({ storedBytes }) => storedBytes) / 1000,
    requests,
    invocations: requests + eventsOf(() => true),
    // Each batch is sent, received and deleted.
    sqsRequests: 3 * eventsOf((name) => kinds.get(name) === 'queue'),
    messages: records / COUNT,
  };
}

function dollarsOf(counts: Counts): number {
  const gbSeconds =
    (counts.databaseCalls + counts.sqsRequests / 3) * (CPU_GB_SECONDS_PER_CALL + WAIT_GB_SECONDS_PER_CALL) +
    counts.messages * WAIT_GB_SECONDS_PER_MESSAGE;
  return (
    counts.requests * PRICE.http +
    counts.invocations * PRICE.invocation +
    gbSeconds * PRICE.gbSecond +
    counts.write * PRICE.write +
    counts.read * PRICE.read +
    counts.sqsRequests * PRICE.sqs +
    counts.storedKb * PRICE.kbMonth
  );
}

const ABOUT = `Measures what usual ways to notify consume, and their list price per million notifications.

npm run bench:shapes -- [name]`;
const COMMAND = {
  about: ABOUT,
  options: { help: option.flag('this text') },
  notes: `Only the shapes whose name contains it: ${SHAPES.map(({ name }) => name).join(', ')}`,
  hasArguments: true,
};

runCommand(COMMAND, async (_, [command = '', ...more]) => {
  const shapes = SHAPES.filter(({ name }) => name.includes(command));
  if (shapes.length === 0 || more.length > 0)
    throw new CommandError('Pass one name, or a part of it. --help lists the names.', EXIT.usage);
  const resume = 'The shapes shown are measured. Pass the name of another one to measure it alone.';
  const progress = showProgress({ isJson: false, resume });
  const service = await startMeasuredService();
  service.pace.isAsLambda = true;
  try {
    for (const [index, shape] of shapes.entries()) {
      const { name: part } = shape;
      progress.show(withSeconds(() => `shape ${index + 1} of ${shapes.length}: ${part}`));
      const counts = await measure(service, shape);
      const note = 'without the provider';
      console.log(
        tableOf([
          { part, name: 'dollars per million', value: dollarsOf(counts), unit: 'USD', note },
          ...Object.entries(counts).map(([name, value]) => ({ part, name: `    ${name}`, value, unit: '' })),
        ]),
      );
    }
  } finally {
    progress.end();
    await service.stop();
  }
});
