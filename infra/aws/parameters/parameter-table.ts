import type { SettingName } from '../../../shared/runtime/settings.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { DOMAIN_NAME } from '../../settings.ts';

/** The accepted texts, and their description. */
type Shape = { pattern: RegExp; expected: string };
/** A text; one that is empty by default may always be empty. */
export type Text = { kind: 'text'; fallback: string; shape?: Shape };
/** An integer, one of `values` if there are any. */
export type Count = {
  kind: 'number';
  fallback: number;
  min: number;
  max: number;
  values?: readonly number[];
};
type Flag = { kind: 'flag'; fallback: boolean };
type Choice<T extends string> = { kind: 'choice'; fallback: T; values: readonly T[] };
type NumberMap = { kind: 'numbers'; min: number; max: number };
type TextMap = { kind: 'texts' };
/** One parameter as data. */
export type Parameter = { about: string } & (Text | Count | Flag | Choice<string> | NumberMap | TextMap);

const NAME: Shape = {
  pattern: /^[a-z][a-z0-9-]{0,15}$/,
  expected: 'up to 16 lower-case letters, digits and dashes, starting with a letter',
};
const DOMAIN: Shape = {
  pattern: DOMAIN_NAME,
  expected: 'a domain in lower case, such as api.example.com',
};

const ALL_CHANNELS = CHANNELS.join(',');

/** Every parameter of a deployment, given as CDK context (`cdk.json`, `-c name=value`). */
export const CONTEXT = {
  stage: {
    kind: 'text',
    fallback: 'dev',
    shape: NAME,
    about: 'Name of this deployment: part of every resource name. An account can have several stages.',
  },
  name: {
    kind: 'text',
    fallback: 'notifications',
    shape: NAME,
    about: 'First part of every resource name.',
  },
  protection: {
    kind: 'choice',
    fallback: 'auto',
    values: ['auto', 'on', 'off'],
    about:
      'on: table, files, key and members survive `cdk destroy` and cannot be deleted by mistake. auto: on for stages named prod…, production… or live….',
  },
  domainName: {
    kind: 'text',
    fallback: '',
    shape: DOMAIN,
    about:
      'Domain of the API, such as api.example.com; needs certificateArn. Empty: the address that API Gateway assigns.',
  },
  assignedAddress: {
    kind: 'choice',
    fallback: 'on',
    values: ['on', 'off'],
    about:
      'on: the address that API Gateway assigns stays active alongside domainName, because links already sent point to it. off: only domainName responds.',
  },
  certificateArn: {
    kind: 'text',
    fallback: '',
    shape: {
      pattern: /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      expected: 'an ARN such as arn:aws:acm:eu-central-1:111122223333:certificate/…',
    },
    about: 'Certificate of domainName, in the region of the stacks.',
  },
  hostedZoneId: {
    kind: 'text',
    fallback: '',
    shape: { pattern: /^Z[A-Z0-9]{1,31}$/, expected: 'the ID of a zone, such as Z0123456789ABCDEFGHIJ' },
    about: 'Route 53 zone for the record of domainName. Empty: create the record at your DNS provider.',
  },
  mailDomain: {
    kind: 'text',
    fallback: '',
    shape: DOMAIN,
    about: 'Domain of built-in sender and inbound addresses, verified in SES.',
  },
  sesReceiving: {
    kind: 'flag',
    fallback: false,
    about:
      'Receive email for mailDomain through SES (only in regions that support it). Activate its rule set once it is deployed (docs/runbook.md): an account has one active rule set per region, so two stages that receive exclude each other.',
  },
  channels: {
    kind: 'text',
    fallback: ALL_CHANNELS,
    shape: {
      pattern: new RegExp(`^(${CHANNELS.join('|')})(,(${CHANNELS.join('|')}))*$`),
      expected: `channels separated by commas, of ${ALL_CHANNELS}`,
    },
    about:
      'Channels to deliver on. Lambda stops polling the queues of the others, which is most of the idle bill; messages on them are routed IGNORE. Turn a channel off only if its queue is empty.',
  },
  emailReceipts: {
    kind: 'choice',
    fallback: 'all',
    values: ['all', 'failures'],
    about:
      'Events that SES reports. With failures, these are bounces, complaints and rejections, which suppress addresses, but no deliveries, opens or clicks. That saves about $1.70 per million emails.',
  },
  trackingDomain: {
    kind: 'text',
    fallback: '',
    shape: DOMAIN,
    about:
      'Domain of tracked links and pixels, over https (docs/concepts/delivery-log.md). Empty: domains of SES and of the API.',
  },
  eventBus: {
    kind: 'text',
    fallback: '',
    shape: {
      pattern: /^(arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[\w./-]{1,256}$/,
      expected: 'the name or ARN of a bus, such as default',
    },
    about:
      'Existing EventBridge bus. Every webhook event of every account is published there as well, at $1 per million events (docs/concepts/events.md). Empty: none.',
  },
  settings: {
    kind: 'texts',
    about:
      'Settings of functions by name, such as {"EMAIL_PROVIDER": "ses"}. Each function gets the settings in its row. Never a secret.',
  },
  secretsArn: {
    kind: 'text',
    fallback: '',
    shape: {
      pattern: /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-\w{6}$/,
      expected:
        'an ARN with its six last characters, such as arn:aws:secretsmanager:…:secret:providers-AbCdEf',
    },
    about:
      'Complete ARN of a Secrets Manager secret, a JSON object with the credentials of providers by setting name. Only functions whose row lists it can read it.',
  },
  tableName: {
    kind: 'text',
    fallback: '',
    shape: {
      pattern: /^[a-zA-Z0-9_.-]{3,255}$/,
      expected: 'the name of a table in the region of the stacks',
    },
    about:
      'Existing table to use, such as one restored from a backup (docs/runbook.md). Empty: the table of this deployment.',
  },
  tableStreamArn: {
    kind: 'text',
    fallback: '',
    shape: {
      pattern: /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/[\w.:-]+$/,
      expected: 'the ARN of a stream, such as arn:aws:dynamodb:…:table/restored/stream/2026-…',
    },
    about: 'Stream of tableName. npm run deploy looks it up.',
  },
  restoredUntil: {
    kind: 'text',
    fallback: '',
    shape: {
      pattern:
        /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?Z$/,
      expected: 'an ISO 8601 time in UTC, such as 2026-11-22T10:00:00Z',
    },
    about:
      'Time of the pause, if tableName was restored without its delivery log (docs/runbook.md). Messages due before then are sent only by npm run redrive.',
  },
  paused: {
    kind: 'flag',
    fallback: false,
    about:
      'Deploys with every event source disabled: requests are accepted and stored, and nothing is sent until npm run pause -- --resume.',
  },
  tableEncryption: {
    kind: 'choice',
    fallback: 'aws-owned',
    values: ['aws-owned', 'customer'],
    about: 'Key of the table: owned by AWS (free), or this deployment’s own KMS key (charged per request).',
  },
  bucketEncryption: {
    kind: 'choice',
    fallback: 'aws-owned',
    values: ['aws-owned', 'customer'],
    about:
      'Key of the bucket: owned by AWS (free), or this deployment’s own KMS key (cents: one request serves many objects). Applies to what is stored from then on.',
  },
  queueEncryption: {
    kind: 'choice',
    fallback: 'aws-owned',
    values: ['aws-owned', 'customer'],
    about:
      'Key of all queues and dead letters: owned by AWS (free), or this deployment’s own KMS key (cents per month for each queue in use).',
  },
  memberMfa: {
    kind: 'choice',
    fallback: 'optional',
    values: ['optional', 'required'],
    about: 'Whether members also need a one-time code to sign in.',
  },
  warmReadUnits: {
    kind: 'number',
    fallback: 0,
    min: 0,
    max: 1_000_000,
    about:
      'Reads per second that the table supports immediately; 0 keeps the 12,000 of a new table. At least 12,000.',
  },
  warmWriteUnits: {
    kind: 'number',
    fallback: 0,
    min: 0,
    max: 1_000_000,
    about:
      'Writes per second that the table supports immediately; 0 keeps the 4,000 of a new table. At least 4,000.',
  },
  logRetentionDays: {
    kind: 'number',
    fallback: 30,
    min: 1,
    max: 3653,
    values: [
      1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
    ],
    about: 'Days that CloudWatch keeps logs.',
  },
  apiMemoryMb: {
    kind: 'number',
    fallback: 512,
    min: 128,
    max: 10_240,
    about: 'Memory of the API functions.',
  },
  memoryMb: {
    kind: 'numbers',
    min: 128,
    max: 10_240,
    about: 'Memory by function, such as {"send": 1024}. Overrides apiMemoryMb and the row.',
  },
  reservedConcurrency: {
    kind: 'numbers',
    min: 1,
    max: 100_000,
    about: 'Reserved concurrency by function, such as {"send": 200}. Other functions share the account’s.',
  },
  queueConcurrency: {
    kind: 'numbers',
    min: 2,
    max: 1000,
    about:
      'Concurrent invocations by queue worker, at least 2, such as {"deliver-email": 20}. Overrides the row. Raise it together with EMAIL_PER_SECOND, SMS_PER_SECOND or CALL_PER_SECOND.',
  },
  requestsPerSecond: {
    kind: 'number',
    fallback: 2000,
    min: 1,
    max: 100_000,
    about:
      'Requests per second allowed on each route; routes for administrators and without a credential allow less.',
  },
  requestBurst: {
    kind: 'number',
    fallback: 1000,
    min: 1,
    max: 100_000,
    about: 'Maximum number of requests in a burst.',
  },
  gradual: {
    kind: 'choice',
    fallback: 'off',
    values: ['off', 'canary', 'linear'],
    about:
      'Updates functions through CodeDeploy: a tenth of the invocations for five minutes (canary), or a tenth more each minute (linear). At a function’s first error, it returns to the previous version. Needs an alarm per function, $0.10 per month each.',
  },
  tracing: {
    kind: 'choice',
    fallback: 'off',
    values: ['off', 'on'],
    about: 'X-Ray traces of every function, at $5 per million traces (docs/scale.md).',
  },
  monthlyBudgetUsd: {
    kind: 'number',
    fallback: 0,
    min: 0,
    max: 10_000_000,
    about:
      'AWS Budget for the resources of this deployment (by their tags), in dollars per month; alarmAddress is notified at 80 % and when the forecast exceeds it. 0: no budget.',
  },
  alarms: {
    kind: 'choice',
    fallback: 'auto',
    values: ['auto', 'on', 'off'],
    about: 'Alarms, at $0.10 per month and metric (docs/runbook.md). auto: the same as protection.',
  },
  dashboard: {
    kind: 'choice',
    fallback: 'auto',
    values: ['auto', 'on', 'off'],
    about: 'CloudWatch dashboard, at $3 per month. auto: the same as protection.',
  },
  alarmAddress: {
    kind: 'text',
    fallback: '',
    shape: { pattern: /^[^\s@]+@[^\s@.]+\.[^\s@]+$/, expected: 'an email address' },
    about: 'Email address that receives alarms, once it is confirmed.',
  },
} as const satisfies Record<string, Parameter>;

/** The setting behind each property of the construct that chooses the provider of a channel. */
export const PROVIDER_SETTINGS = {
  email: 'EMAIL_PROVIDER',
  sms: 'SMS_PROVIDER',
  call: 'CALL_PROVIDER',
  push: 'PUSH_PROVIDER',
  webPush: 'WEB_PUSH_PROVIDER',
  chat: 'CHAT_PROVIDER',
  inapp: 'INAPP_PROVIDER',
} as const satisfies Record<string, SettingName>;
