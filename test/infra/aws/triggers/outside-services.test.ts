import { EventType as PhoneEventType } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { EventType as SesEventType } from '@aws-sdk/client-sesv2';
import { beforeAll, describe, expect, it } from 'vitest';
import { WORKERS } from '../../../../functions/workers.ts';
import { parseSesEvents } from '../../../../shared/channels/email/ses/ses-events.ts';
import { parseAwsPhoneEvent } from '../../../../shared/channels/phone/aws/aws-events.ts';
import { PRODUCTION, type Resource, type Synthesized, synthesize, textOf } from '../synthesized.ts';

const AT = '2026-11-25T10:00:00.000Z';
const about = { timestamp: AT, bouncedRecipients: [], complainedRecipients: [], delayedRecipients: [] };
/** `RENDERING_FAILURE` -> `RenderingFailure` */
const nameOf = (type: string) =>
  type.toLowerCase().replace(/(^|_)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());

/** What the reader of SES's events makes of a type: nothing is recorded of `sent`, which the sender records, and of `other`. */
function meaningOf(type: string): string {
  const part = {
    ...about,
    bounceType: 'Permanent',
    reason: 'virus',
    errorMessage: 'x',
    recipients: ['a@b.c'],
  };
  const names = ['bounce', 'complaint', 'delivery', 'open', 'click', 'reject', 'failure', 'deliveryDelay'];
  const mail = { messageId: 'm', timestamp: AT, destination: ['a@b.c'], tags: {}, headers: [] };
  const event = { eventType: nameOf(type), mail, ...Object.fromEntries(names.map((name) => [name, part])) };
  return parseSesEvents(event)[0]?.type ?? 'other';
}

const SES_TYPES = Object.values(SesEventType);
const UNRECORDED = ['sent', 'other'];
const RECORDED = {
  all: SES_TYPES.filter((type) => !UNRECORDED.includes(meaningOf(type))),
  failures: SES_TYPES.filter((type) => meaningOf(type) === 'failed'),
};
const PHONE_TYPES = Object.values(PhoneEventType).filter((eventType) => {
  const event = { eventType, messageId: 'm', isFinal: true, eventTimestamp: 1 };
  return parseAwsPhoneEvent(JSON.stringify(event), 0).kind !== 'ignored';
});

/** Without aliases, whose ARN is an endpoint as text (rollout.test.ts). */
const withReceipts = (emailReceipts: keyof typeof RECORDED) =>
  synthesize({
    routes: [],
    context: { ...PRODUCTION, emailReceipts, gradual: 'off', reservedConcurrency: {} },
  });

const upper = (type: string) => type.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
/** `DELIVERY_DELAY` -> `deliveryDelay`, as CloudFormation has it. */
const sesName = (type: string) =>
  type.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const TRACKED = ['OPEN', 'CLICK'];
const askedOfSes = (all: Synthesized, isTracked = true): string[] =>
  all
    .ofType('AWS::SES::ConfigurationSetEventDestination')
    .filter(({ id }) => id.includes('Tracked') === isTracked)
    .flatMap(({ properties }) => properties.EventDestination.MatchingEventTypes.map(upper));
const askedOfPhone = (all: Synthesized): string[] =>
  all
    .ofType('AWS::SMSVOICE::ConfigurationSet')
    .flatMap(({ properties }) => properties.EventDestinations)
    .flatMap(({ MatchingEventTypes }) => MatchingEventTypes);

/** Event types that are recorded and not requested, and the other way round. */
function unlike(requested: readonly string[], recorded: readonly string[]): string[] {
  const [asked, read] = [new Set(requested), new Set(recorded)];
  return [
    ...recorded.filter((type) => !asked.has(type)).map((type) => `${type} never arrives`),
    ...requested.filter((type) => !read.has(type)).map((type) => `${type} is not recorded`),
    ...(asked.size < requested.length ? ['a type is requested twice'] : []),
  ];
}

/** Functions whose messages use another configuration set than the set with published events. */
function astray(all: Synthesized): string[] {
  const setOf = (destination: Resource) =>
    all.resources.find(({ id }) => `<${id}>` === textOf(destination.properties.ConfigurationSetName));
  const setsOf = (isTracked: boolean) =>
    all
      .ofType('AWS::SES::ConfigurationSetEventDestination')
      .filter(
        ({ id, properties }) => id.includes('Tracked') === isTracked && properties.EventDestination.Enabled,
      )
      .map((each) => setOf(each)?.properties.Name);
  const published: Record<string, unknown[]> = {
    SES_CONFIGURATION_SET: setsOf(false),
    SES_TRACKED_CONFIGURATION_SET: setsOf(true),
    PHONE_CONFIGURATION_SET: all
      .ofType('AWS::SMSVOICE::ConfigurationSet')
      .filter(({ properties }) =>
        properties.EventDestinations.some((each: { Enabled: boolean }) => each.Enabled),
      )
      .map(({ properties }) => properties.ConfigurationSetName),
  };
  const named = all.ofType('AWS::Lambda::Function').flatMap(({ id, properties }) =>
    Object.entries(published).flatMap(([name, sets]) => {
      const value = properties.Environment?.Variables?.[name];
      return value === undefined ? [] : [{ name, problem: sets.includes(value) ? '' : `${id}: ${name}` }];
    }),
  );
  const unused = Object.keys(published).filter((name) => !named.some((each) => each.name === name));
  return [...unused, ...named.map(({ problem }) => problem).filter(Boolean)];
}

/** Where AWS publishes: the topics that resources name, and the service of each. */
const PUBLISHERS: Record<string, (resource: Resource) => { service: string; topics: unknown[] }> = {
  'AWS::SES::ConfigurationSetEventDestination': ({ properties }) => ({
    service: 'ses.amazonaws.com',
    topics: [properties.EventDestination.SnsDestination.TopicARN],
  }),
  'AWS::SES::ReceiptRule': ({ properties }) => ({
    service: 'ses.amazonaws.com',
    topics: properties.Rule.Actions.map(
      (each: { S3Action: { TopicArn: unknown } }) => each.S3Action.TopicArn,
    ),
  }),
  'AWS::SMSVOICE::ConfigurationSet': ({ properties }) => ({
    service: 'sms-voice.amazonaws.com',
    topics: properties.EventDestinations.map(
      (each: { SnsDestination: { TopicArn: unknown } }) => each.SnsDestination.TopicArn,
    ),
  }),
};

/** How an event gets lost: a topic that does not exist, refuses its publisher or has no reader; a topic without a publisher. */
function lost(all: Synthesized): string[] {
  const topics = all.ofType('AWS::SNS::Topic');
  const named = all.resources.flatMap((resource) => {
    const published = PUBLISHERS[resource.type]?.(resource);
    return (published?.topics ?? []).map((arn) => ({ arn: textOf(arn), service: published?.service }));
  });
  // Numbers are pointed at it by hand (docs/concepts/inbound.md).
  const byHand = { arn: 'sns:<AWS::Region>:<AWS::AccountId>:notifications-prod-two-way-sms-events' };
  const found = [...named, { ...byHand, service: 'sms-voice.amazonaws.com' }].map(({ arn, service }) => {
    const topic = topics.find(({ properties }) => arn.endsWith(`:${properties.TopicName}`));
    if (!topic) return [`there is no topic ${arn}`, ''];
    const lacks = [
      ...(publishes(all, topic, service) ? [] : [`${topic.id} refuses ${service}`]),
      ...(isRead(all, topic) ? [] : [`${topic.id} has no reader`]),
    ];
    return [lacks.join(), topic.id];
  });
  const sources = WORKERS.flatMap(({ trigger }) => ('source' in trigger ? [trigger.source] : []));
  const silent = topics.filter(
    ({ id, properties }) =>
      sources.some((source) => properties.TopicName.endsWith(`-${source}-events`)) &&
      !found.some(([, topicId]) => topicId === id),
  );
  return [
    ...found.map(([lack = '']) => lack),
    ...silent.map(({ id }) => `nothing publishes to ${id}`),
  ].filter(Boolean);
}

function publishes(all: Synthesized, topic: Resource, service: string | undefined): boolean {
  const policies = all
    .ofType('AWS::SNS::TopicPolicy')
    .filter(({ properties }) => properties.Topics.map(textOf).includes(`<${topic.id}>`));
  return policies.some(({ properties }) =>
    properties.PolicyDocument.Statement.some(
      (each: Record<string, { Service?: string }>) =>
        String(each.Effect) === 'Allow' &&
        each.Principal?.Service === service &&
        String(each.Action) === 'sns:Publish',
    ),
  );
}

/** True if the topic hands on to the function of its source's worker, or to the queue that it reads. */
function isRead(all: Synthesized, topic: Resource): boolean {
  const worker = WORKERS.find(
    ({ trigger }) =>
      'source' in trigger && topic.properties.TopicName.endsWith(`prod-${trigger.source}-events`),
  );
  const targets = all.resources
    .filter(({ type, properties }) => {
      const names = [properties.FunctionName, properties.QueueName];
      const isTarget = type === 'AWS::Lambda::Function' || type === 'AWS::SQS::Queue';
      return isTarget && names.includes(`notifications-prod-${worker?.name}`);
    })
    .map(({ id }) => `<${id}.Arn>`);
  return all
    .ofType('AWS::SNS::Subscription')
    .some(
      ({ properties }) =>
        textOf(properties.TopicArn) === `<${topic.id}>` && targets.includes(textOf(properties.Endpoint)),
    );
}

let all: Synthesized;
beforeAll(() => {
  all = withReceipts('all');
});

const withFault = (plant: (resource: Resource) => void): Synthesized => {
  const resources = structuredClone(all.resources);
  for (const resource of resources) plant(resource);
  return { ...all, resources, ofType: (type) => resources.filter((each) => each.type === type) };
};

describe('the events of SES', () => {
  it('are all recorded but those of the sending itself and of subscriptions', () => {
    expect(SES_TYPES.filter((type) => !RECORDED.all.includes(type))).toEqual(['SEND', 'SUBSCRIPTION']);
    expect(RECORDED.failures.sort()).toEqual(['BOUNCE', 'COMPLAINT', 'REJECT', 'RENDERING_FAILURE']);
  });

  it.each(['all', 'failures'] as const)(
    'are requested if and only if they are recorded, with %s',
    (receipts) => {
      const asked = receipts === 'all' ? all : withReceipts(receipts);
      const isTracking = (type: string) => TRACKED.includes(type);
      const plain = RECORDED[receipts].filter((type) => !isTracking(type));
      expect(unlike(askedOfSes(asked, false), plain)).toEqual([]);
      expect(unlike(askedOfSes(asked), receipts === 'all' ? RECORDED.all : [])).toEqual([]);
    },
  );

  it('bring links on the own tracking domain, over https, where there is one', () => {
    const context = {
      ...PRODUCTION,
      trackingDomain: 'click.example.com',
      gradual: 'off',
      reservedConcurrency: {},
    };
    const sets = synthesize({ routes: [], context }).ofType('AWS::SES::ConfigurationSet');
    expect(sets.map(({ properties }) => properties.TrackingOptions)).toEqual([
      undefined,
      { CustomRedirectDomain: 'click.example.com', HttpsPolicy: 'REQUIRE' },
    ]);
  });

  it.each(SES_TYPES)('are found wrong when %s is requested by mistake, or not requested', (type) => {
    const toggled = (types: string[], own: string) =>
      types.includes(own) ? types.filter((each) => each !== own) : [...types, own];
    const planted = withFault(({ type: kind, properties }) => {
      if (kind !== 'AWS::SES::ConfigurationSetEventDestination') return;
      const own = sesName(type);
      properties.EventDestination.MatchingEventTypes = toggled(
        properties.EventDestination.MatchingEventTypes,
        own,
      );
    });
    expect(unlike(askedOfSes(planted), RECORDED.all)).toEqual([
      RECORDED.all.includes(type) ? `${type} never arrives` : `${type} is not recorded`,
    ]);
  });
});

describe('the configuration sets', () => {
  it('that messages name are those whose events are published', () => {
    expect(astray(all)).toEqual([]);
  });

  it.each([
    ['AWS::SES::ConfigurationSetEventDestination', { EventDestination: { Enabled: false } }],
    ['AWS::SES::ConfigurationSet', { Name: 'another' }],
    ['AWS::SMSVOICE::ConfigurationSet', { ConfigurationSetName: 'another' }],
    ['AWS::SMSVOICE::ConfigurationSet', { EventDestinations: [] }],
  ])('are found wrong when %s has %j', (type, change) => {
    const planted = withFault((each) => {
      if (each.type === type) Object.assign(each.properties, change);
    });
    expect(astray(planted).length).toBeGreaterThan(0);
  });
});

it('requests the final events of texts and calls, and no others', () => {
  expect(PHONE_TYPES.length).toBeGreaterThan(30);
  expect(unlike(askedOfPhone(all), PHONE_TYPES)).toEqual([]);
  const [set] = all.ofType('AWS::SMSVOICE::ConfigurationSet');
  for (const { MatchingEventTypes } of set?.properties.EventDestinations ?? [])
    expect(MatchingEventTypes.length).toBeLessThanOrEqual(25);
  expect(set?.properties.EventDestinations.length).toBeLessThanOrEqual(5);
});

it.each(PHONE_TYPES)('finds that %s is not requested of AWS End User Messaging', (type) => {
  const planted = withFault(({ type: kind, properties }) => {
    if (kind !== 'AWS::SMSVOICE::ConfigurationSet') return;
    for (const each of properties.EventDestinations)
      each.MatchingEventTypes = each.MatchingEventTypes.filter((other: string) => other !== type);
  });
  expect(unlike(askedOfPhone(planted), PHONE_TYPES)).toEqual([`${type} never arrives`]);
});

describe('what AWS publishes', () => {
  it('reaches the worker of its source', () => {
    expect(all.ofType('AWS::SNS::Topic').length).toBeGreaterThan(3);
    expect(lost(all)).toEqual([]);
  });

  const topics = WORKERS.flatMap(({ trigger }) => ('source' in trigger ? [`${trigger.source}-events`] : []));
  it.each(topics)('is found lost when the topic %s refuses its publisher, or has no subscription', (name) => {
    const [topic] = all
      .ofType('AWS::SNS::Topic')
      .filter(({ properties }) => properties.TopicName.endsWith(name));
    const id = `<${topic?.id}>`;
    const refusing = withFault(({ type, properties }) => {
      if (type === 'AWS::SNS::TopicPolicy' && properties.Topics.map(textOf).includes(id))
        for (const each of properties.PolicyDocument.Statement)
          if (each.Effect === 'Allow') each.Principal = { Service: 's3.amazonaws.com' };
    });
    expect(lost(refusing).length).toBeGreaterThan(0);
    const unread = withFault(({ type, properties }) => {
      if (type === 'AWS::SNS::Subscription' && textOf(properties.TopicArn) === id)
        properties.TopicArn = 'other';
    });
    expect(lost(unread).length).toBeGreaterThan(0);
  });
});
