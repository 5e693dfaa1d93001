import type { Stack } from 'aws-cdk-lib';
import * as ses from 'aws-cdk-lib/aws-ses';
import * as smsvoice from 'aws-cdk-lib/aws-smsvoice';
import type { IConstruct } from 'constructs';
import { INBOUND_PREFIX } from '../../../shared/blobs/blob-folders.ts';
import { sesEventTypes } from '../../../shared/channels/email/ses/ses-event-readers.ts';
import { awsEventTypes } from '../../../shared/channels/phone/aws/aws-codes.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import { RECEIPT_RULE } from '../../../shared/services/domains/receipt-rules-port.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { nameOf, type Platform } from '../platform.ts';
import { type EventsSource, topicArnOf, topicIdOf } from './events.ts';
import { usesProvider, usesSes } from './used-sources.ts';

/** Name of SES's configuration set: sent email names it, so that its events are received. */
export function emailConfigurationSetOf(platform: Pick<Platform, 'parameters'>): string {
  return nameOf(platform, 'email');
}

/** The same for email whose opens and clicks are reported. */
export function trackedConfigurationSetOf(platform: Pick<Platform, 'parameters'>): string {
  return nameOf(platform, 'email-tracked');
}

/** True if there is such a set: with `emailReceipts=failures`, SES reports no opens and clicks. */
export const isTrackedBySes = (parameters: Parameters): boolean =>
  usesSes(parameters) && parameters.emailReceipts === 'all';

/** The same for text messages and calls. */
export function phoneConfigurationSetOf(platform: Pick<Platform, 'parameters'>): string {
  return nameOf(platform, 'phone');
}

/** Name of SES's rule set for received email, once it is active. */
export function receiptRuleSetOf(platform: { parameters: Pick<Parameters, 'name' | 'stage'> }): string {
  return `${platform.parameters.name}-${platform.parameters.stage}-inbound`;
}

/**
 * SES and AWS End User Messaging: the destinations of their events, if workers of the table read them, and
 * received email.
 */
export function createOutsideServices(stack: Stack, platform: Platform, workers: readonly Worker[]): void {
  const sources = new Set(workers.flatMap(({ trigger }) => ('source' in trigger ? [trigger.source] : [])));
  const areTaken = sources.has('ses');
  if (usesSes(platform.parameters)) createEmailEvents(stack, platform, { isTracked: false, areTaken });
  if (isTrackedBySes(platform.parameters)) createEmailEvents(stack, platform, { isTracked: true, areTaken });
  if (sources.has('sms-voice') && usesProvider(platform.parameters, ['SMS', 'CALL'], 'aws'))
    createPhoneEvents(stack, platform);
  if (platform.parameters.sesReceiving && sources.has('mail')) createReceiving(stack, platform);
}

function createEmailEvents(
  stack: Stack,
  platform: Platform,
  { isTracked, areTaken }: { isTracked: boolean; areTaken: boolean },
): void {
  const { trackingDomain, emailReceipts } = platform.parameters;
  const prefix = isTracked ? 'TrackedEmail' : 'Email';
  const set = new ses.CfnConfigurationSet(stack, `${prefix}Configuration`, {
    name: (isTracked ? trackedConfigurationSetOf : emailConfigurationSetOf)(platform),
    deliveryOptions: { tlsPolicy: 'REQUIRE' },
    reputationOptions: { reputationMetricsEnabled: true },
    suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    ...(isTracked &&
      trackingDomain && {
        trackingOptions: { customRedirectDomain: trackingDomain, httpsPolicy: 'REQUIRE' },
      }),
  });
  if (!areTaken) return;
  const destination = new ses.CfnConfigurationSetEventDestination(stack, `${prefix}Events`, {
    configurationSetName: set.ref,
    eventDestination: {
      name: 'events',
      enabled: true,
      matchingEventTypes: sesEventTypes(emailReceipts, isTracked),
      snsDestination: { topicArn: topicArnOf(stack, platform, 'ses') },
    },
  });
  destination.node.addDependency(topicOf(stack, 'ses'));
}

function createPhoneEvents(stack: Stack, platform: Platform): void {
  const set = new smsvoice.CfnConfigurationSet(stack, 'PhoneConfiguration', {
    configurationSetName: phoneConfigurationSetOf(platform),
    eventDestinations: Object.entries(awsEventTypes()).map(([kind, matchingEventTypes]) => ({
      eventDestinationName: kind,
      enabled: true,
      matchingEventTypes,
      snsDestination: { topicArn: topicArnOf(stack, platform, 'sms-voice') },
    })),
  });
  set.node.addDependency(topicOf(stack, 'sms-voice'));
}

/**
 * SES stores a received email as an object and publishes its receipt, the only place with the envelope's recipients. An AWS
 * account has one active rule set: activating it is left to the account's owner.
 */
function createReceiving(stack: Stack, platform: Platform): void {
  const ruleSet = new ses.CfnReceiptRuleSet(stack, 'ReceiptRules', {
    ruleSetName: receiptRuleSetOf(platform),
  });
  const rule = new ses.CfnReceiptRule(stack, 'ReceiptRule', {
    ruleSetName: ruleSet.ref,
    rule: {
      name: RECEIPT_RULE,
      enabled: true,
      scanEnabled: true,
      tlsPolicy: 'Optional',
      // The domains of customers are added where they are verified (poll-domains).
      recipients: [platform.parameters.mailDomain],
      actions: [
        {
          s3Action: {
            bucketName: platform.blobs.name,
            objectKeyPrefix: INBOUND_PREFIX,
            topicArn: topicArnOf(stack, platform, 'mail'),
          },
        },
      ],
    },
  });
  rule.node.addDependency(topicOf(stack, 'mail'));
}

function topicOf(stack: Stack, source: EventsSource): IConstruct {
  return stack.node.findChild(topicIdOf(source));
}
