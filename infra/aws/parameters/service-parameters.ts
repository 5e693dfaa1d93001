/** Written by `npm run openapi` from parameter-table.ts. */

export type NotificationChannel = 'EMAIL' | 'INAPP_WEB' | 'SMS' | 'CALL' | 'PUSH' | 'WEB_PUSH' | 'CHAT';

/** An event of a notification, as on the bus and in webhooks. */
export type NotificationEvent =
  | 'EMAIL_OPEN'
  | 'EMAIL_CLICK'
  | 'EMAIL_FAILED'
  | 'EMAIL_DELIVERED'
  | 'EMAIL_UNSUBSCRIBE'
  | 'EMAIL_INBOUND'
  | 'INAPP_WEB_FAILED'
  | 'INAPP_WEB_UNSUBSCRIBE'
  | 'SMS_DELIVERED'
  | 'SMS_FAILED'
  | 'SMS_UNSUBSCRIBE'
  | 'SMS_SUBSCRIBE'
  | 'SMS_INBOUND'
  | 'PUSH_FAILED'
  | 'PUSH_UNSUBSCRIBE'
  | 'CALL_FAILED'
  | 'CALL_UNSUBSCRIBE'
  | 'WEB_PUSH_FAILED'
  | 'WEB_PUSH_UNSUBSCRIBE'
  | 'CHAT_FAILED'
  | 'CHAT_UNSUBSCRIBE'
  | 'NOTIFICATION_ACCEPTED'
  | 'NOTIFICATION_NOT_SENT'
  | 'USER_ERASED'
  | 'USER_EXPORTED';

/** A provider such as `ses`, or several in the order of their use. */
export interface ProviderChoice {
  readonly provider: string | readonly string[];
}

/** The parameters of a deployment: all of `npm run deploy` (docs/configuration.md), and the providers of the channels. */
export interface ServiceParameters {
  /** Name of this deployment: part of every resource name. An account can have several stages. Default: dev. */
  readonly stage?: string;
  /** First part of every resource name. Default: notifications. */
  readonly name?: string;
  /** on: table, files, key and members survive `cdk destroy` and cannot be deleted by mistake. auto: on for stages named prod…, production… or live…. Default: auto. */
  readonly protection?: 'auto' | 'on' | 'off';
  /** Domain of the API, such as api.example.com; needs certificateArn. Empty: the address that API Gateway assigns. Default: empty. */
  readonly domainName?: string;
  /** on: the address that API Gateway assigns stays active alongside domainName, because links already sent point to it. off: only domainName responds. Default: on. */
  readonly assignedAddress?: 'on' | 'off';
  /** Certificate of domainName, in the region of the stacks. Default: empty. */
  readonly certificateArn?: string;
  /** Route 53 zone for the record of domainName. Empty: create the record at your DNS provider. Default: empty. */
  readonly hostedZoneId?: string;
  /** Domain of built-in sender and inbound addresses, verified in SES. Default: empty. */
  readonly mailDomain?: string;
  /** Receive email for mailDomain through SES (only in regions that support it). Activate its rule set once it is deployed (docs/runbook.md): an account has one active rule set per region, so two stages that receive exclude each other. Default: false. */
  readonly sesReceiving?: boolean;
  /** Channels to deliver on. Lambda stops polling the queues of the others, which is most of the idle bill; messages on them are routed IGNORE. Turn a channel off only if its queue is empty. Default: EMAIL,INAPP_WEB,SMS,CALL,PUSH,WEB_PUSH,CHAT. */
  readonly channels?: readonly NotificationChannel[];
  /** Events that SES reports. With failures, these are bounces, complaints and rejections, which suppress addresses, but no deliveries, opens or clicks. That saves about $1.70 per million emails. Default: all. */
  readonly emailReceipts?: 'all' | 'failures';
  /** Domain of tracked links and pixels, over https (docs/concepts/delivery-log.md). Empty: domains of SES and of the API. Default: empty. */
  readonly trackingDomain?: string;
  /** Existing EventBridge bus. Every webhook event of every account is published there as well, at $1 per million events (docs/concepts/events.md). Empty: none. Default: empty. */
  readonly eventBus?: string;
  /** Settings of functions by name, such as {"EMAIL_PROVIDER": "ses"}. Each function gets the settings in its row. Never a secret. Default: none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Complete ARN of a Secrets Manager secret, a JSON object with the credentials of providers by setting name. Only functions whose row lists it can read it. Default: empty. */
  readonly secretsArn?: string;
  /** Existing table to use, such as one restored from a backup (docs/runbook.md). Empty: the table of this deployment. Default: empty. */
  readonly tableName?: string;
  /** Stream of tableName. npm run deploy looks it up. Default: empty. */
  readonly tableStreamArn?: string;
  /** Time of the pause, if tableName was restored without its delivery log (docs/runbook.md). Messages due before then are sent only by npm run redrive. Default: empty. */
  readonly restoredUntil?: string;
  /** Deploys with every event source disabled: requests are accepted and stored, and nothing is sent until npm run pause -- --resume. Default: false. */
  readonly paused?: boolean;
  /** Key of the table: owned by AWS (free), or this deployment’s own KMS key (charged per request). Default: aws-owned. */
  readonly tableEncryption?: 'aws-owned' | 'customer';
  /** Key of the bucket: owned by AWS (free), or this deployment’s own KMS key (cents: one request serves many objects). Applies to what is stored from then on. Default: aws-owned. */
  readonly bucketEncryption?: 'aws-owned' | 'customer';
  /** Key of all queues and dead letters: owned by AWS (free), or this deployment’s own KMS key (cents per month for each queue in use). Default: aws-owned. */
  readonly queueEncryption?: 'aws-owned' | 'customer';
  /** Whether members also need a one-time code to sign in. Default: optional. */
  readonly memberMfa?: 'optional' | 'required';
  /** Reads per second that the table supports immediately; 0 keeps the 12,000 of a new table. At least 12,000. Default: 0. */
  readonly warmReadUnits?: number;
  /** Writes per second that the table supports immediately; 0 keeps the 4,000 of a new table. At least 4,000. Default: 0. */
  readonly warmWriteUnits?: number;
  /** Days that CloudWatch keeps logs. Default: 30. */
  readonly logRetentionDays?: 1 | 3 | 5 | 7 | 14 | 30 | 60 | 90 | 120 | 150 | 180 | 365 | 400 | 545 | 731 | 1096 | 1827 | 2192 | 2557 | 2922 | 3288 | 3653;
  /** Memory of the API functions. Default: 512. */
  readonly apiMemoryMb?: number;
  /** Memory by function, such as {"send": 1024}. Overrides apiMemoryMb and the row. Default: none. */
  readonly memoryMb?: Readonly<Record<string, number>>;
  /** Reserved concurrency by function, such as {"send": 200}. Other functions share the account’s. Default: none. */
  readonly reservedConcurrency?: Readonly<Record<string, number>>;
  /** Concurrent invocations by queue worker, at least 2, such as {"deliver-email": 20}. Overrides the row. Raise it together with EMAIL_PER_SECOND, SMS_PER_SECOND or CALL_PER_SECOND. Default: none. */
  readonly queueConcurrency?: Readonly<Record<string, number>>;
  /** Requests per second allowed on each route; routes for administrators and without a credential allow less. Default: 2000. */
  readonly requestsPerSecond?: number;
  /** Maximum number of requests in a burst. Default: 1000. */
  readonly requestBurst?: number;
  /** Updates functions through CodeDeploy: a tenth of the invocations for five minutes (canary), or a tenth more each minute (linear). At a function’s first error, it returns to the previous version. Needs an alarm per function, $0.10 per month each. Default: off. */
  readonly gradual?: 'off' | 'canary' | 'linear';
  /** X-Ray traces of every function, at $5 per million traces (docs/scale.md). Default: off. */
  readonly tracing?: 'off' | 'on';
  /** AWS Budget for the resources of this deployment (by their tags), in dollars per month; alarmAddress is notified at 80 % and when the forecast exceeds it. 0: no budget. Default: 0. */
  readonly monthlyBudgetUsd?: number;
  /** Alarms, at $0.10 per month and metric (docs/runbook.md). auto: the same as protection. Default: auto. */
  readonly alarms?: 'auto' | 'on' | 'off';
  /** CloudWatch dashboard, at $3 per month. auto: the same as protection. Default: auto. */
  readonly dashboard?: 'auto' | 'on' | 'off';
  /** Email address that receives alarms, once it is confirmed. Default: empty. */
  readonly alarmAddress?: string;
  /** The setting EMAIL_PROVIDER: one provider, or several in the order of their use. */
  readonly email?: ProviderChoice;
  /** The setting SMS_PROVIDER: one provider, or several in the order of their use. */
  readonly sms?: ProviderChoice;
  /** The setting CALL_PROVIDER: one provider, or several in the order of their use. */
  readonly call?: ProviderChoice;
  /** The setting PUSH_PROVIDER: one provider, or several in the order of their use. */
  readonly push?: ProviderChoice;
  /** The setting WEB_PUSH_PROVIDER: one provider, or several in the order of their use. */
  readonly webPush?: ProviderChoice;
  /** The setting CHAT_PROVIDER: one provider, or several in the order of their use. */
  readonly chat?: ProviderChoice;
  /** The setting INAPP_PROVIDER: one provider, or several in the order of their use. */
  readonly inapp?: ProviderChoice;
}
