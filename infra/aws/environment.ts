import type { Stack } from 'aws-cdk-lib';
import type { Grants } from '../../shared/http/rows/route.ts';
import type { SettingName } from '../../shared/runtime/settings.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import { plainSettingName } from '../settings.ts';
import { metricsNamespaceOf, type Platform, tagsOf } from './platform.ts';
import { eventSourceOf } from './triggers/event-bus.ts';
import {
  emailConfigurationSetOf,
  isTrackedBySes,
  phoneConfigurationSetOf,
  receiptRuleSetOf,
  trackedConfigurationSetOf,
} from './triggers/outside-services.ts';
import { type QueueRow, queueRowOf, queueUrlOf } from './triggers/queue-address.ts';
import { channelsOf, usesProvider, usesSes } from './triggers/used-sources.ts';

/**
 * Settings that every function gets if they are given: of the structured log, the rate limits of
 * endpoints, and the CDN in front of them.
 */
export const GIVEN_SETTINGS = [
  'LOG_LEVEL',
  'SERVICE_NAME',
  'CREDENTIAL_REQUESTS_PER_SECOND',
  'ACCOUNT_REQUESTS_PER_SECOND',
  'EDGE_HEADER_SHA256',
  'CLIENT_ADDRESS_HEADER',
] as const;

/** Settings that every function gets; the first are set by the stacks, the others may be given. */
export const COMMON_SETTINGS: readonly string[] = [
  'STAGE',
  'METRICS_NAMESPACE',
  'TABLE_NAME',
  'KMS_KEY_ID',
  'BLOB_BUCKET',
  'PUBLIC_BASE_URL',
  'TOKEN_ISSUER',
  'TOKEN_CLIENT_ID',
  ...GIVEN_SETTINGS,
];

/** The part of a row that decides a function's environment. */
export type EnvironmentRow = {
  name: string;
  grants: Grants;
  settings?: readonly SettingName[];
  /** The queue that it reads, whose messages it may postpone. */
  readsFrom?: string;
};

/**
 * The environment of a function by name: the common settings, the queues of its row and the settings of its
 * row, from the stacks themselves or from the parameter `settings`. A setting with neither has its default
 * from the code.
 */
export function environmentOf(
  stack: Stack,
  platform: Platform,
  queues: ReadonlyMap<string, QueueRow>,
  row: EnvironmentRow,
): Record<string, string> {
  const { parameters } = platform;
  const known: Record<string, string> = { ...parameters.settings, ...settingsOfStacks(platform) };
  const settingNames = new Set<string>(row.settings);
  const named = Object.entries(known).filter(
    ([name, value]) => value && (settingNames.has(name) || settingNames.has(plainSettingName(name, known))),
  );
  const secrets = row.grants.services?.includes('secrets') && parameters.secretsArn;
  return {
    ...commonSettings(platform),
    ...queueSettings(stack, platform, queues, row),
    ...Object.fromEntries(named),
    ...defined({ SECRETS_ARN: secrets ? parameters.secretsArn : undefined }),
  };
}

function commonSettings(platform: Platform): Record<string, string> {
  const { stage, settings } = platform.parameters;
  const named = GIVEN_SETTINGS.flatMap((name) => (settings[name] ? [[name, settings[name]]] : []));
  return {
    ...Object.fromEntries(named),
    STAGE: stage,
    METRICS_NAMESPACE: metricsNamespaceOf(platform),
    TABLE_NAME: platform.table.name,
    KMS_KEY_ID: platform.key.arn,
    BLOB_BUCKET: platform.blobs.name,
    PUBLIC_BASE_URL: platform.httpApi.baseUrl,
    TOKEN_ISSUER: platform.userPool.issuer,
    TOKEN_CLIENT_ID: platform.userPool.clientId,
  };
}

/** Values that only the stacks have; passed only to rows that list them. */
const STACK_SETTINGS = {
  CHANNELS_OFF: ({ parameters }) =>
    CHANNELS.filter((channel) => !channelsOf(parameters).includes(channel)).join(','),
  RESTORED_UNTIL: ({ parameters }) => parameters.restoredUntil,
  EVENT_BUS: ({ parameters }) => parameters.eventBus,
  EVENT_SOURCE: ({ parameters }) => parameters.eventBus && eventSourceOf(parameters),
  MAIL_DOMAIN: ({ parameters }) => parameters.mailDomain,
  MAIL_RECEIVING: ({ parameters }) => (parameters.sesReceiving ? 'on' : ''),
  SES_IDENTITY_TAGS: (platform) =>
    Object.entries(tagsOf(platform))
      .map((tag) => tag.join('='))
      .join(','),
  SES_RECEIPT_RULE_SET: (platform) => (platform.parameters.sesReceiving ? receiptRuleSetOf(platform) : ''),
  SES_CONFIGURATION_SET: (platform) =>
    usesSes(platform.parameters) ? emailConfigurationSetOf(platform) : '',
  SES_TRACKED_CONFIGURATION_SET: (platform) =>
    isTrackedBySes(platform.parameters) ? trackedConfigurationSetOf(platform) : '',
  TRACKING_DOMAIN: ({ parameters }) => parameters.trackingDomain,
  PHONE_CONFIGURATION_SET: (platform) =>
    usesProvider(platform.parameters, ['SMS', 'CALL'], 'aws') ? phoneConfigurationSetOf(platform) : '',
  USER_POOL_ID: ({ userPool }) => userPool.id,
  WEBSOCKET_ENDPOINT: ({ websocketApi }) => websocketApi.endpoint,
} as const satisfies Readonly<Record<string, (platform: Platform) => string>>;

function settingsOfStacks(platform: Platform): Record<string, string> {
  return Object.fromEntries(Object.entries(STACK_SETTINGS).map(([name, value]) => [name, value(platform)]));
}

/** Every setting that the stacks set themselves: values of the parameter `settings` would be replaced. */
export const SET_BY_STACKS: readonly string[] = [
  ...COMMON_SETTINGS.filter((name) => !GIVEN_SETTINGS.some((each) => each === name)),
  ...Object.keys(STACK_SETTINGS),
  'QUEUE_CONCURRENCY',
];

function queueSettings(
  stack: Stack,
  platform: Platform,
  queues: ReadonlyMap<string, QueueRow>,
  { name, grants, readsFrom }: EnvironmentRow,
): Record<string, string> {
  const names = new Set([...(grants.sendsTo ?? []), ...(readsFrom === undefined ? [] : [readsFrom])]);
  const entries = [...names].map((queue) => [
    `QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`,
    queueUrlOf(stack, platform, queueRowOf(queues, queue, name)),
  ]);
  return Object.fromEntries(entries);
}
