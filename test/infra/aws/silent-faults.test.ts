import { beforeAll, describe, expect, it } from 'vitest';
import { WORKERS } from '../../../functions/workers.ts';
import {
  functionIn,
  PRODUCTION,
  productionTemplates,
  type Resource,
  referredBy,
  type Synthesized,
  textOf,
} from './synthesized.ts';

type Document = { Statement: Record<string, unknown>[] };
type Asked = { service?: string; action: string; resource?: string; source?: string };

/** Returns true if a document allows the action; the statements of a role's own policy have no principal. */
function allows({ Statement }: Document, { service, action, resource, source }: Asked): boolean {
  return Statement.some(({ Effect, Principal, Action, Resource, Condition }) => {
    const pattern = textOf(Object(Condition).ArnLike?.['aws:SourceArn']).replace(/\*$/, '');
    return (
      Effect === 'Allow' &&
      Object(Principal).Service === service &&
      [Action].flat().includes(action) &&
      (resource === undefined || textOf(Resource) === resource) &&
      (source === undefined || source.startsWith(pattern))
    );
  });
}

const roleOf = (all: Synthesized, invoked: Resource) =>
  referredBy(all, invoked, invoked.properties.Role).properties;
const may = (all: Synthesized, invoked: Resource, asked: Asked) =>
  allows(roleOf(all, invoked).Policies[0].PolicyDocument, asked);

type Rule = { name: string; breaches: (all: Synthesized) => Resource[]; plant: (resource: Resource) => void };

/** Rules whose breach neither CloudFormation nor the emulator of `npm run test:aws` reports, with a breach of each. */
const RULES: readonly Rule[] = [
  {
    name: 'trust Lambda with the role of every function',
    breaches: (all) =>
      all.ofType('AWS::Lambda::Function').filter((each) => {
        const { AssumeRolePolicyDocument } = roleOf(all, each);
        return !allows(AssumeRolePolicyDocument, {
          service: 'lambda.amazonaws.com',
          action: 'sts:AssumeRole',
        });
      }),
    plant: ({ type, id, properties }) => {
      if (type === 'AWS::IAM::Role' && id.startsWith('SendRole'))
        properties.AssumeRolePolicyDocument.Statement[0].Principal.Service = 'ec2.amazonaws.com';
    },
  },
  {
    name: 'let every function write its own log',
    breaches: (all) =>
      all.ofType('AWS::Lambda::Function').filter((each) => {
        const resource = `<${referredBy(all, each, each.properties.LoggingConfig.LogGroup).id}.Arn>`;
        const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
        return !actions.every((action) => may(all, each, { action, resource }));
      }),
    plant: ({ id, properties }) => {
      if (id.startsWith('SendRole'))
        properties.Policies[0].PolicyDocument.Statement[0].Action = 'logs:PutLogEvents';
    },
  },
  {
    name: 'let every function run',
    breaches: (all) =>
      all
        .ofType('AWS::Lambda::Function')
        .filter(({ properties }) => properties.ReservedConcurrentExecutions === 0),
    plant: ({ properties }) => {
      if (properties.ReservedConcurrentExecutions) properties.ReservedConcurrentExecutions = 0;
    },
  },
  {
    name: 'read queues in batches that Lambda accepts',
    breaches: (all) =>
      all.ofType('AWS::Lambda::EventSourceMapping').filter((mapping) => {
        const { EventSourceArn, BatchSize, MaximumBatchingWindowInSeconds = 0 } = mapping.properties;
        if (!textOf(EventSourceArn).includes('Queue')) return false;
        const isFifo = referredBy(all, mapping, EventSourceArn).properties.FifoQueue === true;
        const isWindowed = MaximumBatchingWindowInSeconds > 0;
        return isFifo ? BatchSize > 10 || isWindowed : BatchSize > 10 && !isWindowed;
      }),
    plant: ({ id, properties }) => {
      if (id === 'DeliverEmailSource') properties.MaximumBatchingWindowInSeconds = 5;
    },
  },
  {
    name: 'keep a message through two days in which its worker is throttled: each visibility timeout counts as a receive',
    breaches: (all) =>
      all.ofType('AWS::SQS::Queue').filter(({ properties: { RedrivePolicy, VisibilityTimeout = 30 } }) => {
        return RedrivePolicy && RedrivePolicy.maxReceiveCount * VisibilityTimeout < 48 * 3600;
      }),
    plant: ({ id, type, properties }) => {
      if (type === 'AWS::SQS::Queue' && id.startsWith('FollowUpQueue'))
        properties.RedrivePolicy.maxReceiveCount = 900;
    },
  },
  {
    name: 'accept messages of the size that senders count on',
    breaches: (all) =>
      all.ofType('AWS::SQS::Queue').filter(({ properties }) => properties.MaximumMessageSize !== 1_048_576),
    plant: ({ id, type, properties }) => {
      if (type === 'AWS::SQS::Queue' && id.startsWith('FollowUpQueue'))
        properties.MaximumMessageSize = 262_144;
    },
  },
  {
    name: 'have one alarm per dead-letter queue, and one for the age of what each worker reads',
    breaches: (all) => {
      const watched = all
        .ofType('AWS::CloudWatch::Alarm')
        .flatMap(({ properties }) => properties.Dimensions ?? [])
        .filter(({ Name }) => Name === 'QueueName')
        .map(({ Value }) => Value);
      return all
        .ofType('AWS::SQS::Queue')
        .filter(({ properties }) => watched.filter((name) => name === properties.QueueName).length !== 1);
    },
    plant: ({ type, properties }) => {
      if (type === 'AWS::SQS::Queue' && properties.QueueName.endsWith('-follow-up'))
        properties.QueueName = 'other';
    },
  },
  {
    name: 'keep events of topics and schedules whose invocation failed',
    breaches: (all) =>
      WORKERS.filter(({ trigger }) => trigger.kind === 'topic' || trigger.kind === 'schedule')
        .map(({ name }) => functionIn(all, name, PRODUCTION.stage))
        .filter((each) => {
          const config = all
            .ofType('AWS::Lambda::EventInvokeConfig')
            .find(({ properties }) => textOf(properties.FunctionName) === `<${each.id}>`);
          const resource = textOf(config?.properties.DestinationConfig.OnFailure.Destination);
          return !may(all, each, { action: 'sqs:SendMessage', resource });
        }),
    plant: (resource) => {
      if (resource.id === 'SweepFailures') resource.properties.FunctionName = { Ref: 'Other' };
    },
  },
  {
    name: 'let topics and schedules keep events that they could not deliver',
    breaches: (all) => {
      const policy = all.ofType('AWS::SQS::QueuePolicy').find(({ id }) => id.startsWith('FailedInvocations'));
      const isLost = (service: string, resource: string) =>
        !allows(policy?.properties.PolicyDocument, {
          service: `${service}.amazonaws.com`,
          action: 'sqs:SendMessage',
          source: `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`,
        });
      return [
        ...all.ofType('AWS::SNS::Topic').filter(({ properties }) => isLost('sns', properties.TopicName)),
        ...all
          .ofType('AWS::Events::Rule')
          .filter(({ properties }) => isLost('events', `rule/${properties.Name}`)),
      ];
    },
    plant: ({ id, properties }) => {
      if (id === 'SweepRule') properties.Name = 'sweep';
    },
  },
  {
    name: 'let SES store received email',
    breaches: (all) => {
      const [policy] = all.ofType('AWS::S3::BucketPolicy');
      const bucket = textOf(policy?.properties.Bucket).slice(1, -1);
      return all.ofType('AWS::SES::ReceiptRule').filter(({ properties }) => {
        const resource = `<${bucket}.Arn>/${properties.Rule.Actions[0].S3Action.ObjectKeyPrefix}*`;
        const asked = { service: 'ses.amazonaws.com', action: 's3:PutObject', resource };
        return !allows(policy?.properties.PolicyDocument, asked);
      });
    },
    plant: ({ type, properties }) => {
      if (type === 'AWS::SES::ReceiptRule') properties.Rule.Actions[0].S3Action.ObjectKeyPrefix = 'mail/';
    },
  },
];

let all: Synthesized;
beforeAll(async () => {
  all = await productionTemplates();
});

function withFault(plant: Rule['plant']): Synthesized {
  const resources = structuredClone(all.resources);
  for (const resource of resources) plant(resource);
  return { ...all, resources, ofType: (type) => resources.filter((each) => each.type === type) };
}

describe('the templates', () => {
  it.each(RULES)('$name', ({ breaches }) => {
    expect(breaches(all).map(({ id }) => id)).toEqual([]);
  });
});

describe('a planted fault', () => {
  it.each(RULES)('is found by the test that templates $name', ({ breaches, plant }) => {
    expect(breaches(withFault(plant)).map(({ id }) => id)).toHaveLength(1);
  });
});
