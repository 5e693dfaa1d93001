import type { Stack } from 'aws-cdk-lib';
import * as ses from 'aws-cdk-lib/aws-ses';
import * as smsvoice from 'aws-cdk-lib/aws-smsvoice';
import type { IConstruct } from 'constructs';
import { INBOUND_PREFIX } from '../../../shared/blobs/blob-folders.ts';
import type { Worker } from '../../../shared/http/worker.ts';
import { nameOf, type Platform } from '../platform.ts';
import { type EventsSource, topicArnOf, topicIdOf } from './events.ts';
import { usesProvider, usesSes } from './used-sources.ts';

/** Without `send`: the service's own record is earlier, and each event is billed. */
const FAILURES = ['reject', 'bounce', 'complaint', 'renderingFailure'];
const EMAIL_EVENTS = { failures: FAILURES, all: [...FAILURES, 'delivery', 'open', 'click', 'deliveryDelay'] };

/** Name of SES's configuration set: sent email names it, so that its events are received. */
export function emailConfigurationSetOf(platform: Pick<Platform, 'parameters'>): string {
  return nameOf(platform, 'email');
}

/** The same for text messages and calls. */
export function phoneConfigurationSetOf(platform: Pick<Platform, 'parameters'>): string {
  return nameOf(platform, 'phone');
}

/**
 * SES and AWS End User Messaging: the destinations of their events, if workers of the table read them, and
 * received email.
 */
export function createOutsideServices(stack: Stack, platform: Platform, workers: readonly Worker[]): void {
  const sources = new Set(workers.flatMap(({ trigger }) => ('source' in trigger ? [trigger.source] : [])));
  if (usesSes(platform.parameters)) createEmailEvents(stack, platform, sources.has('ses'));
  if (sources.has('sms-voice') && usesProvider(platform.parameters, ['SMS', 'CALL'], 'aws'))
    createPhoneEvents(stack, platform);
  if (platform.parameters.sesReceiving && sources.has('mail')) createReceiving(stack, platform);
}

function createEmailEvents(stack: Stack, platform: Platform, areTaken: boolean): void {
  const set = new ses.CfnConfigurationSet(stack, 'EmailConfiguration', {
    name: emailConfigurationSetOf(platform),
    deliveryOptions: { tlsPolicy: 'REQUIRE' },
    reputationOptions: { reputationMetricsEnabled: true },
    suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  });
  if (!areTaken) return;
  const destination = new ses.CfnConfigurationSetEventDestination(stack, 'EmailEvents', {
    configurationSetName: set.ref,
    eventDestination: {
      name: 'events',
      enabled: true,
      matchingEventTypes: EMAIL_EVENTS[platform.parameters.emailReceipts],
      snsDestination: { topicArn: topicArnOf(stack, platform, 'ses') },
    },
  });
  destination.node.addDependency(topicOf(stack, 'ses'));
}

function createPhoneEvents(stack: Stack, platform: Platform): void {
  const set = new smsvoice.CfnConfigurationSet(stack, 'PhoneConfiguration', {
    configurationSetName: phoneConfigurationSetOf(platform),
    eventDestinations: [
      {
        eventDestinationName: 'events',
        enabled: true,
        matchingEventTypes: ['ALL'],
        snsDestination: { topicArn: topicArnOf(stack, platform, 'sms-voice') },
      },
    ],
  });
  set.node.addDependency(topicOf(stack, 'sms-voice'));
}

/**
 * SES stores a received email as an object and publishes its receipt, the only place that names the envelope's
 * recipients. An AWS account has one active rule set: activating it is left to the account's owner.
 */
function createReceiving(stack: Stack, platform: Platform): void {
  const ruleSet = new ses.CfnReceiptRuleSet(stack, 'ReceiptRules', {
    ruleSetName: nameOf(platform, 'inbound'),
  });
  const rule = new ses.CfnReceiptRule(stack, 'ReceiptRule', {
    ruleSetName: ruleSet.ref,
    rule: {
      name: 'inbound',
      enabled: true,
      scanEnabled: true,
      tlsPolicy: 'Optional',
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
